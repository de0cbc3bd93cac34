//! OpenTSDB's table of data points. The row key is `salt, metric, base time, (tag key, tag value)…`; the salt is
//! `|Arrays.hashCode(metric and tags)| % buckets`, and does not depend on the time (`RowKey.prefixKeyWithSalt`).

use std::sync::Arc;

use saltplan_core::key::field::EpochUnit;
use saltplan_core::key::number::{IntegerSize, NumberEncoding, NumberForm};
use saltplan_document::diag::{Diagnostic, Source, Span, counted};

use super::super::draft::{
    Draft, DraftFamily, DraftField, DraftHash, DraftKind, DraftOf, DraftSalt, DraftScheme,
};
use super::Place;

struct Setting {
    name: &'static str,
    default: u64,
    most: u64,
}

const SETTINGS: [Setting; 6] = [
    Setting { name: "tags", default: 0, most: 8 },
    Setting { name: "salt.width", default: 0, most: 8 },
    Setting { name: "salt.buckets", default: 20, most: i32::MAX as u64 },
    Setting { name: "uid.width.metric", default: 3, most: 8 },
    Setting { name: "uid.width.tagk", default: 3, most: 8 },
    Setting { name: "uid.width.tagv", default: 3, most: 8 },
];

const HELP: &str = "write for example `tags=2,salt.width=1,salt.buckets=20`: the number of tags of the points, then the settings \
                    of opentsdb.conf without `tsd.storage.`: salt.width, salt.buckets, uid.width.metric, uid.width.tagk, uid.width.tagv";

pub(super) fn read(source: &Arc<Source>) -> Result<Draft, Diagnostic> {
    let [tags, width, buckets, metric, tagk, tagv] = settings(source)?;
    let mut fields = vec![
        uid("metric", metric),
        DraftField::new("base_time", base_time()).with_comment("the hour of the points: seconds, 4 bytes"),
    ];
    for tag in 1..=tags {
        let name = |part: &str| if tags == 1 { part.to_string() } else { format!("{part}_{tag}") };
        fields.extend([uid(&name("tagk"), tagk), uid(&name("tagv"), tagv)]);
    }
    let hashed = fields.iter().map(|field| field.name.clone()).filter(|name| name != "base_time");
    let hash = DraftHash::of_bytes(DraftOf::fields(hashed), buckets, width as usize);
    let comment = "the time is not hashed: all hours of a time series have one salt";
    let salt = DraftSalt::new(DraftScheme::Hash(hash), comment);
    let mut draft = Draft {
        table: "tsdb".to_string(),
        head: vec![
            format!(
                "Points with exactly {}: a table of OpenTSDB has other points, too, whose keys are longer or shorter.",
                counted(tags.into(), "tag", "tags")
            ),
            "The numbers of metrics and tags are in the table `tsdb-uid`. Not known: the cells, whose names are offsets in the hour."
                .to_string(),
        ],
        families: vec![DraftFamily::new("t")],
        salt: (width > 0).then_some(salt),
        fields,
        ..Draft::default()
    };
    draft.take_utc();
    draft.take_regions_of_salt();
    Ok(draft)
}

/// The settings in the order of the table.
fn settings(source: &Arc<Source>) -> Result<[u64; 6], Diagnostic> {
    let mut values: [Option<u64>; 6] = [None; 6];
    let mut start = 0;
    for item in source.text.split(',') {
        let place = || Place { source: Arc::clone(source), span: Span::new(start, start + item.len()) };
        let fault = |message: String| place().error(message, "here", HELP);
        let Some((name, value)) = item.split_once('=') else {
            return Err(fault(format!("`{}` is not a setting with a value", item.trim())));
        };
        let name = name.trim();
        let short = name.strip_prefix("tsd.storage.").unwrap_or(name);
        let Some(at) = SETTINGS.iter().position(|setting| setting.name == short) else {
            return Err(fault(format!("`{name}` is not known")));
        };
        let Setting { most, .. } = SETTINGS[at];
        let least = u64::from(short != "salt.width");
        let Some(number) = value.trim().parse().ok().filter(|number| (least..=most).contains(number)) else {
            return Err(fault(format!("`{short}` is a number from {least} to {most}")));
        };
        if values[at].replace(number).is_some() {
            return Err(fault(format!("`{short}` is there twice")));
        }
        start += item.len() + 1;
    }
    let whole = || Place { source: Arc::clone(source), span: Span::new(0, source.text.len()) };
    if values[0].is_none() {
        return Err(whole().error("the number of tags is missing", "no `tags=`", HELP));
    }
    let width = values[1].unwrap_or(0);
    if ![0, 1, 2, 4, 8].contains(&width) {
        let help = "no schema was written: a schema file has salts of 1, 2, 4 and 8 bytes";
        return Err(whole().error(
            format!("a salt of {width} bytes cannot be described"),
            "`salt.width` here",
            help,
        ));
    }
    if let (Some(_), 0) = (values[2], width) {
        return Err(whole().error(
            "`salt.buckets` without `salt.width`",
            "no salt",
            "add `salt.width=1`: with 0, the default, there is no salt",
        ));
    }
    Ok(std::array::from_fn(|at| values[at].unwrap_or(SETTINGS[at].default)))
}

/// The number that OpenTSDB stores for a name.
fn uid(name: &str, width: u64) -> DraftField {
    let size = if width < 4 { IntegerSize::Int } else { IntegerSize::Bigint };
    let number = NumberForm {
        width: Some(width as usize),
        ..NumberForm::new(size, NumberEncoding::BigEndianUnsigned)
    };
    DraftField::new(name, DraftKind::Integer(number))
}

fn base_time() -> DraftKind {
    let number = NumberForm::new(IntegerSize::Bigint, NumberEncoding::BigEndianUnsigned);
    DraftKind::Epoch { unit: EpochUnit::Seconds, number: NumberForm { width: Some(4), ..number } }
}
