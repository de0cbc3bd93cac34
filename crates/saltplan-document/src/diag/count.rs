//! Counts in messages.

/// Digits in groups of three: `5,000,000`.
#[must_use]
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 file`, `2,000 files`.
#[must_use]
pub fn counted(count: u128, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_a_group() {
        let numbers = [0, 999, 1_000, 1_234_567, u128::MAX];
        let texts = numbers.map(grouped);
        let most = "340,282,366,920,938,463,463,374,607,431,768,211,455";
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567", most]);
        assert_eq!(counted(1, "file", "files"), "1 file");
        assert_eq!(counted(2_000, "file", "files"), "2,000 files");
    }
}
