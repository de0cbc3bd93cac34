//! What is known of a value before a scheduler fills it in: a form that is never that of the key is refused, and a day of UTC is
//! reported where the key has the days of another zone.

use super::With;
use crate::analyze::runtime::{RuntimeCondition, is_number_of_instant};
use crate::key::field::{Field, FieldKind};
use saltplan_document::diag::{Diagnostic, DiagnosticKind, PredicateFault};
use saltplan_sql::time::format::TimeFormat;
use saltplan_sql::{KnownValue, Runtime, ValueClock, ValueForm};

impl With<'_> {
    /// # Errors
    /// The statement would fail whenever it runs.
    pub(super) fn check_forms(&self, condition: &RuntimeCondition) -> Result<(), Diagnostic> {
        let field = &self.schema.key.fields[condition.field];
        for value in condition.values() {
            if value.parts.is_empty() {
                self.check_form(&value.name, &value.given, value.given.format(), field)?;
            }
            for part in &value.parts {
                let form = part.given.known().form;
                let fits = |form: &ValueForm| matches!(form, ValueForm::Printed(pattern) if *pattern == part.pattern);
                if let Some(form) = form.filter(|form| !fits(form)) {
                    return Err(self.wrong_form(&part.name, &part.given, &form, part.pattern.text()));
                }
            }
        }
        Ok(())
    }

    fn check_form(
        &self,
        name: &str,
        given: &Runtime,
        declared: Option<&TimeFormat>,
        field: &Field,
    ) -> Result<(), Diagnostic> {
        let Some(form) = given.known().form else { return Ok(()) };
        if given.is_instant() && matches!(field.kind, FieldKind::Epoch(_)) {
            return Ok(());
        }
        let is_number = match &field.kind {
            FieldKind::Integer(_) => true,
            FieldKind::Epoch(_) => is_number_of_instant(given),
            _ => false,
        };
        let expected = match (&field.kind, declared) {
            (_, Some(declared)) => declared,
            (FieldKind::Calendar(calendar), None) => &calendar.format,
            (_, None) if is_number => {
                return match &form {
                    ValueForm::Printed(pattern) if pattern.is_digits() => Ok(()),
                    _ => Err(self.wrong_form(name, given, &form, "digits")),
                };
            }
            _ => return Ok(()),
        };
        if form.is(expected) { Ok(()) } else { Err(self.wrong_form(name, given, &form, expected.pattern())) }
    }

    pub(super) fn wrong_form(
        &self,
        name: &str,
        given: &Runtime,
        form: &ValueForm,
        wanted: &str,
    ) -> Diagnostic {
        let text = given.text();
        let declared = match form {
            ValueForm::Printed(pattern) if pattern.text() == "yyyy-MM-dd" => Some("iso".to_string()),
            ValueForm::Printed(pattern) => {
                TimeFormat::parse(pattern.text()).ok().map(|_| pattern.text().to_string())
            }
            _ => None,
        };
        // Another form of the same unit is converted.
        let unit = |pattern: &str| TimeFormat::parse(pattern).ok().map(|format| format.granularity());
        let is_alike = matches!(form, ValueForm::Printed(pattern) if unit(pattern.text()) == unit(wanted));
        let declared = declared.filter(|_| is_alike);
        let is_airflow = text.starts_with("{{");
        let other = match wanted {
            "yyyyMMdd" if is_airflow => "write `airflow:ds_nodash`".to_string(),
            "yyyy-MM-dd" if is_airflow => "write `airflow:ds`".to_string(),
            _ if is_airflow => format!("write a text that becomes `{wanted}`, such as one with `strftime`"),
            _ => format!("write a text that becomes `{wanted}`"),
        };
        let help = match declared {
            Some(declared) => {
                format!("{other}, or say the form that it has: `--runtime {name}:{declared}=TEXT`")
            }
            None => other,
        };
        Diagnostic::error(format!("`{text}` becomes {form}, and `:{name}` must be `{wanted}` here"))
            .at(self.origin.source, self.leaf.span, "in this condition")
            .with_help(help)
            .with_fault(PredicateFault::Parameter)
    }

    /// Warnings about days of UTC.
    pub(super) fn remarks(&self, condition: &RuntimeCondition) -> Vec<Diagnostic> {
        let field = &self.schema.key.fields[condition.field];
        if !matches!(field.kind, FieldKind::Calendar(_) | FieldKind::Epoch(_)) {
            return Vec::new();
        }
        let zone = self.schema.time_zone.map(saltplan_sql::time::zone::Zone::name);
        if zone.is_some_and(|zone| UTC.contains(&zone)) {
            return Vec::new();
        }
        let is_utc = |given: &Runtime| !given.is_instant() && given.known().clock == Some(ValueClock::Utc);
        let mut remarks: Vec<Diagnostic> = Vec::new();
        for (name, given) in condition.given().filter(|(_, given)| is_utc(given)) {
            let message = format!(
                "`{}` (`:{name}`) is of UTC{}",
                given.text(),
                match zone {
                    Some(zone) => format!(", and `{}` has the time of {zone}", field.name),
                    None => format!("; is `{}`, too?", field.name),
                }
            );
            let spelled = |zone: &str| {
                let filter = match given.known() {
                    KnownValue { form: Some(ValueForm::Printed(pattern)), .. } => match pattern.text() {
                        "yyyyMMdd" => " | ds_nodash",
                        "yyyy-MM-dd" => " | ds",
                        "yyyyMMdd'T'HHmmss" => " | ts_nodash",
                        _ => "",
                    },
                    _ => " | ts",
                };
                format!("`{{{{ data_interval_start.in_timezone(\"{zone}\"){filter} }}}}`")
            };
            let help = match zone {
                Some(zone) => format!("write {}", spelled(zone)),
                None => format!(
                    "say so with `time_zone: UTC` in the schema; for another zone declare it, and write for example {}",
                    spelled("Asia/Shanghai")
                ),
            };
            let warning = Diagnostic::warning(message)
                .at(self.origin.source, self.leaf.span, "in this condition")
                .with_help(help)
                .with_kind(DiagnosticKind::DayOfUtc);
            if !remarks.contains(&warning) {
                remarks.push(warning);
            }
        }
        remarks
    }
}

/// Names of zones whose days are those of UTC.
const UTC: [&str; 10] =
    ["UTC", "Etc/UTC", "GMT", "Etc/GMT", "Etc/UCT", "UCT", "Zulu", "Etc/Zulu", "Universal", "Etc/Universal"];
