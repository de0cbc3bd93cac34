//! The way out of a refusal, in flags of the command line or in keys of a jobs file.

use std::fmt::Display;

use saltplan_core::refusal::{Refusal, Remedy};

/// The help of a refusal, with flags.
pub fn in_flags(refusal: &Refusal) -> String {
    refusal.help_with(flag)
}

/// The help of a refusal for a command that has some flags. Other flags are named with a command that has them.
pub fn in_flags_of(refusal: &Refusal, others: &str, has: impl Fn(&str) -> bool) -> String {
    if matches!(refusal, Refusal::TooLong { .. }) && !has("max-branches") && has("max-bytes") {
        // The text has no ranges.
        return "raise the limit with `--max-bytes`".into();
    }
    refusal.help_with(|way| {
        let flag = name(way, RemedyName::Flag);
        let known = flag.strip_prefix("`--").and_then(|flag| flag.split(['`', ' ']).next()).is_none_or(&has);
        if known { flag } else { flag.replacen('`', &format!("`{others} "), 1) }
    })
}

/// The help of a refusal, with keys of a jobs file.
pub fn in_keys(refusal: &Refusal) -> String {
    refusal.help_with(key)
}

/// The flag of a remedy.
pub fn flag(way: Remedy) -> String {
    name(way, RemedyName::Flag)
}

/// The key of a remedy in a jobs file.
pub fn key(way: Remedy) -> String {
    name(way, RemedyName::Key)
}

#[derive(Clone, Copy)]
enum RemedyName {
    Flag,
    Key,
}

/// The name of a remedy.
fn name(way: Remedy, named: RemedyName) -> String {
    let setting = |key: &str, value: &dyn Display| match named {
        RemedyName::Flag => format!("`--{} {value}`", key.replace('_', "-")),
        RemedyName::Key => format!("`{key}: {value}`"),
    };
    let (flag, key) = match way {
        Remedy::Branches(count) => return setting("max_branches", &count),
        Remedy::MaxWidening(Some(limit)) => return setting("max_widening", &limit),
        Remedy::MaxWidening(None) => return setting("max_widening", &"any"),
        Remedy::MaxScans(count) => return setting("max_scans", &count),
        Remedy::MaxJobs(count) => return setting("max_jobs", &count),
        Remedy::Tez => return setting("engine", &"tez"),
        Remedy::OneScan => return setting("shape", &"one_scan"),
        Remedy::AcceptFullScan => ("`--allow-full-scan`", "`allow_full_scan: true`"),
        Remedy::AcceptEmpty => ("`--allow-empty`", "`allow_empty: true`"),
        Remedy::AcceptPartial => ("`--allow-partial`", "`allow_partial: true`"),
        Remedy::AcceptOverlap => ("`--allow-overlap`", "`allow_overlap: true`"),
        Remedy::Into => ("`--into`", "`into: true`"),
        Remedy::MaxBranches => ("`--max-branches`", "`max_branches`"),
        Remedy::MaxBytes => ("`--max-bytes`", "`saltplan plan --max-bytes`"),
        Remedy::BareQuery => ("`--select`", "`select: true`"),
        Remedy::Parts => ("`--only`", "`only`"),
        Remedy::Scan => ("`saltplan scan`", "`kind: scan`"),
        Remedy::Regions => ("`--regions`", "`saltplan splits --regions`"),
        Remedy::Encode => return "`saltplan key encode`".into(),
        Remedy::Decode => return "`saltplan key decode`".into(),
        Remedy::Hivevar => ("`--hivevar`", "`params`"),
        Remedy::Hiveconf => ("`--hiveconf`", "`saltplan rewrite --hiveconf`"),
        Remedy::Now => ("`--now`", "`now`"),
        Remedy::CountKeys => ("`simulate --from-keys`", "`saltplan simulate --from-keys`"),
        other => return other.name(),
    };
    match named {
        RemedyName::Flag => flag.into(),
        RemedyName::Key => key.into(),
    }
}
