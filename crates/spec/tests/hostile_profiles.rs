//! No text makes the profile loader panic, and what it accepts passes its own checks and round-trips.

use std::sync::LazyLock;

use heapstone_spec::Profile;
use proptest::prelude::*;

/// Parses, and holds the loader to its promises whatever the text.
fn parse(text: &str) {
    match Profile::parse(text, "fuzz.toml") {
        Ok(profile) => {
            assert_eq!(profile.check(), Ok(()));
            assert_eq!(Profile::parse(&profile.to_toml(), "again.toml"), Ok(profile));
        }
        Err(error) => {
            assert!(!error.problems.is_empty());
            assert!(error.problems.iter().all(|problem| problem.position.is_some()));
            assert!(!error.to_string().is_empty());
        }
    }
}

/// Every built-in profile as text.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    Profile::builtin_names()
        .iter()
        .map(|name| Profile::builtin(name).expect("a built-in name").to_toml())
        .collect()
});

/// Values that a key may wrongly have.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        prop::sample::select(vec![
            "0",
            "-1",
            "1",
            "31",
            "4096",
            "65536",
            "9223372036854775807",
            "0x7fffffffffffffff",
            "1e300",
            "nan",
            "inf",
            "true",
            "false",
            "\"\"",
            "\"none\"",
            "\"all\"",
            "\"8 GiB\"",
            "\"16 EiB\"",
            "\"L0\"",
            "\"L1\"",
            "\"LOCAL\"",
            "\"NON_LOCAL\"",
            "\"linear\"",
            "[]",
            "[[]]",
            "{}",
            "{ value = 1 }",
            "{ value = {} }",
            "1979-05-27",
            "'''x'''",
            "\"\\ud800\"",
            "",
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn truncated(which in 0..9_usize, cut in any::<prop::sample::Index>()) {
        let text = &TEXTS[which];
        let mut end = cut.index(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        parse(&text[..end]);
    }

    #[test]
    fn other_values(which in 0..9_usize, changes in prop::collection::vec((any::<prop::sample::Index>(), value()), 1..4)) {
        let text = &TEXTS[which];
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (line, value) in changes {
            let at = line.index(lines.len());
            if let Some((key, _)) = lines[at].split_once(" = ") {
                lines[at] = format!("{key} = {value}");
            }
        }
        parse(&lines.join("\n"));
    }

    #[test]
    fn lines_lost_doubled_and_moved(which in 0..9_usize, from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>(), keep in any::<bool>()) {
        let text = &TEXTS[which];
        let mut lines: Vec<&str> = text.lines().collect();
        let line = lines[from.index(lines.len())];
        if !keep {
            lines.remove(from.index(lines.len()));
        }
        lines.insert(to.index(lines.len()), line);
        parse(&lines.join("\n"));
    }

    #[test]
    fn bytes_changed(which in 0..9_usize, at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = TEXTS[which].clone().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn anything(text in "\\PC*") {
        parse(&text);
    }
}
