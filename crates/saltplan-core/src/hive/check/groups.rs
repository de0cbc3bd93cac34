//! Both sides counted by group, and what a difference means.

use super::count_of_rows;
use super::rows::Rows;
use super::salt::By;
use saltplan_sql::ast::{BinaryOperator, Expr, Type};
use saltplan_sql::build::Case;
use saltplan_sql::functions::{ASSERT_TRUE, COALESCE, CONCAT, MAX, SUM};
use saltplan_sql::statement::{Identifier, Item, Query, Relation, Select};

/// The columns of the result behind that of the group.
const MEANING: &str = "meaning";
const HBASE_ROWS: &str = "hbase_rows";
const TARGET_ROWS: &str = "target_rows";
const HBASE_CHECKSUM: &str = "hbase_checksum";
const TARGET_CHECKSUM: &str = "target_checksum";

/// The words with which a meaning begins, before a colon.
pub const MEANINGS: [&str; 6] = ["missing", "foreign", "repeated", "fewer", "more", "values"];

/// Columns of the queries inside.
const IN_HBASE: &str = "in_hbase";
const ROW_HASH: &str = "row_hash";

const OWN_COLUMNS: [&str; 7] =
    [MEANING, HBASE_ROWS, TARGET_ROWS, HBASE_CHECKSUM, TARGET_CHECKSUM, IN_HBASE, ROW_HASH];

pub(super) struct Groups<'a> {
    pub rows: &'a Rows,
    /// `None` if all rows are one group.
    pub by: Option<By>,
}

impl Groups<'_> {
    /// A row for each group that differs.
    pub fn differing(&self) -> Query {
        let counts = [HBASE_ROWS, TARGET_ROWS, HBASE_CHECKSUM, TARGET_CHECKSUM].map(Identifier::new);
        let shown = self.name().into_iter().chain([Identifier::new(MEANING)]).chain(counts);
        let items: Vec<Item> = shown.map(|name| Item::plain(name.column())).collect();
        let select = self.differences(items);
        Select { order_by: self.name().map(|name| name.column()), ..select }.into()
    }

    /// Fails if a group differs.
    pub fn none_differs(&self) -> Query {
        let count = Item::named(count_of_rows(), "differing");
        let counted = Select::new(
            [count],
            Relation::query(self.differences(vec![Item::plain(Expr::column(MEANING))]), "differences"),
        );
        let none = Expr::column("differing").binary(BinaryOperator::Eq, &0.into());
        let assertion = Item::plain(Expr::call(&ASSERT_TRUE, [none]));
        Select::new([assertion], Relation::query(counted, "counted")).into()
    }

    /// The column of the group, under a name that no other column of the result has.
    fn name(&self) -> Option<Identifier> {
        let mut name = self.by.as_ref()?.name.0.clone();
        while OWN_COLUMNS.iter().any(|own| own.eq_ignore_ascii_case(&name)) {
            name.push('_');
        }
        Some(Identifier::new(name))
    }

    fn differences(&self, items: Vec<Item>) -> Select {
        let meant = Select::new(
            [Item::All, Item::named(meaning(), MEANING)],
            Relation::query(self.counted(), "counted_rows"),
        );
        Select::new(items, Relation::query(meant, "groups"))
            .in_lines()
            .filtered(Expr::column(MEANING).is_not_null())
    }

    /// Rows and checksums of both sides by group.
    fn counted(&self) -> Select {
        let in_hbase = Expr::column(IN_HBASE);
        let of_side = |side: usize, name: &str| {
            let is_of_side = in_hbase.binary(BinaryOperator::Eq, &side.into());
            let sum = Expr::call(&SUM, [Case::when(&is_of_side, &Expr::column(ROW_HASH)).or_null()]);
            Item::named(Expr::call(&COALESCE, [sum, 0.into()]), name)
        };
        let name = self.name();
        let counts = counts_of_sides(&in_hbase);
        let checksums = [of_side(1, HBASE_CHECKSUM), of_side(0, TARGET_CHECKSUM)];
        let items: Vec<Item> =
            name.iter().map(|name| Item::plain(name.column())).chain(counts).chain(checksums).collect();
        let group = name.zip(self.by.as_ref()).map(|(name, by)| Item::named(by.value.clone(), name.0));
        let side = Item::named(self.rows.in_hbase().column(), IN_HBASE);
        let hashed: Vec<Item> =
            group.into_iter().chain([side, Item::named(self.rows.hash(), ROW_HASH)]).collect();
        let hashed = Select::new(hashed, self.with_stored()).in_lines();
        let select = Select::new(items, Relation::query(hashed, "hashed_rows")).in_lines();
        Select { group_by: self.name().map(|name| name.column()), ..select }
    }

    /// The rows of both sides, with the stored texts that the salt is computed from.
    fn with_stored(&self) -> Relation {
        let both = Relation::query(self.rows.both(), "both_sides");
        match self.by.as_ref().map(|by| by.stored.as_slice()) {
            None | Some([]) => both,
            Some(stored) => {
                let items: Vec<Item> = [Item::All].into_iter().chain(stored.iter().cloned()).collect();
                Relation::query(Select::new(items, both), "stored_rows")
            }
        }
    }

    /// At most so many rows that one side has more often than the other, with how often each side has them.
    pub fn rows_that_differ(&self, most: u32) -> Query {
        let rows = self.rows;
        let [hbase, target, digest] =
            [HBASE_ROWS, TARGET_ROWS, "row_digest"].map(|name| rows.free_name(name));
        let shown: Vec<_> = rows.columns.iter().filter(|column| !column.hive_type.is_nested()).collect();
        let in_hbase = rows.in_hbase().column();
        let [of_hbase, of_target] = counts_of_sides(&in_hbase);
        let named = |item: Item, name: &Identifier| match item {
            Item::Value { value, .. } => Item::Value { value, name: Some(name.clone()) },
            item => item,
        };
        // All rows of a group have the same value.
        let values = shown
            .iter()
            .map(|column| Item::named(Expr::call(&MAX, [Expr::column(&column.name)]), &column.name));
        let items: Vec<Item> =
            [named(of_hbase, &hbase), named(of_target, &target)].into_iter().chain(values).collect();
        let digests: Vec<Item> = [Item::All, Item::named(rows.digest(), &digest.0)].into();
        let digests = Select::new(digests, Relation::query(rows.both(), "both_sides"));
        let counted = Select::new(items, Relation::query(digests, "digested_rows")).in_lines();
        let counted = Select { group_by: Some(digest.column()), ..counted };
        let differs = hbase.column().binary(BinaryOperator::NotEq, &target.column());
        let names = [&hbase, &target].into_iter().cloned();
        let names = names.chain(shown.iter().map(|column| Identifier::new(&column.name)));
        let items: Vec<Item> = names.map(|name| Item::plain(name.column())).collect();
        let select =
            Select::new(items, Relation::query(counted, "counted_rows")).in_lines().filtered(differs);
        Select { limit: Some(most), ..select }.into()
    }
}

/// The number of rows of HBase, and of the target.
fn counts_of_sides(in_hbase: &Expr) -> [Item; 2] {
    let sum = |of: Expr| Expr::call(&COALESCE, [Expr::call(&SUM, [of]), 0.into()]);
    let in_target = Expr::number(1).binary(BinaryOperator::Minus, in_hbase);
    [Item::named(sum(in_hbase.clone()), HBASE_ROWS), Item::named(sum(in_target), TARGET_ROWS)]
}

/// What the counts and checksums of a group mean; NULL if both sides are the same.
fn meaning() -> Expr {
    let [hbase, target] = [HBASE_ROWS, TARGET_ROWS].map(Expr::column);
    let [of_hbase, of_target] = [HBASE_CHECKSUM, TARGET_CHECKSUM].map(Expr::column);
    let is = |left: &Expr, op: BinaryOperator, right: &Expr| left.binary(op, right);
    // Not `DIV`, which fails for 0. The quotient is exact where it is used.
    let times = target.binary(BinaryOperator::Divide, &hbase).cast(Type::BigInt);
    let repeated = Expr::all(vec![
        is(&target, BinaryOperator::Gt, &hbase),
        is(&target.binary(BinaryOperator::Modulo, &hbase), BinaryOperator::Eq, &0.into()),
        is(&of_target, BinaryOperator::Eq, &of_hbase.binary(BinaryOperator::Multiply, &times)),
    ]);
    let count = times.cast(Type::String);
    let repeatedly =
        Expr::call(&CONCAT, [Expr::text("repeated: the target has each row "), count, Expr::text(" times")]);
    // Without an ELSE, sides that agree have no meaning.
    Case::when(
        &Expr::all(vec![
            is(&target, BinaryOperator::Eq, &0.into()),
            is(&hbase, BinaryOperator::Gt, &0.into()),
        ]),
        &Expr::text("missing: the target has none of the rows"),
    )
    .or_when(
        &Expr::all(vec![
            is(&hbase, BinaryOperator::Eq, &0.into()),
            is(&target, BinaryOperator::Gt, &0.into()),
        ]),
        &Expr::text("foreign: HBase has none of the rows"),
    )
    .or_when(&repeated, &repeatedly)
    .or_when(&is(&target, BinaryOperator::Lt, &hbase), &Expr::text("fewer: the target lacks rows"))
    .or_when(&is(&target, BinaryOperator::Gt, &hbase), &Expr::text("more: the target has more rows"))
    .or_when(
        &is(&of_target, BinaryOperator::NotEq, &of_hbase),
        &Expr::text("values: as many rows, with other values"),
    )
    .or_null()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_meaning_begins_with_its_word() {
        let printed = meaning().to_string();
        let words: Vec<&str> =
            printed.split('\'').filter_map(|text| text.split_once(": ")).map(|(word, _)| word).collect();
        assert_eq!(words, MEANINGS);
    }
}
