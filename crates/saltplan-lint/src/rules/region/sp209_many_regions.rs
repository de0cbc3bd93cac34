use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp209_many_regions.md"), Detector::Schema(check));

/// The reference guide has 50 to 100 regions for a table, and about 100 for a server.
const MANY: usize = 200;

fn check(context: &Context<'_>) -> Option<Finding> {
    let (splits, span) = (context.splits?, context.entry(&["regions"])?);
    let stores = (splits.len() + 1).saturating_mul(context.schema.hbase.families.len());
    if stores <= MANY {
        return None;
    }
    let message = format!("the table starts with {} regions, {stores} memstores", splits.len() + 1);
    let finding = RULE.at(context, span, message, "many for a new table");
    Some(finding.help("start with a few regions per server: HBase splits those that grow"))
}
