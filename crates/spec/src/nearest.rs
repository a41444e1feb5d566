//! The nearest name, for "did you mean".

/// The name of `names` that differs least from `given`, where it differs by at most a third of its
/// letters (at least two): further away, a suggestion misleads (chosen).
pub(crate) fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A name that long is no slip of the finger, and the distance is quadratic.
    if given.len() > 128 {
        return None;
    }
    names
        .into_iter()
        .map(|name| (distance(given, name), name))
        .filter(|(distance, name)| *distance <= (name.len() / 3).max(2))
        .min()
        .map(|(_, name)| name)
}

/// Levenshtein's distance over the letters, in any case.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().map(|c| c.to_ascii_lowercase()).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().map(|c| c.to_ascii_lowercase()).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replace = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_by_hand() {
        for (a, b, want) in [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("uma", "UMA", 0)] {
            assert_eq!(distance(a, b), want, "{a} {b}");
            assert_eq!(distance(b, a), want, "{b} {a}");
        }
    }

    #[test]
    fn only_near_names_are_suggested() {
        let names = ["vendor_id", "device_id", "revision"];
        assert_eq!(nearest("vender_id", names), Some("vendor_id"));
        assert_eq!(nearest("bandwidth", names), None);
        assert_eq!(nearest(&"v".repeat(10_000), names), None);
    }
}
