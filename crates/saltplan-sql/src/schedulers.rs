//! The values that schedulers fill in, by name. Every scheduler has its own brackets.

use super::runtime::RuntimeFault;
use super::time::format::ISO_DAY;
use saltplan_document::diag::did_you_mean;

/// A value that a scheduler fills in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Preset {
    /// How the value is written in a statement.
    pub text: String,
}

/// What precedes and follows a user-defined name.
const OWN_NAMES: [(&str, &str, &str); 5] = [
    ("hivevar", "${hivevar:", "}"),
    ("hiveconf", "${hiveconf:", "}"),
    ("oozie", "${", "}"),
    ("azkaban", "${", "}"),
    ("dbt", "{{ var(\"", "\") }}"),
];
const AIRFLOW: &str = "airflow";
const DOLPHINSCHEDULER: &str = "dolphinscheduler";

const DAY_DIGITS: &str = "yyyyMMdd";

/// The form of a value of Airflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AirflowForm {
    /// A day or a time in UTC, printed with this pattern.
    Printed(&'static str),
    /// A time of Python or its text, with the offset from UTC.
    WithOffset,
    /// A text such as this one, in UTC.
    Like(&'static str),
    /// No time.
    Other,
}

/// Airflow's values and their forms. The names of texts of times are those of its filters, too.
///
/// All names of Airflow are from <https://airflow.apache.org/docs/apache-airflow/stable/templates-ref.html>
/// and <https://airflow.apache.org/docs/apache-airflow/2.11.0/templates-ref.html>;
/// `python/tests/test_airflow.py` compares them with the installed Airflow.
const AIRFLOW_VALUES: [(&str, AirflowForm); 35] = [
    ("ds", AirflowForm::Printed(ISO_DAY)),
    ("ds_nodash", AirflowForm::Printed(DAY_DIGITS)),
    ("yesterday_ds", AirflowForm::Printed(ISO_DAY)),
    ("yesterday_ds_nodash", AirflowForm::Printed(DAY_DIGITS)),
    ("tomorrow_ds", AirflowForm::Printed(ISO_DAY)),
    ("tomorrow_ds_nodash", AirflowForm::Printed(DAY_DIGITS)),
    ("prev_ds", AirflowForm::Printed(ISO_DAY)),
    ("prev_ds_nodash", AirflowForm::Printed(DAY_DIGITS)),
    ("next_ds", AirflowForm::Printed(ISO_DAY)),
    ("next_ds_nodash", AirflowForm::Printed(DAY_DIGITS)),
    ("ts", AirflowForm::WithOffset),
    ("ts_nodash", AirflowForm::Printed("yyyyMMdd'T'HHmmss")),
    ("ts_nodash_with_tz", AirflowForm::Like("20240601T000000+0000")),
    ("logical_date", AirflowForm::WithOffset),
    ("data_interval_start", AirflowForm::WithOffset),
    ("data_interval_end", AirflowForm::WithOffset),
    ("start_date", AirflowForm::WithOffset),
    ("execution_date", AirflowForm::WithOffset),
    ("next_execution_date", AirflowForm::WithOffset),
    ("prev_execution_date", AirflowForm::WithOffset),
    ("prev_execution_date_success", AirflowForm::WithOffset),
    ("prev_data_interval_start_success", AirflowForm::WithOffset),
    ("prev_data_interval_end_success", AirflowForm::WithOffset),
    ("prev_start_date_success", AirflowForm::WithOffset),
    ("prev_end_date_success", AirflowForm::WithOffset),
    ("partition_date", AirflowForm::WithOffset),
    ("partition_key", AirflowForm::Other),
    ("run_id", AirflowForm::Other),
    ("task_instance_key_str", AirflowForm::Other),
    ("task_reschedule_count", AirflowForm::Other),
    ("expanded_ti_count", AirflowForm::Other),
    ("map_index_template", AirflowForm::Other),
    ("test_mode", AirflowForm::Other),
    ("try_number", AirflowForm::Other),
    ("reason", AirflowForm::Other),
];

/// The form of Airflow's value with this name.
pub(super) fn airflow_form(name: &str) -> Option<AirflowForm> {
    AIRFLOW_VALUES.iter().find(|(known, _)| *known == name).map(|(_, form)| *form)
}

/// Airflow's objects, which need a member or an item to be a value.
const AIRFLOW_OBJECTS: [&str; 20] = [
    "params",
    "var",
    "macros",
    "conn",
    "conf",
    "dag",
    "dag_run",
    "task",
    "ti",
    "task_instance",
    "templates_dict",
    "inlets",
    "inlet_events",
    "outlets",
    "outlet_events",
    "triggering_asset_events",
    "triggering_dataset_events",
    "task_state_store",
    "asset_state_store",
    "exception",
];

/// Members of Airflow's `macros`; those of plugins are below a name of their own.
const AIRFLOW_MACROS: [&str; 12] = [
    "ds_add",
    "ds_format",
    "ds_format_locale",
    "datetime_diff_for_humans",
    "datetime",
    "timedelta",
    "dateutil",
    "time",
    "uuid",
    "random",
    "json",
    "yaml",
];

/// Parameters of `DolphinScheduler`:
/// <https://dolphinscheduler.apache.org/en-us/docs/latest/user_doc/guide/parameter/built-in.html>, and
/// `TaskConstants` in its source. They are written `${…}`.
const DOLPHIN_PARAMETERS: [&str; 12] = [
    "system.biz.date",
    "system.biz.curdate",
    "system.datetime",
    "system.project.name",
    "system.project.code",
    "system.workflow.instance.id",
    "system.workflow.definition.name",
    "system.workflow.definition.code",
    "system.task.instance.id",
    "system.task.definition.name",
    "system.task.definition.code",
    "system.task.execute.path",
];

/// Time functions of `DolphinScheduler`, from the same sources. They are written `$[…]`, like patterns such
/// as `yyyyMMdd-1`.
const DOLPHIN_FUNCTIONS: [&str; 13] = [
    "add_months",
    "month_begin",
    "month_end",
    "month_first_day",
    "month_last_day",
    "week_begin",
    "week_end",
    "week_first_day",
    "week_last_day",
    "this_day",
    "last_day",
    "year_week",
    "timestamp",
];

/// Kinds of variables that Hive replaces: <https://cwiki.apache.org/confluence/display/Hive/LanguageManual+VariableSubstitution>.
const HIVE_KINDS: [&str; 4] = ["hivevar:", "hiveconf:", "env:", "system:"];

/// The brackets around what is filled in.
const BRACKETS: [(&str, &str); 6] =
    [("{{", "}}"), ("{%", "%}"), ("${", "}"), ("$[", "]"), ("#{", "}"), ("{", "}")];

/// Parses a text of the form `PRESET:WORD`; `None` for any other text.
pub(super) fn preset(text: &str) -> Result<Option<Preset>, RuntimeFault> {
    let Some((name, word)) = text.split_once(':') else { return Ok(None) };
    let names = OWN_NAMES.map(|(name, ..)| name).into_iter().chain([AIRFLOW, DOLPHINSCHEDULER]);
    let Some(preset) = names.clone().find(|preset| *preset == name) else {
        let is_name = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        return match did_you_mean(name, names).filter(|_| is_name(name)) {
            Some(meant) => Err(RuntimeFault::Preset { name: name.into(), meant: format!("{meant}:{word}") }),
            None => Ok(None),
        };
    };
    if let Some(written) = without_brackets(word) {
        return Err(RuntimeFault::Brackets { text: word.into(), written: format!("{preset}:{written}") });
    }
    let found = match preset {
        AIRFLOW => airflow(word)?,
        DOLPHINSCHEDULER => dolphinscheduler(word)?,
        // As Azkaban's `PropsUtils` replaces them.
        "azkaban" if word.starts_with("azkaban.") => {
            return Err(RuntimeFault::NotInFiles { word: word.into() });
        }
        _ => own_name(preset, word),
    };
    found.map(Some).ok_or_else(|| RuntimeFault::Word { preset, word: word.into() })
}

/// The text between the brackets of a scheduler, if they enclose the whole text.
fn without_brackets(word: &str) -> Option<&str> {
    BRACKETS.iter().find_map(|(open, close)| Some(word.strip_prefix(open)?.strip_suffix(close)?.trim()))
}

fn own_name(preset: &str, word: &str) -> Option<Preset> {
    let (_, before, after) = OWN_NAMES.iter().find(|(name, ..)| *name == preset)?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || ['_', '.'].contains(&c);
    let text = format!("{before}{word}{after}");
    (!word.is_empty() && word.chars().all(is_name)).then_some(Preset { text })
}

/// A Jinja expression that starts with one of Airflow's variables.
fn airflow(word: &str) -> Result<Option<Preset>, RuntimeFault> {
    let (head, rest) = name_and_rest(word);
    if head.is_empty() || !is_expression(rest) {
        return Ok(None);
    }
    let mut names = AIRFLOW_VALUES.map(|(name, _)| name).into_iter().chain(AIRFLOW_OBJECTS);
    if !names.clone().any(|name| name == head) {
        return Err(unknown(
            AIRFLOW,
            word,
            did_you_mean(head, &mut names).map(|meant| format!("{meant}{rest}")),
        ));
    }
    if AIRFLOW_OBJECTS.contains(&head) {
        let Some((member, behind)) = first_member(rest) else { return Ok(None) };
        let meant = match head {
            "var" if !["value", "json"].contains(&member) => Some(format!("var.value{rest}")),
            "macros" if !AIRFLOW_MACROS.contains(&member) && !behind.starts_with('.') => {
                let meant =
                    did_you_mean(member, AIRFLOW_MACROS).map(|meant| format!("macros.{meant}{behind}"));
                return Err(unknown(AIRFLOW, word, meant));
            }
            _ => None,
        };
        if meant.is_some() {
            return Err(unknown(AIRFLOW, word, meant));
        }
    }
    Ok(Some(Preset { text: format!("{{{{ {word} }}}}") }))
}

/// The first member of `.value.day`, and what follows; the member of `["day"]` is empty.
fn first_member(rest: &str) -> Option<(&str, &str)> {
    if rest.starts_with('[') {
        return Some(("", rest));
    }
    Some(name_and_rest(rest.strip_prefix('.')?)).filter(|(name, _)| !name.is_empty())
}

fn name_and_rest(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len()))
}

/// Whether a text can follow a name in a Jinja expression: its brackets are balanced, and only `()` and `[]`.
fn is_expression(rest: &str) -> bool {
    let mut open = Vec::new();
    for c in rest.chars() {
        let fits = match c {
            '(' | '[' => {
                open.push(c);
                true
            }
            ')' => open.pop() == Some('('),
            ']' => open.pop() == Some('['),
            '{' | '}' | '$' | '#' | '@' => false,
            _ => true,
        };
        if !fits {
            return false;
        }
    }
    open.is_empty()
}

fn dolphinscheduler(word: &str) -> Result<Option<Preset>, RuntimeFault> {
    if DOLPHIN_PARAMETERS.contains(&word) {
        return Ok(Some(Preset { text: format!("${{{word}}}") }));
    }
    if word.is_empty()
        || !word.chars().all(|c| c.is_ascii_graphic() && !['[', ']', '$', '{', '}'].contains(&c))
    {
        return Ok(None);
    }
    let meant = match word.split_once('(') {
        Some((function, _)) if DOLPHIN_FUNCTIONS.contains(&function) && is_expression(word) => None,
        Some((function, rest)) => {
            let meant = did_you_mean(function, DOLPHIN_FUNCTIONS).map(|meant| format!("{meant}({rest}"));
            return Err(unknown(DOLPHINSCHEDULER, word, meant));
        }
        None if is_time(word) => None,
        None => {
            // In Java, `yyyymmdd` has minutes, and `YYYYMMDD` has week years and days of the year.
            let day = word.replace('Y', "y").replace('D', "d").replace('m', "M");
            let meant = || did_you_mean(word, DOLPHIN_PARAMETERS).map(str::to_string);
            Some(is_time(&day).then_some(day).or_else(meant))
        }
    };
    match meant {
        Some(meant) => Err(unknown(DOLPHINSCHEDULER, word, meant)),
        None => Ok(Some(Preset { text: format!("$[{word}]") })),
    }
}

/// Whether a text is a Java pattern, such as `yyyyMMdd-1` or `HHmmss+1/24`; minutes without hours are taken
/// for mistyped months.
fn is_time(text: &str) -> bool {
    let mut letters = text.chars().filter(char::is_ascii_alphabetic).peekable();
    let has_letters = letters.peek().is_some();
    has_letters
        && letters.all(|c| "yMdHhmsS".contains(c))
        && (!text.contains('m') || text.contains(['H', 'h']))
}

fn unknown(preset: &'static str, word: &str, meant: Option<String>) -> RuntimeFault {
    let own = match preset {
        AIRFLOW => format!("{{{{ {word} }}}}"),
        _ => format!("${{{word}}}"),
    };
    RuntimeFault::Unknown { preset, word: word.into(), meant, own }
}

/// Checks for unclosed brackets, and for names between the brackets of another scheduler. The names
/// themselves are chosen by the user and may be anything.
pub(super) fn check_brackets(text: &str) -> Result<(), RuntimeFault> {
    let mut rest = text;
    while let Some(at) = rest.find(['{', '$', '#']) {
        rest = &rest[at..];
        let Some((open, close)) = BRACKETS.iter().find(|(open, _)| rest.starts_with(open)) else {
            rest = &rest[1..];
            continue;
        };
        let Some(end) = rest[open.len()..].find(close) else {
            return Err(RuntimeFault::Unclosed { text: rest.into(), close });
        };
        let (construct, behind) = rest.split_at(open.len() + end + close.len());
        if let Some(written) = elsewhere(open, construct[open.len()..open.len() + end].trim()) {
            return Err(RuntimeFault::Brackets { text: construct.into(), written });
        }
        rest = behind;
    }
    Ok(())
}

/// How to write a name that is between brackets in which nothing fills it in.
fn elsewhere(open: &str, name: &str) -> Option<String> {
    let in_dollar = || Some(format!("${{{name}}}"));
    let airflow = || airflow_form(name).is_some();
    if open != "${" && DOLPHIN_PARAMETERS.contains(&name) {
        return in_dollar();
    }
    if open != "${" && HIVE_KINDS.iter().any(|kind| name.starts_with(kind)) {
        return in_dollar();
    }
    match open {
        "$[" | "{" if airflow() => Some(format!("{{{{ {name} }}}}")),
        "{{" if name.contains("yyyy") && is_time(name) => Some(format!("$[{name}]")),
        // A name that is not a pattern, not even for schedulers that write `hh24miss`.
        "$[" if name.chars().any(|c| c.is_ascii_alphabetic() && !"yYmMdDhHisS".contains(c))
            && !name.contains('(') =>
        {
            in_dollar()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::runtime::Runtime;

    fn text(text: &str) -> String {
        Runtime::new(text, None).expect(text).text().to_string()
    }

    /// The error and its help.
    fn fault(text: &str) -> (String, String) {
        let fault = Runtime::new(text, None).expect_err(text);
        (fault.to_string(), fault.help())
    }

    #[test]
    fn presets_are_spelled_as_their_programs_do() {
        for (preset, written) in [
            ("airflow:ds_nodash", "{{ ds_nodash }}"),
            ("airflow:params.day", "{{ params.day }}"),
            ("airflow:params[\"day\"]", "{{ params[\"day\"] }}"),
            ("airflow:var.value.day", "{{ var.value.day }}"),
            ("airflow:var.json.job.day", "{{ var.json.job.day }}"),
            ("airflow:dag_run.conf.day", "{{ dag_run.conf.day }}"),
            ("airflow:ti.xcom_pull(task_ids=\"day\")", "{{ ti.xcom_pull(task_ids=\"day\") }}"),
            ("airflow:macros.ds_add(ds, -1)", "{{ macros.ds_add(ds, -1) }}"),
            ("airflow:macros.ours.day(ds)", "{{ macros.ours.day(ds) }}"),
            ("airflow:data_interval_start | ds_nodash", "{{ data_interval_start | ds_nodash }}"),
            (
                "airflow:data_interval_start.in_timezone('Asia/Shanghai') | ds_nodash",
                "{{ data_interval_start.in_timezone(\"Asia/Shanghai\") | ds_nodash }}",
            ),
            ("hivevar:day", "${hivevar:day}"),
            ("hiveconf:day", "${hiveconf:day}"),
            ("dolphinscheduler:yyyyMMdd-1", "$[yyyyMMdd-1]"),
            ("dolphinscheduler:yyyy-MM-dd", "$[yyyy-MM-dd]"),
            ("dolphinscheduler:HHmmss+1/24/60", "$[HHmmss+1/24/60]"),
            ("dolphinscheduler:add_months(yyyyMMdd,-12*1)", "$[add_months(yyyyMMdd,-12*1)]"),
            ("dolphinscheduler:system.biz.date", "${system.biz.date}"),
            ("oozie:day", "${day}"),
            ("azkaban:day", "${day}"),
            ("dbt:day", "{{ var(\"day\") }}"),
        ] {
            assert_eq!(text(preset), written);
        }
    }

    #[test]
    fn names_of_the_user_are_given_as_text() {
        for own in [
            "{{ ds_nodahs }}",
            "{{ macros.ds_add(ds, -1) }}",
            "{{ dag_run.conf[\"day\"] }}",
            "{% if params.day %}{{ params.day }}{% else %}{{ ds }}{% endif %}",
            "${ds}",
            "${yyyyMMdd-1}",
            "$[yyyymmdd-1]",
            "$[yyyymmddhh24miss]",
            "$[add_months(yyyymmdd,-1)]",
            "#{day}",
            "{day}",
            "@day@",
            "%DAY%",
            "$day",
        ] {
            assert_eq!(text(own), own);
        }
    }

    #[test]
    fn misspelt_names_are_corrected() {
        for (word, meant) in [
            ("airflow:ds_nodahs", "ds_nodash"),
            ("airflow:dsnodash", "ds_nodash"),
            ("airflow:parms.day", "params.day"),
            ("airflow:macro.ds_add(ds, 1)", "macros.ds_add(ds, 1)"),
            ("airflow:macros.ds_ad(ds, 1)", "macros.ds_add(ds, 1)"),
            ("airflow:var.day", "var.value.day"),
            ("dolphinscheduler:system.biz.dat", "system.biz.date"),
            ("dolphinscheduler:yyyymmdd-1", "yyyyMMdd-1"),
            ("dolphinscheduler:YYYYMMDD", "yyyyMMdd"),
            ("dolphinscheduler:add_month(yyyyMMdd,-1)", "add_months(yyyyMMdd,-1)"),
            ("airfow:ds", "airflow:ds"),
            ("hivevr:day", "hivevar:day"),
        ] {
            let (message, help) = fault(word);
            assert!(help.starts_with(&format!("did you mean `{meant}`?")), "{word}: {message} ({help})");
        }
        let (message, help) = fault("airflow:my_day");
        assert_eq!(message, "Airflow has no `my_day`");
        assert_eq!(help, "write a name of your own as in the statement: `{{ my_day }}`");
        let (message, help) = fault("dolphinscheduler:dt");
        assert_eq!(message, "DolphinScheduler has no `dt`");
        assert_eq!(help, "write a name of your own as in the statement: `${dt}`");
    }

    #[test]
    fn brackets_of_another_scheduler() {
        for (given, written) in [
            ("$[system.biz.date]", "${system.biz.date}"),
            ("{{ system.biz.date }}", "${system.biz.date}"),
            ("{{ hivevar:day }}", "${hivevar:day}"),
            ("$[hivevar:day]", "${hivevar:day}"),
            ("{ds_nodash}", "{{ ds_nodash }}"),
            ("$[ds_nodash]", "{{ ds_nodash }}"),
            ("{{ yyyyMMdd-1 }}", "$[yyyyMMdd-1]"),
            ("$[day]", "${day}"),
            ("dt=$[bizdate]", "${bizdate}"),
            ("airflow:{{ ds }}", "airflow:ds"),
            ("hivevar:${day}", "hivevar:day"),
            ("dolphinscheduler:$[yyyyMMdd]", "dolphinscheduler:yyyyMMdd"),
        ] {
            let (message, help) = fault(given);
            assert_eq!(help, format!("write `{written}`"), "{given}: {message}");
        }
        for (given, close) in [("{{ ds }", "}}"), ("${day", "}"), ("$[yyyyMMdd-1", "]"), ("{% if a }", "%}")]
        {
            assert_eq!(fault(given).1, format!("close it with `{close}`"), "{given}");
        }
    }

    #[test]
    fn words_that_a_preset_does_not_take() {
        for word in [
            "hivevar:",
            "hivevar:a b",
            "airflow:",
            "airflow:params",
            "airflow:macros",
            "airflow:macros.ds_add(ds, 1",
            "airflow:ds }}{{ ts",
            "dolphinscheduler:",
            "dolphinscheduler:a b",
            "oozie:coord:nominalTime()",
            "azkaban:azkaban.flow.start.day",
        ] {
            fault(word);
        }
    }
}
