//! Replaces a reference by its ranges.

use saltplan_core::Planned;
use saltplan_core::messages::{Diagnostic, Span};
use saltplan_core::plans::PlanKind;
use saltplan_core::queries::{Query, QueryOptions, QueryShape, Templates};
use saltplan_core::render::RenderError;
use saltplan_sql::script::Relation;

use super::{Rewriter, Whole};
use crate::around::Origin;
use crate::catalog::{Entry, Named};
use crate::facts::BlockFacts;
use crate::report::{Fate, Pruned, Reference, UnusedCondition, UsedCondition, WhyLeft};
use crate::scope::KnownTable;
use crate::splice::{self, Splice};

/// Why a mapping table is not replaced by nothing: its queries may look for keys that do not fit the layout.
fn of_no_key(entry: &Entry, planned: &Planned) -> Option<WhyLeft> {
    let is_empty = entry.named == Named::Mapping && planned.plan().kind == PlanKind::Empty;
    is_empty.then(|| {
        WhyLeft::construct(
            "no row key that fits the layout of the schema satisfies its conditions",
            "correct the conditions, or look for wrong keys with `saltplan verify`",
        )
    })
}

impl<'a> Rewriter<'a> {
    pub(super) fn prune(
        &mut self,
        facts: &BlockFacts<'_>,
        relation: usize,
        entry: &'a Entry,
        table: &KnownTable<'_>,
        reference: &mut Reference,
        whole: &mut Whole,
    ) -> Fate {
        let block = facts.block;
        let rules = self.rules_of(facts, relation, Some(table));
        let mut conditions = rules.conditions();
        let is_filtered_late = conditions.iter().any(|condition| rules.is_filtered_late(condition));
        let planned = match is_filtered_late {
            true => Err(WhyLeft::construct(
                "the ON of a join after an outer join tests it, and Hive on MapReduce may then keep rows that this ON excludes",
                "move that condition to the WHERE, or to the ON of the outer join",
            )),
            false => {
                let (pieces, planned) = self.plan_of_table(entry, table, block, &mut conditions);
                reference.pieces = pieces;
                planned
            }
        };
        for condition in &conditions {
            for Origin { span, place } in condition.origins.iter().copied() {
                match &condition.fate {
                    Ok(()) => {
                        reference.used.push(UsedCondition { span, place, in_part: condition.is_part });
                    }
                    Err(why) => reference.unused.push(UnusedCondition { span, why: why.clone() }),
                }
            }
        }
        let (predicate, planned) = match planned {
            Ok(planned) => planned,
            Err(why) => return Fate::Left(why),
        };
        self.add_facts(block, reference.span, &conditions, entry, &planned);
        if let Some(why) = of_no_key(entry, &planned) {
            return Fate::Left(why);
        }
        let planned = planned.for_statement(self.options.shape);
        let query = match self.query(&planned, entry, whole) {
            Ok(query) => query,
            Err(why) => return Fate::Left(why),
        };
        let text = match self.text_of(&query, &block.relations[relation], reference.span) {
            Ok(text) => text,
            Err(why) => return Fate::Left(why),
        };
        whole.engine = Some(entry.engine);
        if whole.makes_view && whole.chooses_text {
            let diagnostic = Diagnostic::note(
                "vectorized Hive 3.1.3 may return wrong texts from a CASE or an `if` over this table, and a view keeps no SET",
            );
            let diagnostic = diagnostic.at(self.source, reference.span, "for this table");
            self.notes.push(
                diagnostic.with_help(
                    "run the queries of the view with `SET hive.vectorized.execution.enabled=false`",
                ),
            );
        }
        self.splices.push(Splice { span: reference.span, text });
        for warning in &query.warnings {
            self.notes.push(Diagnostic::from(warning).at(self.source, reference.span, "for this table"));
        }
        for setting in query.settings() {
            if !whole.above.settings.contains(setting) {
                whole.above.settings.push(setting.clone());
            }
        }
        if let Some(check) = query.check_statement()
            && !whole.above.checks.contains(check)
        {
            whole.above.checks.push(check.clone());
        }
        let is_empty = planned.plan().kind == PlanKind::Empty;
        if is_empty {
            let diagnostic =
                Diagnostic::note("no row can satisfy the conditions on this table, so nothing is read");
            self.notes.push(diagnostic.at(self.source, reference.span, "reads nothing"));
        }
        Fate::Pruned(Pruned {
            predicate: predicate.to_string(),
            summary: planned.summary_of_ranges().unwrap_or_else(|| "nothing".into()),
            cost: query.cost.to_string(),
            ranges: planned.plan().branches.len(),
            shape: query.shape,
            is_empty,
            settings: query.settings().map(ToString::to_string).collect(),
        })
    }

    /// The text that replaces a reference. It takes its room from that of all references.
    fn text_of(&mut self, query: &Query, relation: &Relation, span: Span) -> Result<String, WhyLeft> {
        let mut text = splice::bracketed(query, &self.source.text, span.start, self.line_end);
        if let (None, Some((_, name))) = (&relation.alias, relation.table()) {
            text.push(' ');
            text.push_str(self.tokens.raw(name.end - 1));
        }
        let limit = self.options.max_bytes_in_all;
        let too_long = || {
            WhyLeft::construct(
                format!("the ranges of all tables of the text would have more than {limit} bytes"),
                "split the text into several files",
            )
        };
        self.room = self.room.checked_sub(text.len()).ok_or_else(too_long)?;
        Ok(text)
    }

    /// The ranges of a reference as a query.
    fn query(&self, planned: &Planned, entry: &Entry, whole: &Whole) -> Result<Query, WhyLeft> {
        let mut options = QueryOptions::default();
        options.engine = entry.engine;
        options.shape = self.options.shape;
        options.select_only = true;
        options.logical = entry.named == Named::View;
        options.of_mapping = entry.named == Named::Mapping;
        options.ranges_only = true;
        options.beside_tables = whole.beside_tables;
        options.beside_case = whole.chooses_text && !whole.makes_view;
        options.max_bytes = self.options.max_bytes;
        options.budget = self.options.budget;
        let query = match planned.query(&options, &Templates::new(None)) {
            Ok(query) => query,
            Err(RenderError::Refused(refusal)) => return Err(WhyLeft::Refused(Box::new(refusal))),
            Err(error) => return Err(WhyLeft::construct(error.to_string(), "report this")),
        };
        if whole.needs_optimizer && query.shape == QueryShape::Isolated {
            return Err(WhyLeft::construct(
                "ranges in jobs of their own switch off Hive's cost-based optimizer, without which Hive refuses a subquery or an INTERSECT of the statement",
                "make a table of the rows first, or join with the subquery",
            ));
        }
        let settings: Vec<String> = query.settings().map(ToString::to_string).collect();
        if whole.makes_view && !settings.is_empty() {
            return Err(WhyLeft::construct(
                format!("the ranges need `SET {}`, which a view does not keep", settings.join("; ")),
                "create a table instead of the view, or rewrite the queries that use the view",
            ));
        }
        Ok(query)
    }
}
