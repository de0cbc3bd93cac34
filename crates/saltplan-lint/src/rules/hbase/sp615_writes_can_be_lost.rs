use crate::rule::{Context, Detector, Finding, Rule};

pub static RULE: Rule = Rule::new(include_str!("sp615_writes_can_be_lost.md"), Detector::Several(check));

fn check(context: &Context<'_>) -> Vec<Finding> {
    durability(context).into_iter().collect()
}

fn durability(context: &Context<'_>) -> Option<Finding> {
    let table = &context.schema.hbase;
    let value = table.attribute("DURABILITY")?.text();
    let lost = match value.as_str() {
        "SKIP_WAL" => "everything that is not yet in files",
        "ASYNC_WAL" => "the last writes",
        _ => return None,
    };
    let (name, _) = table.attributes.iter().find(|(name, _)| name.eq_ignore_ascii_case("durability"))?;
    let span = context.entry(&["hbase", "attributes", name])?;
    let message = format!("when a region server dies, {value} loses {lost}");
    let finding = RULE.at(context, span, message, "rows can be lost without an error");
    Some(finding.help("remove it, unless rows that are lost are loaded again; bulk loads need no log anyway"))
}
