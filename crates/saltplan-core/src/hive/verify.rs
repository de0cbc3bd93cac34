//! The query that looks for stored rows whose key does not follow the schema.

use serde::Serialize;

use crate::hive::field::{self, RowCheck, RowFault};
use crate::hive::key::KeyColumn;
use crate::hive::load::{
    ProblemContext, StoredContext, alias, aliases, checked_rows, plain, stored_name, with_problems,
};
use crate::hive::not_in_hive::NotInHive;
use crate::hive::pattern::{Alphabet, Characters};
use crate::hive::salt::{self, HiveSalt, check_text_layout, separator};
use crate::hive::text::{row_by_row, table_name, without_plan};
use crate::key::field::{FieldId, FieldVec};
use crate::key::salt::{Salt, SaltDomain};
use crate::refusal::Refusal;
use crate::render::statements::Script;
use crate::render::templates::Templates;
use crate::render::{CommentLine, RenderError, mapping_of};
use crate::schema::model::Schema;
use saltplan_sql::ast::{BinaryOperator, Call, CallForm, Expr};
use saltplan_sql::build::Case;
use saltplan_sql::functions::{COUNT, INSTR, SUBSTRING_INDEX};
use saltplan_sql::statement::{Identifier, Item, Query, Relation, Select, Setting, Statement, TableName};

/// The maximum number of salts of a random scheme in one IN.
const MAX_LISTED_SALTS: usize = 1_000;
/// As above, for a computed salt, which is also compared with that of the row's fields.
const MAX_COMPARED_SALTS: usize = 64;

/// What to print.
#[derive(Debug, Clone)]
pub struct VerifyOptions {
    /// The number of faulty rows to list; 0 only counts them.
    pub list: u32,
    /// Lines of the comment above the query, without dashes.
    pub header: Vec<CommentLine>,
}

#[derive(Debug, Serialize)]
struct VerifyContext {
    header: Vec<CommentLine>,
    /// The SETs.
    settings: Vec<Setting>,
    mapping: TableName,
    key: Identifier,
    stored: Vec<StoredContext>,
    problems: Vec<ProblemContext>,
    problem: Identifier,
    counts: Vec<ProblemCount>,
    limit: u32,
}

impl VerifyContext {
    fn statements(&self) -> Vec<Statement> {
        let mut statements: Vec<Statement> = self.settings.iter().cloned().map(Statement::Set).collect();
        statements.push(Statement::Query(self.count()));
        if self.limit > 0 {
            let items = plain(&[self.key.clone(), self.problem.clone()]).collect();
            statements.push(Statement::Query(with_problems(items, self.rows(), &self.problem, self.limit)));
        }
        statements
    }

    /// The number of rows, and of those with each kind of problem.
    fn count(&self) -> Query {
        let of_all = Call::in_form(&COUNT, Vec::new(), CallForm::Star);
        let of_kind = |count: &ProblemCount| {
            let is_of_kind = Expr::Like {
                negated: false,
                expr: self.problem.column().into(),
                pattern: count.pattern.clone().into(),
                escape_char: None,
            };
            let one = Case::when(&is_of_kind, &1.into()).or_null();
            Item::named(Expr::call(&COUNT, [one]), count.name)
        };
        let items: Vec<Item> = [Item::named(Expr::Opaque(of_all), "rows")]
            .into_iter()
            .chain(self.counts.iter().map(of_kind))
            .collect();
        Select::new(items, self.rows()).into()
    }

    fn rows(&self) -> Relation {
        let key = std::slice::from_ref(&self.key);
        checked_rows(&self.mapping, key, &self.stored, &self.problems, &self.problem)
    }
}

/// A column of the count.
#[derive(Debug, Serialize)]
struct ProblemCount {
    /// A LIKE pattern for the problems that it counts, as a literal.
    pattern: Expr,
    name: &'static str,
}

/// The comment above the query. `schema` is the name of the schema.
pub fn header(schema: &str) -> Vec<CommentLine> {
    vec![CommentLine::new(&format!("saltplan verify {schema} (reads the whole table)"))]
}

/// Prints a query that counts faulty rows by their fault, and one that lists some of them.
///
/// # Errors
/// A [`Refusal`] when Hive cannot take the row key apart, or a fault of a template.
pub fn render(
    schema: &Schema,
    options: &VerifyOptions,
    templates: &Templates,
) -> Result<String, RenderError> {
    check_text_layout(schema)?;
    let mapping = mapping_of(schema)?;
    let verification = Verification { schema, key: KeyColumn::new(schema, &mapping.key_column) };
    let names = aliases(schema);
    let checks = verification.checks(&names)?;
    let context = VerifyContext {
        settings: std::iter::once(row_by_row()).chain(without_plan(mapping)).collect(),
        header: options.header.clone(),
        mapping: table_name(&mapping.table),
        key: Identifier::new(&mapping.key_column),
        stored: verification.stored()?,
        counts: counts(&checks),
        problems: checks.iter().map(ProblemContext::from).collect(),
        problem: Identifier::new(alias(schema, "problem")),
        limit: options.list,
    };
    let statements = context.statements();
    Script { template: "hive/verify.sql", header: &context.header, statements: &statements }
        .print(&context, templates)
}

/// A column for every fault that can be found, in a fixed order.
fn counts(checks: &[RowCheck]) -> Vec<ProblemCount> {
    let columns = [
        (RowFault::Width, "wrong_width"),
        (RowFault::Characters, "foreign_characters"),
        (RowFault::Value, "wrong_value"),
        (RowFault::Unchecked, "unchecked_salt"),
        (RowFault::Salt, "wrong_salt"),
    ];
    let found = columns.into_iter().filter(|(fault, _)| checks.iter().any(|check| check.fault == *fault));
    found
        .map(|(fault, name)| ProblemCount { pattern: Expr::text(format!("{}:%", fault.word())), name })
        .collect()
}

struct Verification<'a> {
    schema: &'a Schema,
    key: KeyColumn<'a>,
}

impl Verification<'_> {
    fn stored(&self) -> Result<Vec<StoredContext>, Refusal> {
        let fields = self.schema.key.fields.entries();
        fields
            .map(|(id, field)| {
                let expression = if field.stored { self.key.stored_text(id) } else { self.column_text(id) };
                let expression = expression.map_err(cannot_cut)?;
                Ok(StoredContext { expression, name: stored_name(self.schema, field) })
            })
            .collect()
    }

    /// A field that is not in the key has its value in the column of its name.
    fn column_text(&self, id: FieldId) -> Result<Expr, NotInHive> {
        let field = &self.schema.key.fields[id];
        if !field.kind.is_text_in_key() {
            return Err(NotInHive::BinaryInputOfSalt { field: field.name.clone() });
        }
        let column = self.schema.column(&field.name);
        let column = column.ok_or_else(|| NotInHive::NoColumn { field: field.name.clone() })?;
        Ok(field::stored_text(self.schema, id, &self.key.column(column)))
    }

    /// Checks in their order: fields only make sense in a key with the right widths, and a salt only if the fields are right.
    fn checks(&self, names: &FieldVec<Expr>) -> Result<Vec<RowCheck>, Refusal> {
        let mut checks = vec![self.shape()];
        for (field, name) in self.schema.key.fields.iter().zip(names) {
            checks.extend(field::checks(field, name));
        }
        for (id, hash) in &self.schema.key.hashed {
            let HiveSalt { expression, exact_if } = salt::hash_in_field(self.schema, *id, hash, names)?;
            checks.extend(exact_if);
            let condition = names[*id].binary(BinaryOperator::Eq, &expression);
            let message = format!("{} is not the hash of its fields", self.schema.key.fields[*id].name);
            checks.push(RowCheck::new(RowFault::Value, condition, message));
        }
        if let Some(salt) = &self.schema.key.salt {
            checks.extend(self.salt(salt, names)?);
        }
        Ok(checks)
    }

    /// The widths and the separators of the whole key.
    fn shape(&self) -> RowCheck {
        let key = &self.schema.key;
        let part = |width: Option<usize>, ends: bool, separator: &[u8]| {
            let own = match width {
                Some(width) => Characters::any(width),
                // With `.*`, Java would try all ways to divide a key that does not fit.
                None if ends => Characters::until(separator),
                None => ".*".to_string(),
            };
            own + &Characters::exact(separator)
        };
        let salt = key.salt.iter().map(|salt| {
            let ends = salt.ends_at_separator(&key.fields);
            part(salt.width_in_characters(&key.fields), ends, &salt.separator)
        });
        let fields = key.stored().map(|id| &key.fields[id]).map(|field| {
            // Widths are in bytes. Characters of several bytes are checked with their field.
            let width = field.kind.fixed_width().filter(|_| field.kind.is_ascii_in_key());
            let ends = !field.separator.is_empty() && !field.kind.may_hold_part_of(&field.separator);
            part(width, ends, &field.separator)
        });
        let pattern: String = salt.chain(fields).collect();
        let condition = field::matches(&self.key.value(), &format!("(?s){pattern}"));
        RowCheck::new(
            RowFault::Width,
            condition,
            "the key does not have the widths and separators of the schema",
        )
    }

    fn salt(&self, salt: &Salt, names: &FieldVec<Expr>) -> Result<Vec<RowCheck>, Refusal> {
        if !salt.is_computable() {
            return self.is_a_salt(salt, MAX_LISTED_SALTS).map(|check| vec![check]);
        }
        let mut checks = Vec::new();
        let mut starts = Vec::new();
        for computed in salt::salts(self.schema, salt, names)? {
            let mut prefix = vec![computed.expression];
            prefix.extend(separator(&salt.separator)?);
            let at = Expr::call(&INSTR, [self.key.bare().clone(), Expr::concatenated(prefix)]);
            starts.push(at.binary(BinaryOperator::Eq, &1.into()));
            checks = computed.exact_if;
        }
        let condition = Expr::any(starts);
        // A salt that no row can have is the more specific message.
        checks.extend(self.is_a_salt(salt, MAX_COMPARED_SALTS).ok());
        checks.push(RowCheck::new(RowFault::Salt, condition, "the fields of the key give another salt"));
        Ok(checks)
    }

    /// Checks that the salt is one of the table's, if these are at most `most`.
    fn is_a_salt(&self, salt: &Salt, most: usize) -> Result<RowCheck, Refusal> {
        let SaltDomain::Listed(salts) = salt.domain(&self.schema.key.fields) else {
            return Err(Refusal::TooManyRandomSalts);
        };
        if salts.len() > most {
            return Err(Refusal::TooManyRandomSalts);
        }
        let (key, fields) = (self.key.bare(), &self.schema.key.fields);
        let written = match (salt.width_in_characters(fields), separator(&salt.separator)?) {
            (Some(width), _) => key.substr(1, width),
            (None, Some(_)) if !salt.ends_at_separator(fields) => {
                return Err(cannot_cut(NotInHive::SeparatorInsideSalt));
            }
            (None, Some(separator)) => Expr::call(&SUBSTRING_INDEX, [key.clone(), separator, 1.into()]),
            (None, None) => return Err(cannot_cut(NotInHive::SaltWithoutEnd)),
        };
        let listed = salts.iter().map(|salt| Expr::text(String::from_utf8_lossy(salt))).collect();
        let condition = written.is_in(listed);
        Ok(RowCheck::new(RowFault::Value, condition, "the salt is not one of this table"))
    }
}

fn cannot_cut(reason: NotInHive) -> Refusal {
    Refusal::KeyNotCut { reason: reason.into() }
}
