//! Both sides counted by group, and what a difference means.

use super::count_of_rows;
use super::rows::{CHECKSUM, Rows};
use super::salt::{By, Expected};
use saltplan_sql::ast::{BinaryOperator, Call, CallForm, Expr, Type};
use saltplan_sql::build::Case;
use saltplan_sql::functions::{ARRAY, ASSERT_TRUE, COALESCE, CONCAT, COUNT, EXPLODE, MAX, SUM};
use saltplan_sql::statement::{Identifier, Item, Query, Relation, Select};

/// The columns of the result behind that of the group.
const MEANING: &str = "meaning";
const HBASE_ROWS: &str = "hbase_rows";
const TARGET_ROWS: &str = "target_rows";
const HBASE_CHECKSUM: &str = "hbase_checksum";
const TARGET_CHECKSUM: &str = "target_checksum";

/// The words with which a meaning begins, before a colon.
pub const MEANINGS: [&str; 7] = ["missing", "foreign", "repeated", "fewer", "more", "values", "empty"];

/// Columns of the queries inside.
const IN_HBASE: &str = "in_hbase";
const ROW_HASH: &str = "row_hash";
const INPUT: &str = "input";
const INPUTS: &str = "inputs";
const ALL_INPUTS: &str = "all_inputs";

const OWN_COLUMNS: [&str; 10] = [
    MEANING,
    HBASE_ROWS,
    TARGET_ROWS,
    HBASE_CHECKSUM,
    TARGET_CHECKSUM,
    IN_HBASE,
    ROW_HASH,
    INPUT,
    INPUTS,
    ALL_INPUTS,
];

/// The inputs for each group from which on a group without a row is named. If a group gets half of an even share, which a remainder of
/// a hash may do, one of 4,096 groups has none by chance once in ten million times.
const EXPECTED_INPUTS: usize = 50;

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
        let mut counted = self.counted();
        let mut meaning = meaning();
        if let Some(expected) = self.expected() {
            let all = Item::Window {
                function: Expr::call(&SUM, [Expr::column(INPUTS)]),
                order_by: None,
                name: Identifier::new(ALL_INPUTS),
            };
            counted = Select::new([Item::All, all], Relation::query(counted, "counted_groups"));
            let least = EXPECTED_INPUTS * expected.groups.len();
            meaning = meaning.or_when(&is_empty(least), &Expr::text("empty: neither side has a row"));
        }
        let meant = Select::new(
            [Item::All, Item::named(meaning.or_null(), MEANING)],
            Relation::query(counted, "counted_rows"),
        );
        Select::new(items, Relation::query(meant, "groups"))
            .in_lines()
            .filtered(Expr::column(MEANING).is_not_null())
    }

    fn expected(&self) -> Option<&Expected> {
        self.by.as_ref()?.expected.as_ref()
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
        let inputs = self.expected().map(|_| {
            let is_of_hbase = in_hbase.binary(BinaryOperator::Eq, &1.into());
            let different = vec![Case::when(&is_of_hbase, &Expr::column(INPUT)).or_null().into()];
            Item::named(Expr::Opaque(Call::in_form(&COUNT, different, CallForm::Distinct)), INPUTS)
        });
        let groups = name.iter().map(|name| Item::plain(name.column()));
        let items: Vec<Item> = groups.chain(counts).chain(checksums).chain(inputs).collect();
        let select = Select::new(items, Relation::query(self.hashed(), "hashed_rows")).in_lines();
        Select { group_by: name.map(|name| name.column()), ..select }
    }

    /// The group, side and hash of each row. Each group that is expected has one row more, which is of neither side.
    fn hashed(&self) -> Query {
        let name = self.name();
        let group = name.iter().zip(&self.by).map(|(name, by)| Item::named(by.value.clone(), &name.0));
        let side = Item::named(self.rows.in_hbase().column(), IN_HBASE);
        let hash = Item::named(self.rows.hash(), ROW_HASH);
        let input = self.expected().map(|expected| Item::named(expected.input.clone(), INPUT));
        let items: Vec<Item> = group.chain([side, hash]).chain(input).collect();
        let of_rows = Select::new(items, self.with_stored()).in_lines();
        let (Some(name), Some(expected)) = (name, self.expected()) else { return of_rows.into() };
        let all = Expr::call(&ARRAY, expected.groups.iter().map(Expr::text));
        let all = Select::new([Item::named(Expr::call(&EXPLODE, [all]), &name.0)], Relation::Nothing);
        let none = |of: Type, name: &str| Item::named(Expr::null().cast(of), name);
        let items = [
            Item::plain(name.column()),
            none(Type::Int, IN_HBASE),
            none(CHECKSUM, ROW_HASH),
            none(Type::String, INPUT),
        ];
        let of_groups = Select::new(items, Relation::query(all, "expected_groups"));
        Query::UnionAll(vec![of_rows, of_groups])
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

/// Whether neither side has a row of the group although HBase has at least `least` inputs in all.
fn is_empty(least: usize) -> Expr {
    let has_none = |name: &str| Expr::column(name).binary(BinaryOperator::Eq, &0.into());
    let has_many = Expr::column(ALL_INPUTS).binary(BinaryOperator::GtEq, &least.into());
    Expr::all(vec![has_none(HBASE_ROWS), has_none(TARGET_ROWS), has_many])
}

/// What the counts and checksums of a group mean. There is no arm for sides that are the same.
fn meaning() -> Case {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_meaning_begins_with_its_word() {
        let printed = meaning().or_null().to_string();
        let words: Vec<&str> =
            printed.split('\'').filter_map(|text| text.split_once(": ")).map(|(word, _)| word).collect();
        // Where groups are expected, there is one more.
        assert_eq!(words, MEANINGS[..6]);
    }
}
