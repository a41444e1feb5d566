//! Numbers as people read and write them.

use std::fmt;

use heapstone_units::Bytes;

/// A whole number with commas: `727,812,716`.
pub(crate) fn grouped(number: u64) -> String {
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

/// Bytes, exact and in short: `727,812,716 (694.1 MiB)`. Below 1 KiB the exact number says it all.
pub(crate) fn bytes(count: u64) -> String {
    if count < 1 << 10 { grouped(count) } else { format!("{} ({})", grouped(count), short(count)) }
}

/// Bytes in short: `64 KiB` where that is all, `694.1 MiB` where it is not.
pub(crate) fn short(count: u64) -> String {
    let exact = Bytes(count).to_string();
    let rounded = format!("{:#}", Bytes(count));
    // Exact in the largest unit, or in another and then hard to read (`5464 KiB`).
    if rounded.replacen(".0 ", " ", 1) == exact { exact } else { rounded }
}

/// A difference of bytes with its sign: `-391,380,992 (373.3 MiB)`.
pub(crate) fn difference(from: u64, to: u64) -> String {
    match to.cmp(&from) {
        std::cmp::Ordering::Less => format!("-{}", bytes(from - to)),
        std::cmp::Ordering::Equal => "0".to_owned(),
        std::cmp::Ordering::Greater => format!("+{}", bytes(to - from)),
    }
}

/// `part` of `whole` in percent with one decimal; nothing of nothing is 0.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "0.0%".to_owned();
    }
    let permille = (u128::from(part) * 1000 + u128::from(whole) / 2) / u128::from(whole);
    format!("{}.{}%", permille / 10, permille % 10)
}

/// `1 heap`, `8 heaps`.
pub(crate) fn count(number: u64, singular: &str, plural: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { singular } else { plural })
}

/// What parsing a count of bytes answers when it is none.
#[derive(Debug)]
pub(crate) struct NotBytes;

impl fmt::Display for NotBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "allowed: bytes up to 2^64 - 1 as a number (65536, 65,536, 0x10000) or with a unit (64KiB, 4MiB, \
             1GiB; B, KiB, MiB, GiB, TiB, PiB, EiB)",
        )
    }
}

impl std::error::Error for NotBytes {}

/// A count of bytes from the command line: `65536`, `65,536`, `65_536`, `0x10000`, `64KiB`, `64 KiB`.
/// Units are powers of two only: `64KB` could mean either, and is refused.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, NotBytes> {
    const UNITS: [(&str, u32); 7] =
        [("kib", 10), ("mib", 20), ("gib", 30), ("tib", 40), ("pib", 50), ("eib", 60), ("b", 0)];
    let text = text.trim().to_ascii_lowercase();
    if let Some(digits) = text.strip_prefix("0x") {
        return parse_digits(digits, 16);
    }
    let (digits, log2) = UNITS
        .iter()
        .find_map(|(unit, log2)| Some((text.strip_suffix(unit)?.trim_end(), *log2)))
        .unwrap_or((&text, 0));
    parse_digits(digits, 10)?.checked_mul(1 << log2).ok_or(NotBytes)
}

fn parse_digits(text: &str, radix: u32) -> Result<u64, NotBytes> {
    let digits: String = text.chars().filter(|c| !matches!(c, ',' | '_')).collect();
    // from_str_radix alone would take a sign; separators alone are no number.
    if !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(NotBytes);
    }
    u64::from_str_radix(&digits, radix).map_err(|_| NotBytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_typed_by_hand() {
        for (number, want) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (727_812_716, "727,812,716"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(grouped(number), want);
        }
        assert_eq!(bytes(12), "12");
        assert_eq!(bytes(727_812_716), "727,812,716 (694.1 MiB)");
        assert_eq!(bytes(65_536), "65,536 (64 KiB)");
        assert_eq!(bytes(5_595_136), "5,595,136 (5.3 MiB)");
        assert_eq!(difference(10, 4), "-6");
        assert_eq!(difference(4, 10), "+6");
        assert_eq!(difference(7, 7), "0");
        assert_eq!(percent(1, 3), "33.3%");
        assert_eq!(percent(0, 0), "0.0%");
        assert_eq!(percent(u64::MAX, u64::MAX), "100.0%");
    }

    #[test]
    fn byte_arguments() {
        for (text, want) in [
            ("0", 0),
            ("65536", 65_536),
            ("65,536", 65_536),
            ("0x10000", 65_536),
            ("64KiB", 65_536),
            ("64 kib", 65_536),
            ("4MiB", 4_194_304),
            ("18446744073709551615", u64::MAX),
            ("8EiB", 1 << 63),
        ] {
            assert_eq!(parse_bytes(text).unwrap(), want, "{text}");
        }
        for text in [
            "",
            "-1",
            "+1",
            "KiB",
            "64KB",
            "1.5MiB",
            "16EiB",
            "0x",
            "0xg",
            ",",
            "18446744073709551616",
            "1 2",
        ] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }
}
