//! Small functions on syntax trees: walks and rewrites.

use super::ast::{Expr, Node};
use saltplan_document::diag::Span;

/// Visits an expression and all its parts, outer ones first.
pub fn walk<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expr);
    expr.for_each_part(&mut |part| walk(part, visit));
}

/// Whether the expression or one of its parts satisfies `is_it`.
pub fn has(expr: &Expr, is_it: impl Fn(&Expr) -> bool) -> bool {
    find(expr, is_it).is_some()
}

/// The first part that satisfies `is_it`, outer ones first.
pub fn find(expr: &Expr, is_it: impl Fn(&Expr) -> bool) -> Option<&Expr> {
    let mut found = None;
    walk(expr, &mut |part| found = found.or_else(|| is_it(part).then_some(part)));
    found
}

/// The columns with their places, in the order of the text.
pub fn columns(node: &Node) -> Vec<(&str, Span)> {
    fn gather<'n>(node: &'n Node, columns: &mut Vec<(&'n str, Span)>) {
        if let Expr::Column(column) = &node.expr {
            columns.push((&column.name, node.span));
        }
        node.for_each_part(&mut |part| gather(part, columns));
    }
    let mut columns = Vec::new();
    gather(node, &mut columns);
    columns
}

/// Names of the parameters whose values are known only when the statement runs.
pub fn runtime_names(expr: &Expr) -> Vec<&str> {
    let mut names = Vec::new();
    walk(expr, &mut |part| {
        if let Expr::Runtime(name) = part {
            names.push(name.as_str());
        }
    });
    names
}

/// Whether the expression reads the engine's clock.
pub fn reads_clock(expr: &Expr) -> bool {
    has(expr, |part| matches!(part, Expr::Call(call) if call.is_clock()))
}

/// Replaces each expression for which `with` returns another one, outer ones first. Replacements are not searched.
pub fn replace(node: &mut Node, with: &mut dyn FnMut(&Node) -> Option<Expr>) {
    match with(node) {
        Some(other) => node.expr = other,
        None => node.for_each_part_mut(&mut |part| replace(part, with)),
    }
}
