//! The partition that an INSERT OVERWRITE replaces.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::asked::Asked;
use super::cells::{MAX_PARTITIONS, cells, fields_of, unit_of};
use super::insert::{Extent, PartitionText};
use super::select::{ColumnContext, clock};
use crate::analyze::runtime::RuntimeCondition;
use crate::hive::filled_in;
use crate::hive::instant::Clock;
use crate::hive::not_in_hive::NotInHive;
use crate::key::field::{FieldId, FieldKind};
use crate::refusal::Refusal;
use crate::schema::conversion::{DEFAULT_PARTITION, TypeUse};
use crate::schema::model::{PartitionColumn, PartitionValue, TargetTable};
use saltplan_document::wording::with_article;
use saltplan_sql::ast::{BinaryOperator, Expr};
use saltplan_sql::build::Case;
use saltplan_sql::hive_type::{DeclaredType, HiveType, Type};
use saltplan_sql::statement;
use saltplan_sql::statement::Identifier;
use saltplan_sql::time::pattern::TimePattern;

/// The partition of an INSERT: fixed, or found from each row.
pub(super) enum Partition {
    None,
    Static {
        clause: statement::Partition,
        name: String,
    },
    /// `names` are all partitions that rows can be in, or empty if they depend on values that are known only at run time.
    Dynamic {
        clause: statement::Partition,
        columns: Vec<ColumnContext>,
        names: Vec<String>,
        /// Whether names may have characters that Hive escapes.
        escapes: bool,
    },
}

/// What an INSERT writes to, as it is printed, and what that is.
pub(super) struct Destination {
    pub partition: Partition,
    pub extent: Extent,
}

/// What is known about the values of a partition column.
enum KnownValue {
    /// All rows have this value: as a literal of a PARTITION clause, and as a text.
    Fixed { literal: Expr, text: String },
    /// All rows have the value of this text, which is filled in when the statement runs.
    Filled { literal: Expr, text: String },
    /// The value is one of several known ones.
    Listed,
    /// The value depends on the row.
    Open,
}

/// The values of the partition columns in the partitions that selected rows can be in.
struct Values {
    /// What is known of each column.
    known: Vec<KnownValue>,
    /// The values of the columns in each partition. Those that are the same in all partitions may be empty here.
    combined: Vec<Vec<String>>,
}

fn values_of(asked: &Asked<'_>, target: &TargetTable) -> Result<Values, Refusal> {
    let columns = &target.partition;
    let mut known = Vec::with_capacity(columns.len());
    for column in columns {
        known.push(match &column.value {
            PartitionValue::Constant(text) => {
                KnownValue::Fixed { literal: fixed_literal(text, &column.hive_type), text: text.clone() }
            }
            _ => KnownValue::Open,
        });
    }
    // Fixed values are filled in later.
    let mut combined = vec![vec![String::new(); columns.len()]];
    for field in fields_of(columns) {
        let of_field: Vec<usize> =
            (0..columns.len()).filter(|index| columns[*index].field() == Some(field)).collect();
        if let Some(runtime) = asked.plan.runtime.as_ref().filter(|runtime| runtime.field == field) {
            check_runtime(asked, columns, runtime)?;
            for index in of_field {
                known[index] = runtime_value(asked, &columns[index], runtime);
            }
            continue;
        }
        let cells = match cells(asked, field, columns) {
            // Rows that are added replace nothing, so their partitions need not be known.
            Err(Refusal::UnboundPartition { .. }) if asked.options.into => continue,
            cells => cells?,
        };
        for (place, index) in of_field.iter().enumerate() {
            known[*index] = match cells.as_slice() {
                [only] => KnownValue::Fixed {
                    literal: fixed_literal(&only[place], &columns[*index].hive_type),
                    text: only[place].clone(),
                },
                _ => KnownValue::Listed,
            };
        }
        if combined.len().saturating_mul(cells.len()) > MAX_PARTITIONS {
            return Err(Refusal::TooManyPartitions { limit: MAX_PARTITIONS });
        }
        combined = with_cells(&combined, &of_field, &cells);
    }
    Ok(Values { known, combined })
}

pub(super) fn destination(asked: &Asked<'_>, target: &TargetTable) -> Result<Destination, Refusal> {
    let columns = &target.partition;
    if columns.is_empty() {
        return Ok(Destination { partition: Partition::None, extent: Extent::Table });
    }
    let Values { known, combined } = values_of(asked, target)?;
    let names = names(columns, &known, &combined);
    let extent = Extent::Partitions(values(&known, &combined));
    let fixed: Option<Vec<(Identifier, Option<Expr>)>> = columns
        .iter()
        .zip(&known)
        .map(|(column, known)| match known {
            KnownValue::Fixed { literal, .. } | KnownValue::Filled { literal, .. } => {
                Some((Identifier::new(&column.name), Some(literal.clone())))
            }
            KnownValue::Listed | KnownValue::Open => None,
        })
        .collect();
    if let Some(fixed) = fixed {
        let partition = Partition::Static { clause: statement::Partition(fixed), name: names.concat() };
        return Ok(Destination { partition, extent });
    }
    let is_open = |(column, known): (&PartitionColumn, &KnownValue)| {
        (matches!(known, KnownValue::Open) || names.is_empty()) && may_be_escaped(asked, column)
    };
    let escapes = names.iter().any(|name| name.contains('%')) || columns.iter().zip(&known).any(is_open);
    let columns = columns.iter().map(|column| value(asked, column)).collect::<Result<Vec<_>, _>>()?;
    let clause = statement::Partition(columns.iter().map(|column| (column.name.clone(), None)).collect());
    Ok(Destination { partition: Partition::Dynamic { clause, columns, names, escapes }, extent })
}

/// What a statement that compares rows with those of the target needs to know of the target's partitions.
pub(super) struct Replaced {
    /// The partition columns, computed from the row key.
    pub columns: Vec<ColumnContext>,
    pub in_target: InTarget,
}

/// The partitions of the target that a plan replaces.
pub(crate) struct InTarget {
    /// Conditions on the target's own columns, to be joined by AND.
    pub conditions: Vec<Expr>,
    /// Partition columns of a text that can be NULL or empty, which Hive keeps under the name [`DEFAULT_PARTITION`].
    pub unnamed: Vec<String>,
}

/// The partitions that an INSERT OVERWRITE of the plan replaces.
pub(super) fn replaced(asked: &Asked<'_>, target: &TargetTable) -> Result<Replaced, Refusal> {
    let columns = &target.partition;
    let Values { known, combined } = values_of(asked, target).map_err(Refusal::of_compared_partitions)?;
    let (mut computed, mut conditions, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    let mut unnamed = Vec::new();
    for (index, (column, known)) in columns.iter().zip(&known).enumerate() {
        let own = Expr::column(&column.name);
        let fixed = match known {
            KnownValue::Fixed { text, .. } => typed_literal(text, &column.hive_type),
            KnownValue::Filled { literal, .. } => of_type_of(literal.clone(), &column.hive_type),
            KnownValue::Listed => {
                listed.push(index);
                computed.push(value(asked, column)?);
                continue;
            }
            KnownValue::Open => {
                if let Some(runtime) =
                    asked.plan.runtime.as_ref().filter(|runtime| column.field() == Some(runtime.field))
                {
                    return Err(Refusal::NeedsValue {
                        parameters: runtime.names(),
                        reason: format!(
                            "the partitions of `{}` that are compared are not known without it",
                            column.name
                        ),
                    });
                }
                let mut own = value(asked, column)?.expression;
                if column.hive_type.is_text() {
                    own = default_if_unnamed(&own);
                    unnamed.push(column.name.clone());
                }
                computed.push(ColumnContext::new(own, &column.name));
                continue;
            }
        };
        conditions.push(own.binary(BinaryOperator::Eq, &fixed));
        computed.push(ColumnContext::new(fixed, &column.name));
    }
    if !listed.is_empty() {
        let columns: Vec<&PartitionColumn> = listed.iter().map(|index| &columns[*index]).collect();
        let cells =
            combined.iter().map(|values| listed.iter().map(|index| values[*index].as_str()).collect());
        conditions.push(of_cells(&columns, cells.collect()));
    }
    Ok(Replaced { columns: computed, in_target: InTarget { conditions, unnamed } })
}

/// What Hive reads back from the name of the partition that rows of a text are stored in: neither NULL nor an empty text is a name.
pub(crate) fn default_if_unnamed(value: &Expr) -> Expr {
    let has_name = value.binary(BinaryOperator::NotEq, &Expr::text(""));
    Case::when(&has_name, value).or_else(&Expr::text(DEFAULT_PARTITION))
}

/// The condition for some combinations of values of partition columns, at least one. Values of the first column with the same values
/// of the others share one condition.
fn of_cells(columns: &[&PartitionColumn], cells: Vec<Vec<&str>>) -> Expr {
    let Some((first, others)) = columns.split_first() else { return Expr::truth(true) };
    let mut by_first: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for cell in cells {
        if let Some((value, rest)) = cell.split_first() {
            by_first.entry(value).or_default().push(rest.to_vec());
        }
    }
    let mut by_others: BTreeMap<Vec<Vec<&str>>, Vec<&str>> = BTreeMap::new();
    for (value, mut rest) in by_first {
        rest.sort_unstable();
        by_others.entry(rest).or_default().push(value);
    }
    let own = Expr::column(&first.name);
    let mut groups: Vec<_> = by_others.into_iter().collect();
    groups.sort_by(|(_, one), (_, other)| one.cmp(other));
    let groups = groups.into_iter().map(|(rest, values)| {
        let is_one =
            own.is_one_of(values.into_iter().map(|text| typed_literal(text, &first.hive_type)).collect());
        match others.is_empty() {
            true => is_one,
            false => Expr::all(vec![is_one, of_cells(others, rest)]),
        }
    });
    Expr::any(groups.collect())
}

/// A value of a partition column as a literal of its type.
fn typed_literal(text: &str, hive_type: &DeclaredType) -> Expr {
    match hive_type.is_integer() {
        true => Expr::number(text),
        false => of_type_of(Expr::text(text), hive_type),
    }
}

/// A text as the type of a partition column.
fn of_type_of(text: Expr, hive_type: &DeclaredType) -> Expr {
    match hive_type.primitive() {
        Some(Type::String) => text,
        _ => text.cast_as(hive_type),
    }
}

/// Combines each combination with each cell of a field.
fn with_cells(combined: &[Vec<String>], places: &[usize], cells: &[Vec<String>]) -> Vec<Vec<String>> {
    let longer = |values: &Vec<String>, cell: &Vec<String>| {
        let mut values = values.clone();
        places.iter().zip(cell).for_each(|(place, text)| values[*place].clone_from(text));
        values
    };
    combined.iter().flat_map(|values| cells.iter().map(move |cell| longer(values, cell))).collect()
}

/// Names of partitions in Hive's form `day=20200406/kind=a`.
fn names(columns: &[PartitionColumn], known: &[KnownValue], combined: &[Vec<String>]) -> Vec<String> {
    if known.iter().any(|known| matches!(known, KnownValue::Open)) {
        return Vec::new();
    }
    let name = |values: &Vec<String>| {
        let parts = columns.iter().zip(known).zip(values).map(|((column, known), value)| {
            let value = match known {
                KnownValue::Fixed { text, .. } => escaped(text),
                KnownValue::Filled { text, .. } => text.clone(),
                KnownValue::Listed | KnownValue::Open => escaped(value),
            };
            format!("{}={value}", escaped(&column.name.to_lowercase()))
        });
        parts.collect::<Vec<_>>().join("/")
    };
    combined.iter().map(name).collect()
}

/// The values of the columns in each partition.
fn values(known: &[KnownValue], combined: &[Vec<String>]) -> Vec<Vec<PartitionText>> {
    let value = |(known, value): (&KnownValue, &String)| match known {
        KnownValue::Fixed { text, .. } => PartitionText::Known(escaped(text)),
        KnownValue::Listed => PartitionText::Known(escaped(value)),
        KnownValue::Filled { text, .. } => PartitionText::Later(text.clone()),
        KnownValue::Open => PartitionText::Unknown,
    };
    combined.iter().map(|values| known.iter().zip(values).map(value).collect()).collect()
}

/// Whether a value that depends on the row may have characters that Hive escapes.
fn may_be_escaped(asked: &Asked<'_>, column: &PartitionColumn) -> bool {
    let shows = |pattern: &TimePattern| escaped(pattern.text()).contains('%');
    match (&column.value, column.field().map(|field| &asked.schema.key.fields[field].kind)) {
        (PartitionValue::Part { pattern, .. }, _) => shows(pattern),
        (PartitionValue::Field(_), Some(FieldKind::Calendar(calendar))) => shows(calendar.format.printed()),
        (PartitionValue::Field(_), Some(FieldKind::Integer(_) | FieldKind::Epoch(_))) => false,
        (PartitionValue::Constant(text), _) => escaped(text).contains('%'),
        (PartitionValue::Field(_) | PartitionValue::Column(_), _) => true,
    }
}

/// A value of a static partition.
fn fixed_literal(shown: &str, hive_type: &HiveType) -> Expr {
    // Hive's grammar does not accept a negative number here, but converts a text to the column's type.
    match hive_type.is_integer() && !shown.starts_with('-') {
        true => Expr::number(shown),
        false => Expr::text(shown),
    }
}

/// Refuses a run-time value of a finer unit than the partition's, which would replace the other rows of the partition.
fn check_runtime(
    asked: &Asked<'_>,
    columns: &[PartitionColumn],
    runtime: &RuntimeCondition,
) -> Result<(), Refusal> {
    if asked.options.into {
        return Ok(());
    }
    let field = &asked.schema.key.fields[runtime.field];
    match (runtime.unit(field), unit_of(columns, runtime.field)) {
        (Some(own), Some(unit)) if unit < own => Err(Refusal::NeedsValue {
            parameters: runtime.names(),
            reason: format!(
                "a partition contains {} of `{}`, and a single {} would replace all of it",
                with_article(unit.word()),
                field.name,
                own.word()
            ),
        }),
        _ => Ok(()),
    }
}

/// A run-time value: fixed if it is a single one that is filled in as the partition shows it.
fn runtime_value(asked: &Asked<'_>, column: &PartitionColumn, runtime: &RuntimeCondition) -> KnownValue {
    let field = &asked.schema.key.fields[runtime.field];
    let only = match runtime.ranges.as_slice() {
        [only] => only.fixed(),
        _ => None,
    };
    let literal = only.and_then(|value| match &column.value {
        PartitionValue::Part { pattern, .. } => filled_in::as_printed(field, value, pattern),
        _ => filled_in::as_stored(field, value).map(|literal| (literal, value.given.text().to_string())),
    });
    match literal {
        Some((literal, text)) => KnownValue::Filled { literal, text },
        None => KnownValue::Open,
    }
}

/// The clock of a field of instants, the same in every Hive; `None` for other fields.
fn clock_of(asked: &Asked<'_>, field: FieldId) -> Result<Option<Clock>, NotInHive> {
    let declared = &asked.schema.key.fields[field];
    if !matches!(declared.kind, FieldKind::Epoch(_)) {
        return Ok(None);
    }
    let clock = clock(asked, field)?;
    if clock.is_total() {
        Ok(Some(clock))
    } else {
        Err(NotInHive::ClockOutside { field: declared.name.clone() })
    }
}

/// The expression of a dynamic partition column, with the same values as a static partition.
fn value(asked: &Asked<'_>, column: &PartitionColumn) -> Result<ColumnContext, Refusal> {
    let refusal = |reason: NotInHive| Refusal::PartitionNotDecoded { reason: reason.into() };
    let hive_type = &column.hive_type;
    let typed = |value: Expr, own: &HiveType| {
        if hive_type.hive_type() == own { value } else { value.cast_as(hive_type) }
    };
    let expression = match &column.value {
        PartitionValue::Field(field) => {
            asked.key.converted(*field, hive_type, TypeUse::Partition, None).map_err(refusal)?
        }
        PartitionValue::Part { field, pattern } => {
            let clock = clock_of(asked, *field).map_err(refusal)?;
            asked.key.units(*field, pattern, hive_type, clock.as_ref()).map_err(refusal)?
        }
        PartitionValue::Constant(text) => typed(Expr::text(text), &Type::String.into()),
        PartitionValue::Column(id) => typed(asked.key.column(*id), &asked.schema.columns[*id].hive_type),
    };
    Ok(ColumnContext::new(expression, &column.name))
}

/// A value as Hive escapes it in paths and in `SHOW PARTITIONS`.
pub fn escaped(text: &str) -> String {
    if text.is_empty() {
        return DEFAULT_PARTITION.into();
    }
    let mut name = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_control() || "\"#%'*/:=?\\{[]^".contains(character) {
            let _ = write!(name, "%{:02X}", u32::from(character));
        } else {
            name.push(character);
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::escaped;

    /// What `FileUtils.makePartName` of Hive 2.3.9 and 3.1.3 makes of the same texts.
    #[test]
    fn names_of_partitions() {
        let printable: String = (' '..='~').collect();
        assert_eq!(
            escaped(&printable),
            " !%22%23$%25&%27()%2A+,-.%2F0123456789%3A;<%3D>%3F@ABCDEFGHIJKLMNOPQRSTUVWXYZ%5B%5C%5D%5E_`abcdefghijklmnopqrstuvwxyz%7B|}~"
        );
        assert_eq!(escaped("\u{1}\n\u{7F}é漢"), "%01%0A%7Fé漢");
        assert_eq!(escaped(""), "__HIVE_DEFAULT_PARTITION__");
    }
}
