//! Functions of arrays, maps and structs.

use super::record::{Classes, Function, ResultType};
use crate::ast::Type;

pub static ARRAY: Function = Function {
    result: ResultType::ArrayOfCommon,
    ..Function::row(&["array"], Classes::all("udf.generic.GenericUDFArray"))
};

pub(super) static ALL: &[&Function] = &[
    &ARRAY,
    &Function::row(&["array_append"], Classes::since_hive4("udf.generic.GenericUDFArrayAppend")),
    &Function::row(&["array_compact"], Classes::since_hive4("udf.generic.GenericUDFArrayCompact")),
    &Function::row(&["array_contains"], Classes::all("udf.generic.GenericUDFArrayContains")),
    &Function::row(&["array_distinct"], Classes::since_hive4("udf.generic.GenericUDFArrayDistinct")),
    &Function::row(&["array_except"], Classes::since_hive4("udf.generic.GenericUDFArrayExcept")),
    &Function::row(&["array_intersect"], Classes::since_hive4("udf.generic.GenericUDFArrayIntersect")),
    &Function::row(&["array_join"], Classes::since_hive4("udf.generic.GenericUDFArrayJoin")),
    &Function::row(&["array_max"], Classes::since_hive4("udf.generic.GenericUDFArrayMax")),
    &Function::row(&["array_min"], Classes::since_hive4("udf.generic.GenericUDFArrayMin")),
    &Function::row(&["array_position"], Classes::since_hive4("udf.generic.GenericUDFArrayPosition")),
    &Function::row(&["array_remove"], Classes::since_hive4("udf.generic.GenericUDFArrayRemove")),
    &Function::row(&["array_slice"], Classes::since_hive4("udf.generic.GenericUDFArraySlice")),
    &Function::row(&["array_union"], Classes::since_hive4("udf.generic.GenericUDFArrayUnion")),
    &Function::row(&["create_union"], Classes::all("udf.generic.GenericUDFUnion")),
    &Function::row(&["extract_union"], Classes::all("udf.generic.GenericUDFExtractUnion")),
    &Function::row(&["index"], Classes::all("udf.generic.GenericUDFIndex")),
    &Function {
        result: ResultType::MapOfCommon,
        ..Function::row(&["map"], Classes::all("udf.generic.GenericUDFMap"))
    },
    &Function::row(&["map_keys"], Classes::all("udf.generic.GenericUDFMapKeys")),
    &Function::row(&["map_values"], Classes::all("udf.generic.GenericUDFMapValues")),
    &Function::row(&["named_struct"], Classes::all("udf.generic.GenericUDFNamedStruct")),
    &Function {
        result: ResultType::Is(Type::Int),
        ..Function::row(&["size"], Classes::all("udf.generic.GenericUDFSize"))
    },
    &Function::row(&["sort_array"], Classes::all("udf.generic.GenericUDFSortArray")),
    &Function::row(&["sort_array_by"], Classes::all("udf.generic.GenericUDFSortArrayByField")),
    &Function::row(&["struct"], Classes::all("udf.generic.GenericUDFStruct")),
    &Function::row(&["toarray"], Classes::since_hive4("udf.generic.GenericUDFToArray")),
    &Function::row(&["tomap"], Classes::since_hive4("udf.generic.GenericUDFToMap")),
    &Function::row(&["tostruct"], Classes::since_hive4("udf.generic.GenericUDFToStruct")),
];
