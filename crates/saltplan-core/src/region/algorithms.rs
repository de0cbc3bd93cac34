//! The split algorithms. Those of HBase give exactly the same bytes, including remainders and rounding.

use crate::key::range::head;

/// Every salt except the first, in byte order.
///
/// If one salt is a prefix of another (`1` and `10`), a plain `1` as split key would sort before the rows of
/// salt `10`, and the rows of salt `1` after them. The separator after the salt prevents this.
pub fn per_salt(salts: &[Vec<u8>], separator: &[u8]) -> Vec<Vec<u8>> {
    let mut keys = ascending(salts.iter().cloned());
    if keys.windows(2).any(|pair| pair[1].starts_with(&pair[0])) {
        keys = ascending(keys.into_iter().map(|mut key| {
            key.extend_from_slice(separator);
            key
        }));
    }
    keys.drain(..keys.len().min(1));
    keys
}

/// Sorts keys and removes duplicates.
pub fn ascending(keys: impl Iterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> = keys.collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// `RegionSplitter.HexStringSplit`: the range `00000000` to `FFFFFFFF`, as lower-case text of eight digits.
pub fn hex_string(regions: u32) -> Vec<Vec<u8>> {
    number_string(regions, 1 << 32, |number| format!("{number:08x}"))
}

/// `RegionSplitter.DecimalStringSplit`: the range `00000000` to `99999999`.
pub(crate) fn decimal_string(regions: u32) -> Vec<Vec<u8>> {
    number_string(regions, 100_000_000, |number| format!("{number:08}"))
}

/// Equal steps, rounded down; the last region takes the remainder.
fn number_string(regions: u32, range: u64, text: impl Fn(u64) -> String) -> Vec<Vec<u8>> {
    let step = range / u64::from(regions.max(1));
    (1..u64::from(regions)).map(|i| text(step * i).into_bytes()).collect()
}

/// `RegionSplitter.UniformSplit`: eight bytes, 00 to FF.
pub fn uniform(regions: u32) -> Vec<Vec<u8>> {
    // The range starts at the empty key, which HBase pads to the width of the end, and includes the end.
    let range = 1u128 << 64;
    let step = range / u128::from(regions.max(1));
    (1..u128::from(regions)).map(|i| (step * i).to_be_bytes()[8..].to_vec()).collect()
}

/// `Admin.createTable(descriptor, start, end, regions)`: start and end are split keys, and `Bytes.split`
/// divides the range between them. `None` if HBase refuses: fewer than three regions, or an end that is equal
/// to the start after padding.
pub fn byte_range(start: &[u8], end: &[u8], regions: u32) -> Option<Vec<Vec<u8>>> {
    if start >= end || regions < 3 {
        return None;
    }
    if regions == 3 {
        return Some(vec![start.to_vec(), end.to_vec()]);
    }
    bytes_split(start, end, regions - 2)
}

/// `Bytes.split` with `parts - 1` keys between the bounds. The shorter bound is padded with zero bytes for
/// the arithmetic. If the range is too narrow, both bounds are extended by zero bytes.
fn bytes_split(start: &[u8], end: &[u8], parts: u32) -> Option<Vec<Vec<u8>>> {
    let width = start.len().max(end.len());
    let mut low = padded(start, width);
    let mut high = padded(end, width);
    if low >= high {
        return None;
    }
    let mut step = difference(&high, &low);
    let narrow = is_below(&step, parts);
    while is_below(&step, parts) {
        for number in [&mut low, &mut high, &mut step] {
            number.push(0);
        }
    }
    let (first, last) = if narrow { (low.clone(), high) } else { (start.to_vec(), end.to_vec()) };
    divide(&mut step, parts);
    let mut keys = Vec::with_capacity(parts as usize + 1);
    keys.push(first);
    let mut key = low;
    for _ in 1..parts {
        add(&mut key, &step);
        keys.push(key.clone());
    }
    keys.push(last);
    Some(keys)
}

fn padded(bytes: &[u8], width: usize) -> Vec<u8> {
    let mut padded = bytes.to_vec();
    padded.resize(width, 0);
    padded
}

/// `high - low` of two big-endian numbers of the same width.
fn difference(high: &[u8], low: &[u8]) -> Vec<u8> {
    let mut result = high.to_vec();
    let mut borrow = false;
    for (digit, subtrahend) in result.iter_mut().zip(low).rev() {
        let (part, first) = digit.overflowing_sub(*subtrahend);
        let (part, second) = part.overflowing_sub(u8::from(borrow));
        *digit = part;
        borrow = first || second;
    }
    result
}

/// Adds a big-endian number of the same width in place.
fn add(number: &mut [u8], summand: &[u8]) {
    let mut carry = 0;
    for (digit, other) in number.iter_mut().zip(summand).rev() {
        let sum = u16::from(*digit) + u16::from(*other) + carry;
        *digit = sum as u8;
        carry = sum >> 8;
    }
}

/// Divides a big-endian number in place, rounding down.
fn divide(number: &mut [u8], divisor: u32) {
    let divisor = u64::from(divisor);
    let mut rest = 0;
    for digit in number {
        let dividend = (rest << 8) | u64::from(*digit);
        *digit = (dividend / divisor) as u8;
        rest = dividend % divisor;
    }
}

/// Whether a big-endian number is less than `limit`.
fn is_below(number: &[u8], limit: u32) -> bool {
    let (head, tail) = number.split_at(number.len().saturating_sub(8));
    let tail = tail.iter().fold(0, |value, byte| (value << 8) | u64::from(*byte));
    head.iter().all(|byte| *byte == 0) && tail < u64::from(limit)
}

/// `0|`, `1|`, …: one key for every region except the last, with numbers padded to the width of the greatest
/// one.
pub fn numbered(regions: u32, suffix: &[u8]) -> Vec<Vec<u8>> {
    let keys = regions.saturating_sub(1);
    let width = keys.saturating_sub(1).to_string().len();
    let key = |i| [format!("{i:0width$}").as_bytes(), suffix].concat();
    (0..keys).map(key).collect()
}

/// All 8-byte longs of a range, both ends included.
pub fn long_range(from: i64, to: i64) -> Vec<Vec<u8>> {
    (from..=to).map(|key| key.to_be_bytes().to_vec()).collect()
}

/// The keys that split an unsorted sample of `count` keys into parts of equal size. There are fewer regions
/// if the sample has too few different keys.
pub fn quantiles<'a>(count: usize, key: impl Fn(usize) -> &'a [u8], regions: u32) -> Vec<Vec<u8>> {
    let mut order: Vec<(u64, u32)> =
        (0..count as u32).map(|index| (head(key(index as usize)), index)).collect();
    let compare = |left: &(u64, u32), right: &(u64, u32)| {
        left.0.cmp(&right.0).then_with(|| key(left.1 as usize).cmp(key(right.1 as usize)))
    };
    let ranks: Vec<usize> = if order.is_empty() {
        Vec::new()
    } else {
        (0..regions).map(|i| (i as usize * order.len()) / regions as usize).collect()
    };
    select(&mut order, 0, &ranks, &compare);
    let at = |rank: &usize| order.get(*rank).map(|(_, index)| key(*index as usize).to_vec());
    let mut keys: Vec<Vec<u8>> = ranks.iter().filter_map(at).collect();
    keys.dedup();
    // A key equal to the smallest one would make an empty region.
    keys.into_iter().skip(1).collect()
}

/// Moves the elements with the given ascending ranks to their sorted positions (a partial sort). Ranks are
/// relative to `first`, the rank at which `part` starts.
fn select<T>(part: &mut [T], first: usize, ranks: &[usize], compare: &impl Fn(&T, &T) -> std::cmp::Ordering) {
    let Some(rank) = ranks.get(ranks.len() / 2) else { return };
    let (before, after) = ranks.split_at(ranks.len() / 2);
    let after = after.get(after.partition_point(|other| other == rank)..).unwrap_or(&[]);
    let place = rank - first;
    if place >= part.len() {
        return;
    }
    let (left, _, right) = part.select_nth_unstable_by(place, compare);
    let before = before.get(..before.partition_point(|other| other < rank)).unwrap_or(&[]);
    select(left, first, before, compare);
    select(right, rank + 1, after, compare);
}

#[cfg(test)]
mod tests {
    use md5::{Digest, Md5};

    use super::*;

    fn texts(keys: &[Vec<u8>]) -> Vec<String> {
        keys.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect()
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn unhex(text: &str) -> Vec<u8> {
        (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
    }

    /// As `SplitOracle.java` prints them.
    fn listing(keys: Option<Vec<Vec<u8>>>) -> String {
        let Some(keys) = keys else { return "refused".into() };
        let mut md5 = Md5::new();
        for key in &keys {
            md5.update(hex(key) + "\n");
        }
        let mut line = format!("{} {}", keys.len(), hex(&md5.finalize()));
        if keys.len() <= 20 {
            for key in &keys {
                line += &format!(" {}", hex(key));
            }
        }
        line
    }

    #[test]
    fn as_hbase_computes_them() {
        let golden = include_str!("../../../../tests/testdata/splits/hbase-2.4.17.txt");
        for line in golden.lines() {
            let (case, expected) = line.split_once(" : ").unwrap();
            let words: Vec<&str> = case.split(' ').collect();
            let regions = words[words.len() - 1].parse().unwrap();
            let keys = match words[0] {
                "hex_string" => Some(hex_string(regions)),
                "decimal_string" => Some(decimal_string(regions)),
                "uniform" => Some(uniform(regions)),
                _ => byte_range(&unhex(words[1]), &unhex(words[2]), regions),
            };
            assert_eq!(listing(keys), expected, "{case}");
        }
    }

    #[test]
    fn one_region_per_salt() {
        let salts: Vec<Vec<u8>> = (0..16).map(|i| format!("{i:03}").into_bytes()).collect();
        let keys = per_salt(&salts, b"");
        assert_eq!(keys.len(), 15);
        assert_eq!(texts(&keys[..2]), ["001", "002"]);

        let unpadded: Vec<Vec<u8>> = (0..12).map(|i: u32| i.to_string().into_bytes()).collect();
        let keys = per_salt(&unpadded, b"_");
        assert_eq!(texts(&keys), ["10_", "11_", "1_", "2_", "3_", "4_", "5_", "6_", "7_", "8_", "9_"]);
        assert!(per_salt(&[b"0".to_vec()], b"").is_empty());
    }

    #[test]
    fn numbers_with_a_suffix() {
        assert_eq!(texts(&numbered(6, b"|")), ["0|", "1|", "2|", "3|", "4|"]);
        // The greatest split key of eleven regions is 9, of twelve regions 10.
        assert_eq!(texts(&numbered(11, b"|"))[9], "9|");
        assert_eq!(texts(&numbered(12, b"|"))[..2], ["00|", "01|"]);
        assert_eq!(long_range(1, 2), [[0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 2]]);
    }

    #[test]
    fn quantiles_of_a_sample() {
        let of = |sample: &[Vec<u8>], regions| quantiles(sample.len(), |index| &sample[index], regions);
        let sample: Vec<Vec<u8>> = (0..100).rev().map(|i| format!("{i:02}").into_bytes()).collect();
        assert_eq!(texts(&of(&sample, 4)), ["25", "50", "75"]);
        assert_eq!(texts(&of(&sample, 3)), ["33", "66"]);
        let equal = vec![b"a".to_vec(); 10];
        assert!(of(&equal, 5).is_empty());
        assert_eq!(texts(&of(&[b"a".to_vec(), b"b".to_vec()], 100)), ["b"]);
        assert!(of(&[], 3).is_empty());
        assert!(of(&sample, 0).is_empty());
    }

    #[test]
    fn quantiles_are_those_of_the_sorted_sample() {
        let key = |i: u32| Md5::digest((i % 700).to_be_bytes())[..(i % 13) as usize].to_vec();
        let sample: Vec<Vec<u8>> = (0..1_000).map(key).collect();
        let mut sorted = sample.clone();
        sorted.sort();
        for regions in [1, 2, 7, 100, 1_000, 3_000] {
            let mut expected: Vec<Vec<u8>> =
                (1..regions).map(|i| sorted[i as usize * sorted.len() / regions as usize].clone()).collect();
            expected.dedup();
            expected.retain(|key| *key != sorted[0]);
            assert_eq!(quantiles(sample.len(), |index| &sample[index], regions), expected, "{regions}");
        }
    }
}
