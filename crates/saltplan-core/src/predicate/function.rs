//! Function calls in one shape, however the SQL parser spells them.

use sqlparser::ast::{DateTimeField, Expr, FunctionArg, FunctionArgExpr, FunctionArguments};

/// A call of a plain function: lower-case name and positional arguments.
#[derive(Debug)]
pub struct Call<'a> {
    pub name: String,
    pub arguments: Vec<&'a Expr>,
}

impl<'a> Call<'a> {
    /// `None` for anything but a plain call (`DISTINCT`, windows, named arguments).
    pub fn of(expr: &'a Expr) -> Option<Self> {
        match expr {
            Expr::Function(function) => {
                let plain =
                    function.over.is_none() && function.filter.is_none() && function.within_group.is_empty();
                let FunctionArguments::List(list) = &function.args else { return None };
                if !plain || list.duplicate_treatment.is_some() || !list.clauses.is_empty() {
                    return None;
                }
                let arguments = list.args.iter().map(|argument| match argument {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
                    _ => None,
                });
                Some(Call {
                    name: function.name.to_string().to_lowercase(),
                    arguments: arguments.collect::<Option<Vec<_>>>()?,
                })
            }
            Expr::Substring { expr, substring_from, substring_for, .. } => {
                let rest = [substring_from, substring_for].into_iter().flatten().map(Box::as_ref);
                Some(Call {
                    name: "substr".into(),
                    arguments: std::iter::once(expr.as_ref()).chain(rest).collect(),
                })
            }
            Expr::Extract { field, expr, .. } => {
                let name = match field {
                    DateTimeField::Year => "year",
                    DateTimeField::Month => "month",
                    DateTimeField::Day => "day",
                    _ => return None,
                };
                Some(Call { name: name.into(), arguments: vec![expr] })
            }
            Expr::Floor { expr, .. } => Some(Call { name: "floor".into(), arguments: vec![expr] }),
            _ => None,
        }
    }
}
