//! Scripts of a shell, whose queries are arguments of `hive -e`: they are not HiveQL, and the shell changes the text before Hive reads it.

use saltplan_core::messages::{Diagnostic, Source, Span};

/// Programs that run the text behind `-e`.
const PROGRAMS: [&str; 3] = ["hive", "beeline", "spark-sql"];

/// Commands that run the one behind them.
const RUNNERS: [&str; 6] = ["sudo", "nohup", "time", "exec", "env", "timeout"];

/// # Errors
/// The text begins as a script, or a line of it outside of comments runs `hive -e` or the like.
pub(crate) fn refuse(name: &str, text: &str) -> Result<(), Diagnostic> {
    let run = commands(text);
    let is_script = text.trim_start_matches('\u{FEFF}').starts_with("#!");
    let span = match run {
        Some(span) => span,
        None if is_script => Span::new(0, text.find('\n').unwrap_or(text.len())),
        None => return Ok(()),
    };
    let help = match run {
        Some(_) => {
            "put the text behind `-e` into a file, with `${hivevar:day}` in place of the shell's `$day`, rewrite that file, and run it with `hive --hivevar day=\"$day\" -f FILE`"
        }
        None => "give the file with the queries",
    };
    let label = if run.is_some() { "the queries are behind it" } else { "here" };
    Err(Diagnostic::error("this is a script of a shell, not HiveQL")
        .at(&Source::new(name, text), span, label)
        .with_help(help))
}

/// The first command with `-e`, up to this option.
fn commands(text: &str) -> Option<Span> {
    let mut at = 0;
    let mut is_comment = false;
    for line in text.split_inclusive('\n') {
        if !is_comment && let Some((from, to)) = command(line) {
            return Some(Span::new(at + from, at + to));
        }
        at += line.len();
        is_comment = match (line.rfind("/*"), line.rfind("*/")) {
            (Some(open), Some(close)) => open > close,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => is_comment,
        };
    }
    None
}

/// `hive --hivevar a=b -e "…`, `x=$(beeline -u jdbc:… -e '…`
fn command(line: &str) -> Option<(usize, usize)> {
    let words = || {
        let offset = |word: &str| word.as_ptr().addr() - line.as_ptr().addr();
        line.split_whitespace().map(move |word| (offset(word), word))
    };
    let program = |word: &str| {
        let start = word.rfind(['(', '`', '"']).map_or(0, |at| at + 1);
        let bare = &word[start..];
        let base = bare.rsplit('/').next().unwrap_or(bare);
        PROGRAMS.contains(&base).then_some(start)
    };
    let (first_at, first) = words().next()?;
    let (at, start) = match program(first) {
        Some(start) => (first_at, start),
        None if RUNNERS.contains(&first) => {
            words().skip(1).find_map(|(at, word)| Some((at, program(word)?)))?
        }
        None => return None,
    };
    let options = || words().skip_while(|(word, _)| *word <= at);
    // In SQL a name may stand there.
    options().next().filter(|(_, word)| word.starts_with('-'))?;
    let option = options().find(|(_, word)| {
        word.strip_prefix("-e").is_some_and(|rest| rest.is_empty() || rest.starts_with(['"', '\'']))
    })?;
    Some((at + start, option.0 + "-e".len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_recognised_and_queries_are_not() {
        for (text, shown) in [
            ("#!/bin/bash\nset -e\nhive -e \"\nSELECT 1\"\n", "hive -e"),
            ("set -e\n  /usr/bin/hive --hivevar a=b -e'SELECT 1'", "/usr/bin/hive --hivevar a=b -e"),
            ("n=$(beeline -u jdbc:hive2://h -e \"SELECT 1\")", "beeline -u jdbc:hive2://h -e"),
            ("sudo -u etl spark-sql -e \"SELECT 'é", "spark-sql -e"),
            ("\u{FEFF}#!/bin/sh\nhive -f q.sql", "\u{FEFF}#!/bin/sh"),
        ] {
            let fault = refuse("q", text).unwrap_err();
            let span = fault.labels[0].span;
            assert_eq!(&text[span.start..span.end], shown, "{text}");
        }
        for text in [
            "SELECT hive -e FROM t",
            "-- hive -e 'SELECT 1'\nSELECT 1",
            "/* run:\nhive -e 'x'\n*/ SELECT 1",
            "SET hive.exec.dynamic.partition=true;\nhive",
            "SELECT 1 FROM\nhive h WHERE h.e -1 = -e",
            "",
            "#",
        ] {
            assert!(refuse("q", text).is_ok(), "{text}");
        }
    }
}
