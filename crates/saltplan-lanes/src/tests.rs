//! Compares every kernel at every level with plain arithmetic.

use md5::{Digest, Md5};

use crate::md5::{MAX_MESSAGE, Messages};
use crate::{
    Characters, DigitUnit, Divisor, Divisor31, Level, NumberColumn, OPEN, ROWS, Sign, WordColumn, random,
};

/// Random numbers, after the smallest and the greatest.
fn numbers() -> NumberColumn {
    std::array::from_fn(|row| match row {
        0 => 0,
        1 => u64::MAX,
        _ => random::bits(7, row as u64),
    })
}

fn words(below: u64) -> WordColumn {
    numbers().map(|bits| random::below(bits, below) as u32)
}

/// Runs a kernel at every level.
fn each_level<T: PartialEq + std::fmt::Debug>(run: impl Fn(&crate::Kernels) -> T, expected: T) {
    for level in Level::all() {
        assert_eq!(run(level.kernels()), expected, "{level:?}");
    }
}

fn filled(run: impl Fn(&mut WordColumn)) -> WordColumn {
    let mut words = [0; ROWS];
    run(&mut words);
    words
}

#[test]
fn hashes_of_java() {
    let text = [words(1 << 32), words(1 << 32), words(1 << 32)];
    for width in 0..=12 {
        let expected = std::array::from_fn(|row| {
            let bytes = text.iter().flat_map(|column| column[row].to_le_bytes()).take(width);
            bytes.fold(5u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)))
        });
        let run = |kernels: &crate::Kernels| {
            let mut hashes = [5; ROWS];
            kernels.java_hash(&text, width, &mut hashes);
            hashes
        };
        each_level(run, expected);
    }
}

#[test]
fn remainders_with_signs() {
    let mut hashes = words(1 << 32);
    [hashes[2], hashes[3], hashes[4]] = [i32::MIN as u32, (i32::MIN + 1) as u32, i32::MAX as u32];
    for by in [1, 2, 7, 1_000, i32::MAX] {
        for sign in [Sign::Kept, Sign::Dropped, Sign::OfLeast] {
            let expected = hashes.map(|hash| {
                let number = hash as i32;
                let rest = match sign {
                    Sign::Kept => number % by,
                    Sign::Dropped => (number % by).abs(),
                    Sign::OfLeast => number.wrapping_abs() % by,
                };
                rest as u32
            });
            let run = |kernels: &crate::Kernels| {
                let mut hashes = hashes;
                kernels.remainder(Divisor31::new(by as u32).unwrap(), sign, &mut hashes);
                hashes
            };
            each_level(run, expected);
        }
    }
}

#[test]
fn quotients() {
    for (numbers, offset) in [(numbers().map(|bits| bits >> 2), 3), ([1_000_007; ROWS], u64::MAX - 6)] {
        for by in [1u64, 10, 100_000_000, 86_400_000] {
            let sums = numbers.map(|number| number.wrapping_add(offset));
            let expected = (sums.map(|sum| sum / by), sums.map(|sum| (sum % by) as u32));
            let run = |kernels: &crate::Kernels| {
                let (mut quotients, mut rests) = (numbers, [0; ROWS]);
                kernels.split(Divisor::new(by).unwrap(), offset, &mut quotients, &mut rests);
                (quotients, rests)
            };
            each_level(run, expected);
            let once = |kernels: &crate::Kernels| {
                let mut rests = [0; ROWS];
                let quotient = kernels.split_once(Divisor::new(by).unwrap(), offset, &numbers, &mut rests);
                quotient.map(|quotient| ([quotient; ROWS], rests))
            };
            let is_one = expected.0.iter().all(|quotient| *quotient == expected.0[0]);
            each_level(once, is_one.then_some(expected));
        }
    }
}

#[test]
fn rows_of_regions() {
    for regions in [1, 7, 20, 255] {
        let places =
            words(regions + 1).map(|region| if u64::from(region) == regions { OPEN } else { region });
        for rows in [0, 1, 63, ROWS] {
            let rows = &places[..rows];
            let mut expected = vec![0; regions as usize];
            rows.iter().filter(|region| **region != OPEN).for_each(|region| expected[*region as usize] += 1);
            let total: u64 = expected.iter().sum();
            let run = |kernels: &crate::Kernels| {
                let mut puts = vec![0; regions as usize];
                (kernels.count(rows, &mut puts), puts)
            };
            each_level(run, (total, expected));
        }
    }
}

#[test]
fn texts_of_numbers() {
    let text = |digits: String| u32::from_le_bytes(digits.as_bytes().try_into().unwrap());
    let numbers = words(10_000);
    let expected = numbers.map(|number| text(format!("{number:04}")));
    each_level(|kernels| filled(|words| kernels.four_digits(&numbers, 0, words)), expected);
    let numbers = words(100_000_000);
    let expected = numbers.map(|number| text(format!("{:04}", number % 10_000)));
    let first = numbers.map(|number| text(format!("{:04}", number / 10_000)) >> 8);
    let run = |kernels: &crate::Kernels| {
        let (mut last, mut first) = ([0; ROWS], [0; ROWS]);
        kernels.eight_digits(&numbers, 8, &mut last, &mut first);
        (last, first)
    };
    each_level(run, (expected, first));
    let seconds = words(86_400);
    let expected = seconds.map(|second| text(format!("{:02}{:02}", second / 3_600, second / 60 % 60)));
    each_level(
        |kernels| filled(|words| kernels.unit_digits(DigitUnit::HourMinute, &seconds, words)),
        expected,
    );
    let bytes = words(1 << 32);
    let expected = bytes.map(|word| {
        let [_, first, second, _] = word.to_le_bytes();
        text(format!("{first:02x}{second:02x}"))
    });
    each_level(|kernels| filled(|words| kernels.hex_digits(&bytes, 8, u32::MAX, words)), expected);
}

#[test]
fn characters_from_the_right() {
    let alphabet = Characters::new(b"ACEGabcz").unwrap();
    let numbers = words(1 << 31);
    let expected = numbers.map(|number| u32::from(b"ACEGabcz"[number as usize % 8]) << 16);
    let run = |kernels: &crate::Kernels| {
        let (mut rest, mut words) = (numbers, [0; ROWS]);
        kernels.next_character(&alphabet, 16, &mut rest, &mut words);
        (rest, words)
    };
    each_level(run, (numbers.map(|number| number / 8), expected));
    assert!(Characters::new(b"").is_none() && Characters::new("\u{e4}".as_bytes()).is_none());
}

#[test]
fn tables() {
    let numbers = words(50);
    let table: Vec<u32> = (0..5).collect();
    let expected = numbers.map(|number| match number.wrapping_sub(4) >> 3 {
        entry @ 0..5 => entry,
        _ => OPEN,
    });
    each_level(|kernels| filled(|entries| kernels.look_up(&table, 4, 3, &numbers, entries)), expected);
}

#[test]
fn md5_of_every_length() {
    for length in 0..=MAX_MESSAGE {
        let bytes = |row: usize| (0..length).map(move |i| (row * 131 + i * 29 + length) as u8);
        let mut messages = Messages::new(length).unwrap();
        for row in 0..ROWS {
            for (i, byte) in bytes(row).enumerate() {
                messages.words_mut()[i / 4][row] |= u32::from(byte) << (8 * (i % 4));
            }
        }
        let expected: Vec<[u8; 16]> =
            (0..ROWS).map(|row| Md5::digest(bytes(row).collect::<Vec<_>>()).into()).collect();
        for level in Level::all() {
            let mut digests = [[0; ROWS]; 4];
            level.kernels().first_words(&messages, &mut digests[0]);
            for (row, expected) in expected.iter().enumerate() {
                assert_eq!(digests[0][row].to_le_bytes(), expected[..4], "{level:?} {length} {row}");
            }
            level.kernels().digests(&messages, &mut digests);
            for (row, expected) in expected.iter().enumerate() {
                let words = digests.map(|column| column[row].to_le_bytes());
                assert_eq!(words.concat(), expected, "{level:?} {length} {row}");
            }
        }
    }
    assert!(Messages::new(MAX_MESSAGE + 1).is_none());
}
