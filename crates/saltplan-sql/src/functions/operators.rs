//! Operators, which Hive registers as functions. No call has their names.

use super::record::{Classes, Function};

pub(super) static ALL: &[&Function] = &[
    &Function::row(&["!", "not"], Classes::all("udf.generic.GenericUDFOPNot")),
    &Function::row(&["!=", "<>"], Classes::all("udf.generic.GenericUDFOPNotEqual")),
    &Function::row(&["%"], Classes::all("udf.generic.GenericUDFOPMod")),
    &Function::row(&["&"], Classes::all("udf.UDFOPBitAnd")),
    &Function::row(&["*"], Classes::all("udf.generic.GenericUDFOPMultiply")),
    &Function::row(&["+"], Classes::all("udf.generic.GenericUDFOPPlus")),
    &Function::row(&["-"], Classes::all("udf.generic.GenericUDFOPMinus")),
    &Function::row(&["/"], Classes::all("udf.generic.GenericUDFOPDivide")),
    &Function::row(&["<"], Classes::all("udf.generic.GenericUDFOPLessThan")),
    &Function::row(&["<="], Classes::all("udf.generic.GenericUDFOPEqualOrLessThan")),
    &Function::row(&["<=>"], Classes::all("udf.generic.GenericUDFOPEqualNS")),
    &Function::row(&["=", "=="], Classes::all("udf.generic.GenericUDFOPEqual")),
    &Function::row(&[">"], Classes::all("udf.generic.GenericUDFOPGreaterThan")),
    &Function::row(&[">="], Classes::all("udf.generic.GenericUDFOPEqualOrGreaterThan")),
    &Function::row(&["^"], Classes::all("udf.UDFOPBitXor")),
    &Function::row(&["and"], Classes::all("udf.generic.GenericUDFOPAnd")),
    &Function::row(&["between"], Classes::all("udf.generic.GenericUDFBetween")),
    &Function::row(
        &["case"],
        Classes([Some("udf.generic.GenericUDFCase"), Some("udf.generic.GenericUDFCase"), None]),
    ),
    &Function::row(&["div"], Classes::all("udf.UDFOPLongDivide")),
    &Function::row(&["in"], Classes::all("udf.generic.GenericUDFIn")),
    &Function::row(&["is_not_distinct_from"], Classes::since_hive4("udf.generic.GenericUDFOPEqualNS")),
    &Function::row(&["like"], Classes::all("udf.UDFLike")),
    &Function::row(&["or"], Classes::all("udf.generic.GenericUDFOPOr")),
    &Function::row(&["regexp", "rlike"], Classes::all("udf.generic.GenericUDFRegExp")),
    &Function::row(&["when"], Classes::all("udf.generic.GenericUDFWhen")),
    &Function::row(&["|"], Classes::all("udf.UDFOPBitOr")),
    &Function::row(&["~"], Classes::all("udf.UDFOPBitNot")),
];
