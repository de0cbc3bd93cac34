//! The rows of both sides in one relation, and their hash.

use crate::hive::query::{InTarget, Query as PlannedQuery, default_if_unnamed};
use crate::hive::text::table_name;
use crate::refusal::Refusal;
use crate::schema::model::{TargetTable, TargetValue};
use crate::warning::Warning;
use saltplan_sql::ast::{BinaryOperator, Expr, Type};
use saltplan_sql::build::Case;
use saltplan_sql::functions::{COALESCE, CONCAT_WS, CONV, HASH, HEX, MD5};
use saltplan_sql::hive_type::{DeclaredType, HiveType};
use saltplan_sql::statement::{Identifier, Item, Query, Relation, Select, Statement};
use std::sync::Arc;

/// Hex digits of a row's MD5 that are summed up: 60 bits, which `conv` reads as a positive number in every Hive.
const HASHED_DIGITS: usize = 15;

/// Holds the sum of 10^19 hashes of 60 bits. Hive's sum of a decimal has ten digits more than its argument, and 38 at most.
pub(super) const CHECKSUM: Type = Type::Decimal { precision: 38, scale: 0 };

/// Stands for NULL. No text of a value is the same: those of texts and bytes are hex digits, and no number, date or truth value
/// is a single sign.
const NULL_MARK: &str = "-";

/// A column of the target.
pub(super) struct RowColumn {
    pub name: String,
    pub hive_type: HiveType,
}

/// The rows of HBase and of the target, with the same columns.
pub(super) struct Rows {
    pub columns: Vec<RowColumn>,
    source: Query,
    target: Select,
}

impl Rows {
    /// `replaced` are the partitions of the target that are compared.
    pub fn new(target: &TargetTable, read: &PlannedQuery, replaced: InTarget) -> Result<Self, Refusal> {
        let own = target.columns.iter().map(|column| {
            let of_expression = || match &column.value {
                TargetValue::Expression(expression) => expression.cast_type().map(HiveType::Primitive),
                _ => None,
            };
            let declared = column.hive_type.as_ref().map(DeclaredType::hive_type).cloned();
            let hive_type = declared.or_else(of_expression);
            let hive_type = hive_type.ok_or_else(|| Refusal::UnknownType { column: column.name.clone() })?;
            Ok(RowColumn { name: column.name.clone(), hive_type })
        });
        let partition = target.partition.iter().map(|column| {
            Ok(RowColumn { name: column.name.clone(), hive_type: column.hive_type.hive_type().clone() })
        });
        let columns = own.chain(partition).collect::<Result<Vec<_>, Refusal>>()?;
        let source = read.statements.iter().find_map(|statement| match statement {
            Statement::Query(query) => Some(query.clone()),
            _ => None,
        });
        let source = source.ok_or(Refusal::NoMapping)?;
        let mut rows = Rows {
            columns,
            source,
            target: Select::new([Item::All], Relation::Table(table_name(&target.table))),
        };
        let InTarget { conditions, unnamed } = replaced;
        rows.target = Select {
            items: rows.items(0, &unnamed),
            conditions: conditions.into_iter().map(Arc::new).collect(),
            ..rows.target
        };
        Ok(rows)
    }

    /// A name that no column has.
    pub fn free_name(&self, name: &str) -> Identifier {
        let mut name = name.to_string();
        while self.columns.iter().any(|column| column.name.eq_ignore_ascii_case(&name)) {
            name.push('_');
        }
        Identifier::new(name)
    }

    /// The column that is 1 for a row of HBase and 0 for one of the target.
    pub fn in_hbase(&self) -> Identifier {
        self.free_name("in_hbase")
    }

    /// The columns, and which side the rows are of. Hive shows rows without a name of a partition, `unnamed`, as NULL or as the name that
    /// it gives them.
    fn items(&self, in_hbase: usize, unnamed: &[String]) -> Arc<[Item]> {
        let columns = self.columns.iter().map(|column| {
            let own = Expr::column(&column.name);
            match unnamed.contains(&column.name) {
                true => Item::named(default_if_unnamed(&own), &column.name),
                false => Item::plain(own),
            }
        });
        columns.chain([Item::named(in_hbase.into(), self.in_hbase().0)]).collect()
    }

    /// The rows of both sides.
    pub fn both(&self) -> Query {
        let source = Select::new(self.items(1, &[]), Relation::query(self.source.clone(), "hbase_rows"));
        Query::UnionAll(vec![source, self.target.clone()])
    }

    /// The MD5 of the texts of all columns. Two rows have the same only if all their values are the same: of texts and bytes each
    /// byte, of a float or double all bits but those of a NaN and the sign of a zero, of decimals the number, of a time what Hive
    /// shows. Nested values are compared by Hive's `hash`, which has 32 bits.
    pub fn digest(&self) -> Expr {
        let texts = self.columns.iter().map(RowColumn::text);
        let joined = [Expr::text(",")].into_iter().chain(texts);
        Expr::call(&MD5, [Expr::call(&CONCAT_WS, joined)])
    }

    /// The columns of which Hive's `hash` is compared, for a warning.
    pub fn compared_by_hash(&self) -> Option<Warning> {
        let nested = self.columns.iter().filter(|column| column.hive_type.is_nested());
        let columns: Vec<String> = nested.map(|column| column.name.clone()).collect();
        (!columns.is_empty()).then_some(Warning::ComparedByHash { columns })
    }

    /// The part of a row's digest that a checksum adds up.
    pub fn hash(&self) -> Expr {
        let digits = self.digest().substr(1, HASHED_DIGITS);
        Expr::call(&CONV, [digits, 16.into(), 10.into()]).cast(CHECKSUM)
    }
}

impl RowColumn {
    /// The value as a text that is different for each value, and that has no comma.
    fn text(&self) -> Expr {
        let value = Expr::column(&self.name);
        let text = match &self.hive_type {
            HiveType::Primitive(Type::String | Type::Binary) => Expr::call(&HEX, [value]),
            HiveType::Primitive(Type::Varchar(_) | Type::Char(_)) => {
                Expr::call(&HEX, [value.cast(Type::String)])
            }
            HiveType::Primitive(Type::Float | Type::Double) => {
                // Measured on Hive 2.3.9 and 3.1.3: ORC does not give back the sign of every zero.
                let text = value.cast(Type::String);
                let is_negative = text.binary(BinaryOperator::Eq, &Expr::text("-0.0"));
                Case::when(&is_negative, &Expr::text("0.0")).or_else(&text)
            }
            HiveType::Primitive(_) => value.cast(Type::String),
            _ => {
                let hash = Expr::call(&HASH, [value.clone()]).cast(Type::String);
                return Case::when(&value.is_null(), &Expr::text(NULL_MARK)).or_else(&hash);
            }
        };
        Expr::call(&COALESCE, [text, Expr::text(NULL_MARK)])
    }
}
