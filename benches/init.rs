//! `init --from-keys` with 10,000 row keys: the search for the salt, and the check of the schema on every key.

#![expect(clippy::expect_used, reason = "a benchmark fails by panicking")]

use divan::Bencher;
use md5::{Digest, Md5};
use saltplan_project::init::draft::Draft;
use saltplan_project::init::guess;
use saltplan_project::init::live::Scanned;

fn main() {
    divan::main();
}

/// Keys of a day, a telephone number and a sequence number, after the result of `salt` for the number.
fn keys(salt: fn(&str) -> String) -> Vec<Vec<u8>> {
    let key = |at: u64| {
        let tel = format!("138{:08}", at.wrapping_mul(2_654_435_761) % 100_000_000);
        format!("{}_{:04}{:02}{:02}_{tel}_{at}", salt(&tel), 2020 + at % 7, 1 + at % 12, 1 + at % 28)
            .into_bytes()
    };
    (0..10_000).map(key).collect()
}

fn bench(bencher: Bencher<'_, '_>, salt: fn(&str) -> String, is_found: bool) {
    let sample = Scanned { keys: keys(salt), ..Scanned::default() };
    bencher.bench(|| {
        let base = Draft { table: "t".to_string(), ..Draft::default() };
        let guess = guess(&sample, &base, None).expect("a layout");
        assert_eq!(guess.draft.salt.is_some(), is_found);
        guess
    });
}

/// Two hex digits of the MD5 of a field.
#[divan::bench(sample_count = 10)]
fn salt_of_a_field(bencher: Bencher<'_, '_>) {
    bench(bencher, |tel| format!("{:02x}", Md5::digest(tel)[0]), true);
}

/// No rule gives the first field, and every rule is tried.
#[divan::bench(sample_count = 10)]
fn no_salt(bencher: Bencher<'_, '_>) {
    bench(bencher, |tel| format!("{:08x}", u32::from(Md5::digest(format!("{tel}?"))[0]) * 7), false);
}

/// Two hex digits of the MD5 of the key, in front of many fields: what is tried must not grow with the square of their number.
#[divan::bench(sample_count = 3, args = [12, 40, 60])]
fn many_fields(bencher: Bencher<'_, '_>, fields: u64) {
    let sample = Scanned { keys: keys_of_many_fields(fields), ..Scanned::default() };
    bencher.bench(|| {
        guess(&sample, &Draft { table: "t".to_string(), ..Draft::default() }, None).expect("a layout")
    });
}

fn keys_of_many_fields(fields: u64) -> Vec<Vec<u8>> {
    let cell =
        |at: u64, field: u64| format!("{:04x}", (at * 31 + field).wrapping_mul(2_654_435_761) >> 7 & 0xFFFF);
    let key = |at: u64| {
        let rest = (0..fields).map(|field| cell(at, field)).collect::<Vec<_>>().join("|");
        format!("{:02x}|{rest}", Md5::digest(&rest)[0]).into_bytes()
    };
    (0..500).map(key).collect()
}
