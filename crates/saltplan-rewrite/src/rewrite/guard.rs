//! INSERT OVERWRITEs of a script: those that would lose rows are refused, and Hive gets the settings with which they replace
//! what is there even if they have no row.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use saltplan_core::Planned;
use saltplan_core::analyze::bind::written_node;
use saltplan_core::hive::overlap::{Overlap, Overwrite, overlaps};
use saltplan_core::hive::query::{Extent, PartitionText};
use saltplan_core::messages::Span;
use saltplan_core::plans::PlanKind;
use saltplan_core::queries::Engine;
use saltplan_core::schema::model::{PartitionColumn as TargetColumn, PartitionValue, TargetTable};
use saltplan_sql::ast::{Column, Expr, Literal, Node};
use saltplan_sql::rewrite::has;
use saltplan_sql::script::{Block, Destination, Insert, PartitionColumn, Statement, Tokens};
use saltplan_sql::statement::{self as printed, Setting, print};

use super::predicate::{Narrowing, recognised};
use super::{Above, Rewriter, Session, Whole};
use crate::catalog::{Entry, Named};
use crate::conditions::columns as columns_in;
use crate::facts::BlockFacts;
use crate::inserts::{is_dynamic, is_local, partition as partition_of, replaces};
use crate::never::is_never_true;
use crate::report::{Fate, Refused, WhyRefused};
use crate::rows::{Fact, Facts, Queries, Selection, Target};
use crate::rules::{Condition, ConditionPlace};
use crate::scope::{Certainty, ResolvedSource, Scope};
use crate::splice::{self, Splice};
use crate::values::TEMPLATES;

impl Session {
    /// Remembers what a command sets.
    pub(super) fn note_set(&mut self, t: &Tokens<'_>, command: usize) {
        if t.raw(command).eq_ignore_ascii_case("reset") {
            self.settings.clear();
        }
        if let Some((name, value)) = t.assignment(command) {
            let name = name.strip_prefix("hiveconf:").unwrap_or(name);
            self.settings.insert(name.to_string(), value.to_lowercase());
        }
    }
}

impl Rewriter<'_> {
    /// What the conditions of a reference say about the INSERTs that need its rows.
    pub(super) fn add_facts(
        &mut self,
        block: &Block,
        place: Span,
        conditions: &[Condition<'_>],
        entry: &Entry,
        planned: &Planned,
    ) {
        let fills_target = self.fills_target;
        let fact = |planned: &Planned| Fact {
            is_empty: planned.plan().kind == PlanKind::Empty,
            part: planned.part_of_target(),
            partitions: match fills_target {
                true => planned.partitions_of_target(),
                false => Vec::new(),
            },
        };
        if block.arms.len() < 2 {
            let mut of_all = fact(planned);
            // A condition of one of several uses leaves out no row of the others.
            if conditions.iter().any(|condition| condition.fate.is_ok() && condition.of_several) {
                let of_each_use =
                    Narrowing::new(block, conditions.iter().filter(|condition| !condition.of_several));
                let predicate = of_each_use.of_block();
                let planned = predicate.and_then(|tree| self.plan_of_any(entry, tree).ok());
                of_all.part = planned.and_then(|planned| planned.part_of_target());
            }
            self.facts.add(place.start, 0, of_all);
            return;
        }
        let mut known: HashMap<Option<Node>, Fact> = HashMap::new();
        for (arm, predicate) in Narrowing::new(block, conditions.iter()).of_each_arm().enumerate() {
            let known = known.entry(predicate).or_insert_with_key(|predicate| {
                let planned = predicate.clone().and_then(|tree| self.plan_of_any(entry, tree).ok());
                planned.map(|planned| fact(&planned)).unwrap_or_default()
            });
            self.facts.add(place.start, arm, known.clone());
        }
    }

    /// Refuses the INSERT OVERWRITEs of a statement that would lose rows, and adds the settings that the others need.
    /// `first` is the index of the first reference of the statement.
    pub(super) fn inserts(
        &mut self,
        scope: &Scope<'_>,
        of_blocks: &[Option<BlockFacts<'_>>],
        session: &Session,
        whole: &mut Whole,
        first: usize,
    ) {
        let statement = scope.statement;
        let mut facts = std::mem::take(&mut self.facts);
        let places = std::mem::take(&mut self.places);
        // An EXPLAIN writes nothing.
        let inserts = if statement.explains { Vec::new() } else { statement.inserts() };
        if inserts.is_empty() {
            return;
        }
        let without_rows =
            match self.options.allow_empty || !inserts.iter().any(|(insert, _)| replaces(insert)) {
                true => HashSet::new(),
                false => {
                    self.add_never(scope, of_blocks, &mut facts);
                    self.uses_without_rows(scope, of_blocks)
                }
            };
        let queries = Queries::new(self.tokens, scope, &facts, &without_rows);
        let catalog = self.catalog;
        let reads = |position: usize| -> BTreeSet<usize> {
            places.iter().filter(|(_, of)| *of == position).map(|(place, _)| *place).collect()
        };
        let mut selections: BTreeMap<usize, Selection<'_>> = BTreeMap::new();
        for (insert, arm) in inserts.iter().filter(|(insert, _)| replaces(insert)) {
            let span = self.tokens.place(&insert.tokens);
            let is_empty = queries.is_empty(*arm);
            if is_empty && !self.options.allow_empty {
                self.refused.push(Refused { span, why: WhyRefused::Empty });
            }
            let Destination::Table { name, partition: columns } = &insert.to else { continue };
            let targets = self.catalog.targets(name, session.database.as_deref());
            if !is_empty && !self.options.allow_partial {
                let partial = targets.iter().find_map(|position| {
                    let selection = selections.entry(*position).or_insert_with(|| {
                        Selection::new(&queries, target_of(catalog.entry(*position), reads(*position)))
                    });
                    let given = self.given(*position, columns);
                    selection.part(*arm).or_else(|| selection.other_partition(*arm, &given))
                });
                self.refused.extend(partial.map(|why| Refused { span, why }));
            }
            let target = targets.first().and_then(|position| self.catalog.entry(*position).target());
            // A statement that reads its target keeps the rows that it wants.
            if let Some(target) = target.filter(|_| !reads_table(statement, name)) {
                let table = target.table.to_string().to_lowercase();
                let extent = extent(target, &partition_of(&self.source.text, columns));
                self.overwrites.push((Overwrite { table, extent, source: None }, span));
            }
        }
        let inserts: Vec<&Insert> = inserts.iter().map(|(insert, _)| *insert).collect();
        self.set_emptying(&inserts, session, whole, first);
    }

    /// Finds the conditions of blocks that Hive finds true for no row, whatever the planner makes of them: constants of another type than
    /// their column, and conditions of constants, which are about no table.
    fn add_never(&self, scope: &Scope<'_>, of_blocks: &[Option<BlockFacts<'_>>], facts: &mut Facts) {
        for of_block in of_blocks.iter().flatten() {
            let index = of_block.index;
            let column = |column: &Column| self.typed_column(scope, index, column);
            let is_false = |node: &Node| self.is_false(node);
            for candidate in of_block.candidates().iter().filter(|candidate| candidate.blocked.is_none()) {
                if !is_never_true(&candidate.node, &column, &is_false) {
                    continue;
                }
                match candidate.place {
                    ConditionPlace::Where(arm) | ConditionPlace::Having(arm) => facts.add_never(index, arm),
                    ConditionPlace::Around => {
                        (0..of_block.block.arms.len()).for_each(|arm| facts.add_never(index, arm));
                    }
                    ConditionPlace::On(join) => facts.add_never_joined(index, join),
                }
            }
            for (relation, source) in scope.sources(index).iter().enumerate() {
                let ResolvedSource::Table { position, certainty: Certainty::Certain } = source else {
                    continue;
                };
                let is_mapping = self.catalog.entry(*position).named == Named::Mapping;
                let name = of_block.block.relations[relation].table().filter(|_| is_mapping);
                let Some((_, tokens)) = name else { continue };
                let place = self.tokens.place(tokens).start;
                let arms = self.arms_of_no_key(of_block, relation, *position).into_iter().enumerate();
                arms.filter(|(_, is_empty)| *is_empty).for_each(|(arm, _)| facts.add_empty(place, arm));
            }
        }
    }

    /// Whether a condition without columns is FALSE or NULL.
    fn is_false(&self, condition: &Node) -> bool {
        let is_known = |part: &Expr| match part {
            Expr::Literal(Literal::Text(text)) => !TEMPLATES.iter().any(|sign| text.contains(sign)),
            Expr::Literal(literal) => !matches!(literal, Literal::FilledIn { .. } | Literal::Later(_)),
            Expr::BinaryOp { .. }
            | Expr::UnaryOp { .. }
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Nested(_)
            | Expr::Is { .. }
            | Expr::Between { .. }
            | Expr::InList { .. } => true,
            _ => false,
        };
        if has(condition, |part| !is_known(part)) {
            return false;
        }
        // Of constants it is the same for every table.
        let planned = self.plan_of_any(self.catalog.entry(0), condition.clone());
        planned.is_ok_and(|planned| planned.plan().kind == PlanKind::Empty)
    }

    /// The values that a PARTITION clause gives to the columns of a target that are computed from its rows.
    fn given(&self, position: usize, columns: &[PartitionColumn]) -> Vec<PartitionText> {
        let target = self.catalog.entry(position).target();
        let partition = target.map(|target| target.partition.as_slice()).unwrap_or_default();
        let given = partition_of(&self.source.text, columns);
        let value = |column: &TargetColumn| match column.value {
            PartitionValue::Constant(_) => PartitionText::Unknown,
            _ => value_of(&given, &column.name),
        };
        partition.iter().map(value).collect()
    }

    /// Adds the settings with which an INSERT OVERWRITE without a row removes what was there, unless the script has set them. Of
    /// dynamic partitions, those without a row stay with every setting, and merging files may rename others.
    fn set_emptying(&mut self, inserts: &[&Insert], session: &Session, whole: &mut Whole, first: usize) {
        let Some(engine) = whole.engine else { return };
        let is_needed =
            inserts.iter().any(|insert| replaces(insert) && !is_local(insert) && !is_dynamic(insert));
        if !is_needed || engine == Engine::Tez && inserts.iter().any(|insert| is_dynamic(insert)) {
            return;
        }
        let is_set = |setting: &Setting| session.settings.get(&setting.name) == Some(&setting.value);
        whole.above.restored =
            engine.emptying_settings().into_iter().filter(|setting| !is_set(setting)).collect();
        for reference in &mut self.references[first..] {
            if let Fate::Pruned(pruned) = &mut reference.fate {
                pruned.settings.extend(whole.above.restored.iter().map(ToString::to_string));
            }
        }
    }

    /// Refuses INSERT OVERWRITEs that remove what an earlier one has written.
    pub(super) fn check_overlaps(&mut self) {
        if self.options.allow_overlap {
            return;
        }
        let overwrites: Vec<Overwrite> =
            self.overwrites.iter().map(|(overwrite, _)| overwrite.clone()).collect();
        for Overlap { earlier, later, perhaps } in overlaps(&overwrites) {
            let why = WhyRefused::Overlap { earlier: self.overwrites[earlier].1, perhaps };
            self.refused.push(Refused { span: self.overwrites[later].1, why });
        }
        self.refused.sort_by_key(|refused| refused.span);
    }

    /// Adds what a statement needs above it, and puts the settings back below it that are only for an INSERT.
    pub(super) fn put_around(&mut self, statement: &Range<usize>, above: Above) {
        let Above { settings, restored, checks } = above;
        // A variable keeps what a setting was before.
        let variable = |setting: &Setting| format!("saltplan.{}", setting.name);
        let kept: Vec<Setting> = restored
            .iter()
            .map(|setting| {
                let value = format!("${{hiveconf:{}}}", setting.name);
                Setting::new(format!("hivevar:{}", variable(setting)), value)
            })
            .collect();
        let back: Vec<Setting> = restored
            .iter()
            .map(|setting| Setting::new(&setting.name, format!("${{hivevar:{}}}", variable(setting))))
            .collect();
        let set = kept.into_iter().chain(settings).chain(restored).map(printed::Statement::Set);
        let above: Vec<printed::Statement> = set.chain(checks).collect();
        if above.is_empty() {
            return;
        }
        let (t, text) = (self.tokens, &self.source.text);
        let line_end = self.line_end;
        let start = t.span(statement.start).start;
        let indent = splice::indent_of(text, start);
        let margin = format!("{line_end}{indent}");
        let joined = print(&above, &margin);
        let behind = statement.start.checked_sub(1).map_or(0, |before| t.span(before).end);
        let (at, joined) = match (is_plain(&text[behind..start], behind == 0), behind) {
            (true, _) => (start, format!("{joined}{margin}")),
            // A client takes a SET only at the start of what it reads, before any comment.
            (false, 0) => (0, format!("{joined}{line_end}")),
            (false, _) => (behind, format!("{line_end}{joined}")),
        };
        self.splices.push(Splice { span: Span::new(at, at), text: joined });
        if !back.is_empty() {
            let ends = t.is_sign(statement.end, ";");
            let at = t.span(if ends { statement.end } else { statement.end - 1 }).end;
            let end = if ends { "" } else { ";" };
            let back: Vec<printed::Statement> = back.into_iter().map(printed::Statement::Set).collect();
            let text = format!("{end}{margin}{}", print(&back, &margin));
            self.splices.push(Splice { span: Span::new(at, at), text });
        }
    }
}

/// The target of a schema, for a statement that reads the schema's table at some places.
fn target_of(entry: &Entry, places: BTreeSet<usize>) -> Target<'_> {
    let schema = entry.table.schema();
    let partition = entry.target().map(|target| target.partition.as_slice()).unwrap_or_default();
    let is_source = |name: &str| match (schema.field(name), schema.column(name)) {
        (Some(field), _) => partition.iter().any(|column| column.field() == Some(field)),
        (None, Some(id)) => partition.iter().any(|column| column.value == PartitionValue::Column(id)),
        (None, None) => false,
    };
    let logical = match entry.named {
        Named::View => entry.table.logical(),
        Named::Mapping => entry.table.logical_of_mapping(),
    };
    let columns = logical.map(|logical| logical.columns).unwrap_or_default();
    let others = columns.iter().filter(|column| !is_source(column.name));
    let mut others: BTreeSet<String> = others.map(|column| column.name.to_lowercase()).collect();
    let key = schema.hive.as_ref().and_then(|hive| hive.mapping.as_ref());
    if let (Named::Mapping, Some(mapping)) = (entry.named, key) {
        others.insert(mapping.key_column.to_lowercase());
    }
    let other_column = move |node: &Node| {
        // Pieces of the row key are fields.
        let of_pieces = match entry.named {
            Named::View => None,
            Named::Mapping => Some(written_node(&recognised(entry, node).tree)),
        };
        let names = columns_in(of_pieces.as_ref().unwrap_or(node));
        names.into_iter().map(|(column, _)| column.name.to_lowercase()).find(|name| others.contains(name))
    };
    Target {
        places,
        other_column: Box::new(other_column),
        is_partitioned: !partition.is_empty(),
        columns: partition.iter().map(|column| column.name.clone()).collect(),
    }
}

/// Whether a statement reads a table.
fn reads_table(statement: &Statement, table: &[String]) -> bool {
    let mut relations = statement.blocks.iter().flat_map(|block| &block.relations);
    relations.any(|relation| {
        let name = relation.table().map_or(&[][..], |(name, _)| name);
        name.len() == table.len() && name.iter().zip(table).all(|(own, part)| own.lower() == *part)
    })
}

/// Whether a SET may stand behind what is before a statement: blanks, and lines that a client leaves out as comments.
fn is_plain(before: &str, is_first: bool) -> bool {
    let is_left_out =
        |line: &str| line.starts_with("--") || line.trim_start_matches('\u{feff}').trim().is_empty();
    let mut lines = before.split('\n');
    let first = lines.next().unwrap_or_default();
    (first.trim().is_empty() || is_first && is_left_out(first)) && lines.all(is_left_out)
}

/// What an INSERT OVERWRITE of a target replaces.
fn extent(target: &TargetTable, partition: &[(String, PartitionText)]) -> Extent {
    if target.partition.is_empty() {
        return Extent::Table;
    }
    let values = target.partition.iter().map(|column| value_of(partition, &column.name));
    Extent::Partitions(vec![values.collect()])
}

/// The value of a column in a PARTITION clause.
fn value_of(partition: &[(String, PartitionText)], name: &str) -> PartitionText {
    let given = partition.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
    given.map_or(PartitionText::Unknown, |(_, value)| value.clone())
}
