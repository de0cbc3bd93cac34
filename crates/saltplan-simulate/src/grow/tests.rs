//! The whole life of small tables.

use super::*;
use crate::watch::Watch;

const MIB: f64 = (1u64 << 20) as f64;

fn grow(table: &GrowingTable, arrivals: &Arrivals) -> Growth {
    super::grow(table, arrivals, &Watch::default())
}

fn settings(pairs: &[(&str, &str)]) -> HbaseSettings {
    let mut properties = Properties::default();
    let small = [("hbase.hregion.memstore.flush.size", "1048576"), ("hbase.hregion.max.filesize", "8388608")];
    for (name, value) in small.iter().chain(&[("hbase.hregion.max.filesize.jitter", "0")]).chain(pairs) {
        properties.set(name, value);
    }
    HbaseSettings::read(&properties).unwrap()
}

fn table(settings: HbaseSettings) -> GrowingTable {
    let columns = vec![ColumnShape { qualifier: 1, value: 1000 }];
    GrowingTable {
        settings,
        families: vec![FamilyShape { name: "f".into(), columns, ttl: None }],
        split_keys: Vec::new(),
        servers: 1,
        heap: None,
        ratio: 1.0,
        seed: 1,
    }
}

/// `rows` rows of about 1,050 bytes, a thousand per second, spread over four hex digits and a number.
fn spread(rows: u64) -> Arrivals {
    let key = |row: u64| format!("{:04x}{row:08}", row.wrapping_mul(40_503) % 65_536).into_bytes();
    Arrivals::new([Slice { seconds: rows as f64 / 1000.0, puts: rows, keys: (0..rows).map(key).collect() }])
}

fn monotonic(rows: u64) -> Arrivals {
    let key = |row: u64| format!("{row:08}").into_bytes();
    Arrivals::new([Slice { seconds: rows as f64 / 1000.0, puts: rows, keys: (0..rows).map(key).collect() }])
}

#[test]
fn a_table_without_rows() {
    let growth = grow(&table(settings(&[])), &Arrivals::new([]));
    assert_eq!(growth.regions.len(), 1);
    assert_eq!(growth.last().map(|last| last.counts.flushes), Some(0));
}

#[test]
fn the_first_split_comes_after_two_flushes() {
    let growth = grow(&table(settings(&[])), &spread(6000));
    let first = &growth.splits[0];
    assert!((2.0 * MIB..3.2 * MIB).contains(&first.stored), "{first:?}");
    assert!(first.start.is_empty());
    // The file has 15 blocks; the eighth one starts in the middle.
    assert_eq!(first.row, b"79");
}

#[test]
fn policies_end_with_different_numbers_of_regions() {
    let regions = |policy: &str| {
        let name = "hbase.regionserver.region.split.policy";
        let discharge = ("hbase.hfile.compaction.discharger.interval", "1000");
        grow(&table(settings(&[(name, policy), discharge])), &spread(60_000)).regions.len()
    };
    assert_eq!(regions("DisabledRegionSplitPolicy"), 1);
    let constant = regions("ConstantSizeRegionSplitPolicy");
    // 60 MiB in regions of 4 to 8 MiB.
    assert!((8..=16).contains(&constant), "{constant}");
    assert!(regions("IncreasingToUpperBoundRegionSplitPolicy") >= constant);
}

#[test]
fn a_monotonic_key_leaves_full_regions_behind() {
    let discharge = ("hbase.hfile.compaction.discharger.interval", "1000");
    let growth = grow(&table(settings(&[discharge])), &monotonic(60_000));
    // Only the last region ever splits; the lower halves stay half full.
    for pair in growth.splits.windows(2) {
        assert!(pair[0].row <= pair[1].start, "{pair:?}");
    }
    let last = growth.regions.len() - 1;
    assert!(
        growth.regions[..last].iter().skip(1).all(|region| region.stored < 5.0 * MIB),
        "{:#?}",
        growth.regions
    );
}

#[test]
fn nothing_is_lost() {
    for arrivals in [spread(20_000), monotonic(20_000)] {
        let growth = grow(&table(settings(&[])), &arrivals);
        let last = growth.last().unwrap();
        let stored: f64 = growth.regions.iter().map(|region| region.stored).sum();
        assert_eq!(stored, last.stored);
        assert_eq!(last.counts.rows, 20_000.0);
        // The files contain what arrived, minus what is still in memory, plus a small overhead.
        let held = stored + last.in_memory;
        assert!((1.0..1.2).contains(&(held / last.counts.data)), "{held} {}", last.counts.data);
        assert!(last.counts.write_amplification().unwrap() > 1.0);
    }
}

#[test]
fn a_sample_grows_like_all_rows() {
    let exact = grow(&table(settings(&[])), &spread(60_000));
    let keys = |step: usize| {
        let all = spread(60_000);
        let keys = all.by_time().iter().step_by(step).map(|arrival| all.key(arrival.rank)).collect();
        Arrivals::new([Slice { seconds: 60.0, puts: 60_000, keys }])
    };
    let sampled = grow(&table(settings(&[])), &keys(16));
    assert_eq!(sampled.grain, 16.0);
    let difference = exact.regions.len().abs_diff(sampled.regions.len());
    assert!(difference <= 1, "{} {}", exact.regions.len(), sampled.regions.len());
    let flushes = |growth: &Growth| growth.last().unwrap().counts.flushes as f64;
    assert!((0.9..1.1).contains(&(flushes(&sampled) / flushes(&exact))));
}

#[test]
fn old_edits_are_flushed() {
    // A row every 43 minutes: between one and two rows per hour.
    let keys = || (0..1000).map(|row: u64| format!("{row:08}").into_bytes()).collect();
    let slow = || Arrivals::new([Slice { seconds: 30.0 * 86_400.0, puts: 1000, keys: keys() }]);
    let flushes = |pairs| grow(&table(settings(pairs)), &slow()).last().unwrap().counts.flushes;
    assert!((450..=520).contains(&flushes(&[])));
    // The 915th row fills the memstore.
    assert_eq!(flushes(&[("hbase.regionserver.optionalcacheflushinterval", "0")]), 1);
}

#[test]
fn a_large_old_file_is_rewritten_once_a_week() {
    let keys = |rows: std::ops::Range<u64>| rows.map(|row| format!("{row:08}").into_bytes()).collect();
    let fast = Slice { seconds: 60.0, puts: 20_000, keys: keys(0..20_000) };
    let slow = Slice { seconds: 40.0 * 86_400.0, puts: 40, keys: keys(20_000..20_040) };
    let arrivals = Arrivals::new([fast, slow]);
    let majors = |pairs: &[(&str, &str)]| {
        let disabled = ("hbase.regionserver.region.split.policy", "DisabledRegionSplitPolicy");
        let pairs: Vec<_> = pairs.iter().copied().chain([disabled]).collect();
        grow(&table(settings(&pairs)), &arrivals).last().unwrap().counts.major_compactions
    };
    assert!((3..=10).contains(&majors(&[])), "{}", majors(&[]));
    assert_eq!(majors(&[("hbase.hregion.majorcompaction.jitter", "0")]), 5);
    assert_eq!(majors(&[("hbase.hregion.majorcompaction", "0")]), 0);
}

#[test]
fn expired_cells_are_removed() {
    let day = 86_400_000;
    let keys =
        || (0..40_000u64).map(|row| format!("{:04x}{row:06}", row * 40_503 % 65_536).into_bytes()).collect();
    let arrivals = Arrivals::new([Slice { seconds: 40.0 * 86_400.0, puts: 40_000, keys: keys() }]);
    let stored = |ttl| {
        let mut table = table(settings(&[]));
        table.families[0].ttl = ttl;
        let growth = grow(&table, &arrivals);
        growth.last().unwrap().stored / MIB
    };
    // 40 MiB arrived, one MiB per day; expired cells are removed by regular compactions.
    let living = stored(Some(5 * day));
    assert!((5.0..15.0).contains(&living), "{living}");
    assert!(stored(None) > 39.0);
    assert!(stored(Some(60 * day)) > 39.0);
}

#[test]
fn servers_share_the_regions() {
    let mut spread_out = table(settings(&[]));
    spread_out.servers = 4;
    let keys = || (0..60_000u64).map(|row| format!("{:04x}{row:06}", row * 40_503 % 65_536).into_bytes());
    let arrivals = Arrivals::new([Slice { seconds: 60_000.0, puts: 60_000, keys: keys().collect() }]);
    let many = grow(&spread_out, &arrivals);
    let on = |server: usize| many.regions.iter().filter(|region| region.server == server).count();
    let counts: Vec<usize> = (0..4).map(on).collect();
    assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
    // A single region on a server splits at twice the flush size, so more servers mean more regions.
    assert!(many.regions.len() >= grow(&table(settings(&[])), &arrivals).regions.len());
}

#[test]
fn a_full_heap_forces_flushes() {
    let mut small = table(settings(&[]));
    small.split_keys = (1..64u32).map(|i| format!("{:02x}", i * 4).into_bytes()).collect();
    small.heap = Some(16 << 20);
    let growth = grow(&small, &spread(20_000));
    let counts = &growth.last().unwrap().counts;
    assert!(counts.forced_flushes > 0 && counts.forced_flushes == counts.flushes, "{counts:?}");
}

#[test]
fn interrupted_growth_says_how_far_it_got() {
    let arrivals = spread(20_000);
    let watch = Watch::default();
    watch.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let nothing = super::grow(&table(settings(&[])), &arrivals, &watch);
    assert!(nothing.partial);
    assert_eq!((nothing.end, nothing.regions.len(), nothing.samples.len()), (0, 1, 1));
    let all = grow(&table(settings(&[])), &arrivals);
    assert!(!all.partial);
    assert_eq!(all.end, 20_000);
}
