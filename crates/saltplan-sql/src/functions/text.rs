//! Functions of texts.

use super::evaluation::text;
use super::record::Kind::{Any, Binary, Number, Text, Whole};
use super::record::{Arguments, Classes, Difference, Function, Inverse, Nulls, Operation, Order, ResultType};
use crate::ast::Type;

pub static CONCAT_WS: Function = Function {
    names: &["concat_ws"],
    classes: Classes::all("udf.generic.GenericUDFConcatWS"),
    arguments: Arguments::of(&[Text]).more(Text),
    result: ResultType::Is(Type::String),
    nulls: Nulls::FirstArgument,
    evaluate: Some(text::concat_ws),
    ..Function::ROW
};

pub static CONCAT: Function = Function {
    names: &["concat"],
    classes: Classes::all("udf.generic.GenericUDFConcat"),
    names_with_cast_in_hive4: &["concat"],
    arguments: Arguments::of(&[Text]).more(Text),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    operation: Operation::Concatenate,
    evaluate: Some(text::concat),
    differences: &[Difference { call: "concat('a', TRUE)", values: ["atrue", "aTRUE", "aTRUE"] }],
    ..Function::ROW
};

pub static SUBSTR: Function = Function {
    names: &["substr", "substring"],
    classes: Classes::all("udf.UDFSubstr"),
    names_with_cast_in_hive4: &["substring"],
    arguments: Arguments::of(&[Text, Whole]).then(&[Whole]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    operation: Operation::Substring,
    evaluate: Some(text::substring),
    ..Function::ROW
};

pub static LEFT: Function = Function {
    names: &["left"],
    classes: Classes::NONE,
    arguments: Arguments::of(&[Text, Whole]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    order: Order::Keeps,
    inverse: Inverse::StartsWith,
    operation: Operation::Start,
    evaluate: Some(text::start),
    ..Function::ROW
};

pub static RIGHT: Function = Function {
    names: &["right"],
    classes: Classes::NONE,
    arguments: Arguments::of(&[Text, Whole]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    inverse: Inverse::EndsWith,
    operation: Operation::End,
    ..Function::ROW
};

pub static SUBSTRING_INDEX: Function = Function {
    names: &["substring_index"],
    classes: Classes::all("udf.generic.GenericUDFSubstringIndex"),
    arguments: Arguments::of(&[Text, Text, Whole]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::FirstArgument,
    evaluate: Some(text::substring_index),
    ..Function::ROW
};

pub static REVERSE: Function = Function {
    names: &["reverse"],
    classes: Classes::all("udf.UDFReverse"),
    arguments: Arguments::of(&[Text]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    inverse: Inverse::Itself,
    operation: Operation::Reverse,
    evaluate: Some(text::reverse),
    ..Function::ROW
};

pub static LOWER: Function = Function {
    names: &["lower", "lcase"],
    classes: Classes::all("udf.generic.GenericUDFLower"),
    arguments: Arguments::of(&[Text]),
    result: ResultType::TextOfArgument(0),
    nulls: Nulls::AnyArgument,
    inverse: Inverse::OtherCase,
    operation: Operation::LowerCase,
    evaluate: Some(text::lower),
    ..Function::ROW
};

pub static LPAD: Function = Function {
    names: &["lpad"],
    classes: Classes::all("udf.generic.GenericUDFLpad"),
    arguments: Arguments::of(&[Text, Whole, Text]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    operation: Operation::PadStart,
    evaluate: Some(text::pad_start),
    ..Function::ROW
};

pub static RPAD: Function = Function {
    names: &["rpad"],
    classes: Classes::all("udf.generic.GenericUDFRpad"),
    arguments: Arguments::of(&[Text, Whole, Text]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    evaluate: Some(text::pad_end),
    ..Function::ROW
};

pub static RTRIM: Function = Function {
    names: &["rtrim"],
    classes: Classes::all("udf.generic.GenericUDFRTrim"),
    arguments: Arguments::of(&[Text]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    evaluate: Some(text::trim_end),
    ..Function::ROW
};

pub static LENGTH: Function = Function {
    names: &["length"],
    classes: Classes::all("udf.generic.GenericUDFLength"),
    arguments: Arguments::of(&[Text]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    operation: Operation::Length,
    evaluate: Some(text::length),
    ..Function::ROW
};

pub static OCTET_LENGTH: Function = Function {
    names: &["octet_length"],
    classes: Classes::all("udf.generic.GenericUDFOctetLength"),
    arguments: Arguments::of(&[Text]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    ..Function::ROW
};

pub static INSTR: Function = Function {
    names: &["instr"],
    classes: Classes::all("udf.generic.GenericUDFInstr"),
    arguments: Arguments::of(&[Text, Text]),
    result: ResultType::Is(Type::Int),
    nulls: Nulls::AnyArgument,
    operation: Operation::Find { text: 0, part: 1 },
    evaluate: Some(text::instr),
    ..Function::ROW
};

pub static TRANSLATE: Function = Function {
    names: &["translate"],
    classes: Classes::all("udf.generic.GenericUDFTranslate"),
    arguments: Arguments::of(&[Text, Text, Text]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    evaluate: Some(text::translate),
    ..Function::ROW
};

pub static REGEXP_REPLACE: Function = Function {
    names: &["regexp_replace"],
    classes: Classes::all("udf.UDFRegExpReplace"),
    arguments: Arguments::of(&[Text, Text, Text]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    evaluate: Some(text::regexp_replace),
    ..Function::ROW
};

pub static REGEXP_EXTRACT: Function = Function {
    names: &["regexp_extract"],
    classes: Classes::all("udf.UDFRegExpExtract"),
    arguments: Arguments::of(&[Text, Text]).then(&[Whole]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::FirstArgument,
    ..Function::ROW
};

pub static PRINTF: Function = Function {
    names: &["printf"],
    classes: Classes::all("udf.generic.GenericUDFPrintf"),
    arguments: Arguments::of(&[Text]).more(Any),
    result: ResultType::Is(Type::String),
    ..Function::ROW
};

pub static ENCODE: Function = Function {
    names: &["encode"],
    classes: Classes::all("udf.generic.GenericUDFEncode"),
    arguments: Arguments::of(&[Text, Text]),
    result: ResultType::Is(Type::Binary),
    nulls: Nulls::AnyArgument,
    ..Function::ROW
};

pub static HEX: Function = Function {
    names: &["hex"],
    classes: Classes::all("udf.UDFHex"),
    arguments: Arguments::of(&[Any]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    inverse: Inverse::NamedOfText("unhex"),
    ..Function::ROW
};

pub static UNHEX: Function = Function {
    names: &["unhex"],
    classes: Classes::all("udf.UDFUnhex"),
    arguments: Arguments::of(&[Text]),
    result: ResultType::Is(Type::Binary),
    nulls: Nulls::AnyArgument,
    ..Function::ROW
};

pub static LIKEANY: Function = Function {
    names: &["likeany"],
    classes: Classes::since_hive3("udf.generic.GenericUDFLikeAny"),
    arguments: Arguments::of(&[Text, Text]).more(Text),
    result: ResultType::Is(Type::Boolean),
    nulls: Nulls::FirstArgument,
    operation: Operation::LikeList { all: false },
    ..Function::ROW
};

pub static LIKEALL: Function = Function {
    names: &["likeall"],
    classes: Classes::since_hive3("udf.generic.GenericUDFLikeAll"),
    arguments: Arguments::of(&[Text, Text]).more(Text),
    result: ResultType::Is(Type::Boolean),
    nulls: Nulls::FirstArgument,
    operation: Operation::LikeList { all: true },
    ..Function::ROW
};

pub static TRIM: Function = Function {
    names: &["trim"],
    classes: Classes::all("udf.generic.GenericUDFTrim"),
    arguments: Arguments::of(&[Text]),
    result: ResultType::Is(Type::String),
    nulls: Nulls::AnyArgument,
    evaluate: Some(text::trim),
    ..Function::ROW
};

pub static SPLIT: Function = Function {
    names: &["split"],
    classes: Classes::all("udf.generic.GenericUDFSplit"),
    arguments: Arguments::of(&[Text, Text]),
    result: ResultType::ArrayOf(Type::String),
    nulls: Nulls::AnyArgument,
    ..Function::ROW
};

pub(super) static ALL: &[&Function] = &[
    &CONCAT,
    &CONCAT_WS,
    &SUBSTR,
    &LEFT,
    &RIGHT,
    &SUBSTRING_INDEX,
    &REVERSE,
    &LOWER,
    &Function {
        names: &["upper", "ucase"],
        classes: Classes::all("udf.generic.GenericUDFUpper"),
        arguments: Arguments::of(&[Text]),
        result: ResultType::TextOfArgument(0),
        nulls: Nulls::AnyArgument,
        inverse: Inverse::OtherCase,
        evaluate: Some(text::upper),
        ..Function::ROW
    },
    &Function {
        names: &["initcap"],
        classes: Classes::all("udf.generic.GenericUDFInitCap"),
        arguments: Arguments::of(&[Text]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &LPAD,
    &RPAD,
    &TRIM,
    &Function {
        names: &["ltrim"],
        classes: Classes::all("udf.generic.GenericUDFLTrim"),
        arguments: Arguments::of(&[Text]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        evaluate: Some(text::trim_start),
        ..Function::ROW
    },
    &RTRIM,
    &LENGTH,
    &Function {
        names: &["char_length", "character_length"],
        classes: Classes::all("udf.generic.GenericUDFCharacterLength"),
        arguments: Arguments::of(&[Text]),
        result: ResultType::Is(Type::Int),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &OCTET_LENGTH,
    &INSTR,
    &Function {
        names: &["locate"],
        classes: Classes::all("udf.generic.GenericUDFLocate"),
        arguments: Arguments::of(&[Text, Text]).then(&[Whole]),
        result: ResultType::Is(Type::Int),
        nulls: Nulls::FirstArgument,
        operation: Operation::Find { text: 1, part: 0 },
        ..Function::ROW
    },
    &Function {
        names: &["find_in_set"],
        classes: Classes::all("udf.UDFFindInSet"),
        arguments: Arguments::of(&[Text, Text]),
        result: ResultType::Is(Type::Int),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["field"],
        classes: Classes::all("udf.generic.GenericUDFField"),
        arguments: Arguments::of(&[Text, Text]).more(Text),
        result: ResultType::Is(Type::Int),
        ..Function::ROW
    },
    &Function {
        names: &["elt"],
        classes: Classes::all("udf.generic.GenericUDFElt"),
        arguments: Arguments::of(&[Whole, Text]).more(Text),
        result: ResultType::Is(Type::String),
        nulls: Nulls::FirstArgument,
        ..Function::ROW
    },
    &Function {
        names: &["repeat"],
        classes: Classes::all("udf.UDFRepeat"),
        arguments: Arguments::of(&[Text, Whole]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        evaluate: Some(text::repeat),
        ..Function::ROW
    },
    &Function {
        names: &["replace"],
        classes: Classes::all("udf.UDFReplace"),
        arguments: Arguments::of(&[Text, Text, Text]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        evaluate: Some(text::replace),
        ..Function::ROW
    },
    &TRANSLATE,
    &REGEXP_REPLACE,
    &REGEXP_EXTRACT,
    &SPLIT,
    &Function {
        names: &["ascii"],
        classes: Classes::all("udf.UDFAscii"),
        arguments: Arguments::of(&[Text]),
        result: ResultType::Is(Type::Int),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["chr"],
        classes: Classes::all("udf.UDFChr"),
        arguments: Arguments::of(&[Number]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["levenshtein"],
        classes: Classes::all("udf.generic.GenericUDFLevenshtein"),
        arguments: Arguments::of(&[Text, Text]),
        result: ResultType::Is(Type::Int),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["soundex"],
        classes: Classes::all("udf.generic.GenericUDFSoundex"),
        arguments: Arguments::of(&[Text]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["space"],
        classes: Classes::all("udf.UDFSpace"),
        arguments: Arguments::of(&[Whole]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &PRINTF,
    &Function {
        names: &["format_number"],
        classes: Classes::all("udf.generic.GenericUDFFormatNumber"),
        arguments: Arguments::of(&[Number, Any]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["sentences"],
        classes: Classes::all("udf.generic.GenericUDFSentences"),
        arguments: Arguments::of(&[Text]).then(&[Text, Text]),
        ..Function::ROW
    },
    &Function {
        names: &["str_to_map"],
        classes: Classes::all("udf.generic.GenericUDFStringToMap"),
        arguments: Arguments::of(&[Text]).then(&[Text, Text]),
        result: ResultType::MapOf(Type::String, Type::String),
        ..Function::ROW
    },
    &ENCODE,
    &Function {
        names: &["decode"],
        classes: Classes::all("udf.generic.GenericUDFDecode"),
        arguments: Arguments::of(&[Binary, Text]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["base64"],
        classes: Classes::all("udf.UDFBase64"),
        arguments: Arguments::of(&[Binary]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        inverse: Inverse::Named("unbase64"),
        ..Function::ROW
    },
    &Function {
        names: &["unbase64"],
        classes: Classes::all("udf.UDFUnbase64"),
        arguments: Arguments::of(&[Text]),
        result: ResultType::Is(Type::Binary),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &HEX,
    &UNHEX,
    &LIKEANY,
    &LIKEALL,
    &Function {
        names: &["quote"],
        classes: Classes::since_hive4("udf.generic.GenericUDFQuote"),
        arguments: Arguments::of(&[Text]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function {
        names: &["parse_url"],
        classes: Classes::all("udf.UDFParseUrl"),
        arguments: Arguments::of(&[Text, Text]).then(&[Text]),
        result: ResultType::Is(Type::String),
        nulls: Nulls::AnyArgument,
        ..Function::ROW
    },
    &Function::row(&["mask"], Classes::all("udf.generic.GenericUDFMask")),
    &Function::row(&["mask_first_n"], Classes::all("udf.generic.GenericUDFMaskFirstN")),
    &Function::row(&["mask_hash"], Classes::all("udf.generic.GenericUDFMaskHash")),
    &Function::row(&["mask_last_n"], Classes::all("udf.generic.GenericUDFMaskLastN")),
    &Function::row(&["mask_show_first_n"], Classes::all("udf.generic.GenericUDFMaskShowFirstN")),
    &Function::row(&["mask_show_last_n"], Classes::all("udf.generic.GenericUDFMaskShowLastN")),
    &Function::row(&["mid"], Classes::since_hive4("udf.UDFSubstr")),
    &Function::row(&["position"], Classes::since_hive4("udf.generic.GenericUDFLocate")),
];
