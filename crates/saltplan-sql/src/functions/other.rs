//! Hashes, functions of JSON and XML, of the session, and others.

use super::evaluation::hashes;
use super::record::Kind::{Any, Text, Whole};
use super::record::{Arguments, Classes, Function, Nulls, ResultType, Volatility};
use crate::ast::Type;

pub static MD5: Function = Function {
    names: &["md5"],
    classes: Classes::all("udf.UDFMd5"),
    arguments: Arguments::of(&[Text]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    evaluate: Some(hashes::md5),
    ..Function::ROW
};

pub static SHA1: Function = Function {
    names: &["sha1", "sha"],
    classes: Classes::all("udf.UDFSha1"),
    arguments: Arguments::of(&[Text]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    evaluate: Some(hashes::sha1),
    ..Function::ROW
};

pub static SHA2: Function = Function {
    names: &["sha2"],
    classes: Classes::all("udf.generic.GenericUDFSha2"),
    arguments: Arguments::of(&[Text, Whole]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    evaluate: Some(hashes::sha2),
    ..Function::ROW
};

pub static CRC32: Function = Function {
    names: &["crc32"],
    classes: Classes::all("udf.UDFCrc32"),
    arguments: Arguments::of(&[Text]),
    result: ResultType::Is(Type::BigInt),
    nulls: Nulls::AnyArgument,
    evaluate: Some(hashes::crc32),
    ..Function::ROW
};

pub static HASH: Function = Function {
    names: &["hash"],
    classes: Classes::all("udf.generic.GenericUDFHash"),
    arguments: Arguments::of(&[Any]).more(Any),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::Never,
    ..Function::ROW
};

pub static MURMUR_HASH: Function = Function {
    names: &["murmur_hash"],
    classes: Classes::since_hive3("udf.generic.GenericUDFMurmurHash"),
    arguments: Arguments::of(&[Any]).more(Any),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::Never,
    ..Function::ROW
};

pub(super) static ALL: &[&Function] = &[
    &Function {
        names: &["get_json_object"],
        classes: Classes::all("udf.UDFJson"),
        arguments: Arguments::of(&[Text, Text]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &MD5,
    &SHA1,
    &SHA2,
    &CRC32,
    &HASH,
    &MURMUR_HASH,
    &Function {
        names: &["aes_encrypt"],
        classes: Classes::all("udf.generic.GenericUDFAesEncrypt"),
        arguments: Arguments::of(&[Any, Any]),
        result: ResultType::Is(Type::Binary),
        ..Function::ROW
    },
    &Function {
        names: &["aes_decrypt"],
        classes: Classes::all("udf.generic.GenericUDFAesDecrypt"),
        arguments: Arguments::of(&[Any, Any]),
        result: ResultType::Is(Type::Binary),
        ..Function::ROW
    },
    &Function {
        names: &["assert_true_oom"],
        classes: Classes::since_hive3("udf.generic.GenericUDFAssertTrueOOM"),
        volatility: Volatility::Volatile,
        ..Function::ROW
    },
    &Function {
        names: &["bucket_number"],
        classes: Classes::since_hive4("udf.generic.GenericUDFBucketNumber"),
        volatility: Volatility::Volatile,
        ..Function::ROW
    },
    &Function {
        names: &["buildversion"],
        classes: Classes::since_hive4("udf.UDFBuildVersion"),
        volatility: Volatility::Query,
        ..Function::ROW
    },
    &Function {
        names: &["cardinality_violation"],
        classes: Classes::all("udf.generic.GenericUDFCardinalityViolation"),
        volatility: Volatility::Volatile,
        ..Function::ROW
    },
    &Function {
        names: &["current_authorizer"],
        classes: Classes::since_hive3("udf.generic.GenericUDFCurrentAuthorizer"),
        volatility: Volatility::Query,
        ..Function::ROW
    },
    &Function {
        names: &["current_catalog"],
        classes: Classes::since_hive4("udf.generic.GenericUDFCurrentCatalog"),
        volatility: Volatility::Query,
        ..Function::ROW
    },
    &Function {
        names: &["current_database"],
        classes: Classes([
            Some("udf.generic.UDFCurrentDB"),
            Some("udf.generic.UDFCurrentDB"),
            Some("udf.generic.GenericUDFCurrentDatabase"),
        ]),
        volatility: Volatility::Query,
        ..Function::ROW
    },
    &Function {
        names: &["current_groups"],
        classes: Classes::since_hive3("udf.generic.GenericUDFCurrentGroups"),
        volatility: Volatility::Query,
        ..Function::ROW
    },
    &Function {
        names: &["current_schema"],
        classes: Classes::since_hive4("udf.generic.GenericUDFCurrentSchema"),
        volatility: Volatility::Query,
        ..Function::ROW
    },
    &Function {
        names: &["current_user"],
        classes: Classes::all("udf.generic.GenericUDFCurrentUser"),
        volatility: Volatility::Query,
        ..Function::ROW
    },
    &Function::row(&["deserialize"], Classes::since_hive4("udf.generic.GenericUDFDeserialize")),
    &Function {
        names: &["enforce_constraint"],
        classes: Classes::since_hive3("udf.generic.GenericUDFEnforceConstraint"),
        volatility: Volatility::Volatile,
        ..Function::ROW
    },
    &Function::row(&["ewah_bitmap_and"], Classes([Some("udf.generic.GenericUDFEWAHBitmapAnd"), None, None])),
    &Function::row(
        &["ewah_bitmap_empty"],
        Classes([Some("udf.generic.GenericUDFEWAHBitmapEmpty"), None, None]),
    ),
    &Function::row(&["ewah_bitmap_or"], Classes([Some("udf.generic.GenericUDFEWAHBitmapOr"), None, None])),
    &Function {
        names: &["exception_in_vertex_udf"],
        classes: Classes::since_hive4("udf.generic.GenericUDFExceptionInVertex"),
        volatility: Volatility::Volatile,
        ..Function::ROW
    },
    &Function::row(&["grouping"], Classes::all("udf.generic.GenericUDFGrouping")),
    &Function::row(&["in_bloom_filter"], Classes::all("udf.generic.GenericUDFInBloomFilter")),
    &Function {
        names: &["in_file"],
        classes: Classes::all("udf.generic.GenericUDFInFile"),
        volatility: Volatility::Volatile,
        ..Function::ROW
    },
    &Function {
        names: &["java_method", "reflect"],
        classes: Classes::all("udf.generic.GenericUDFReflect"),
        result: ResultType::Is(Type::String),
        volatility: Volatility::Volatile,
        ..Function::ROW
    },
    &Function::row(&["json_read"], Classes::since_hive4("udf.generic.GenericUDFJsonRead")),
    &Function {
        names: &["logged_in_user"],
        classes: Classes::all("udf.generic.GenericUDFLoggedInUser"),
        volatility: Volatility::Query,
        ..Function::ROW
    },
    &Function::row(
        &["ndv_compute_bit_vector"],
        Classes::since_hive4("udf.generic.GenericUDFNDVComputeBitVector"),
    ),
    &Function {
        names: &["reflect2"],
        classes: Classes::all("udf.generic.GenericUDFReflect2"),
        volatility: Volatility::Volatile,
        ..Function::ROW
    },
    &Function {
        names: &["restrict_information_schema"],
        classes: Classes::since_hive3("udf.generic.GenericUDFRestrictInformationSchema"),
        volatility: Volatility::Query,
        ..Function::ROW
    },
    &Function::row(&["split_map_privs"], Classes::since_hive4("udf.generic.GenericUDFStringToPrivilege")),
    &Function {
        names: &["sq_count_check"],
        classes: Classes::all("udf.generic.GenericUDFSQCountCheck"),
        volatility: Volatility::Volatile,
        ..Function::ROW
    },
    &Function {
        names: &["surrogate_key"],
        classes: Classes::since_hive4("udf.generic.GenericUDFSurrogateKey"),
        volatility: Volatility::Volatile,
        ..Function::ROW
    },
    &Function::row(&["typeof"], Classes::since_hive4("udf.generic.GenericUDFTypeOf")),
    &Function {
        names: &["uuid"],
        classes: Classes::all("udf.UDFUUID"),
        result: ResultType::Is(Type::String),
        volatility: Volatility::Volatile,
        ..Function::ROW
    },
    &Function {
        names: &["validate_acid_sort_order"],
        classes: Classes::since_hive4("udf.generic.GenericUDFValidateAcidSortOrder"),
        volatility: Volatility::Volatile,
        ..Function::ROW
    },
    &Function {
        names: &["version"],
        classes: Classes::all("udf.UDFVersion"),
        volatility: Volatility::Query,
        ..Function::ROW
    },
    &Function::row(&["xpath"], Classes::all("udf.xml.GenericUDFXPath")),
    &Function::row(&["xpath_boolean"], Classes::all("udf.xml.UDFXPathBoolean")),
    &Function::row(&["xpath_double", "xpath_number"], Classes::all("udf.xml.UDFXPathDouble")),
    &Function::row(&["xpath_float"], Classes::all("udf.xml.UDFXPathFloat")),
    &Function::row(&["xpath_int"], Classes::all("udf.xml.UDFXPathInteger")),
    &Function::row(&["xpath_long"], Classes::all("udf.xml.UDFXPathLong")),
    &Function::row(&["xpath_short"], Classes::all("udf.xml.UDFXPathShort")),
    &Function::row(&["xpath_string"], Classes::all("udf.xml.UDFXPathString")),
];
