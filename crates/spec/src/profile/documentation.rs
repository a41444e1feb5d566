//! `docs/profiles.md` against the schema: the key table is read, and the example is parsed.

use super::Profile;
use super::schema::{FIELDS, Kind, SEGMENT_FIELDS, SEGMENTS};

const DOCUMENT: &str = include_str!("../../../../docs/profiles.md");

/// The cells of the rows of the table whose header starts with `first`.
fn table(first: &str) -> Vec<Vec<&'static str>> {
    DOCUMENT
        .lines()
        .skip_while(|line| !line.starts_with(&format!("| {first} |")))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// The one block of the language.
fn block(language: &str) -> &'static str {
    let (_, after) = DOCUMENT.split_once(&format!("```{language}\n")).unwrap();
    after.split_once("```").unwrap().0
}

/// Every key with its type, in the order in which a file is written.
fn schema() -> Vec<(String, Kind)> {
    let segments = || {
        let prefix = format!("{SEGMENTS}.N");
        SEGMENT_FIELDS.iter().map(move |field| (field.key(&prefix), field.kind))
    };
    let mut keys: Vec<(String, Kind)> = Vec::new();
    for (index, field) in FIELDS.iter().enumerate() {
        keys.push((field.key(""), field.kind));
        let ends_memory =
            field.table == "memory" && FIELDS.get(index + 1).is_none_or(|next| next.table != "memory");
        if ends_memory {
            keys.extend(segments());
        }
    }
    keys
}

#[test]
fn the_key_table_lists_the_keys_that_exist_with_their_types() {
    let want: Vec<(String, &str)> =
        schema().into_iter().map(|(key, kind)| (format!("`{key}`"), kind.name())).collect();
    let rows = table("key");
    let documented: Vec<(String, &str)> = rows.iter().map(|row| (row[0].to_owned(), row[1])).collect();
    assert_eq!(documented, want);
    for row in rows {
        assert_eq!(row.len(), 5, "{}", row[0]);
        assert!(!row[4].is_empty(), "{}: no meaning", row[0]);
    }
}

#[test]
fn the_type_table_lists_the_types_that_exist() {
    let documented: Vec<&str> = table("type").iter().map(|row| row[0]).collect();
    for (key, kind) in schema() {
        assert!(documented.contains(&kind.name()), "{key}: {}", kind.name());
    }
    for name in documented {
        assert!(schema().iter().any(|(_, kind)| kind.name() == name), "{name} is no type of a key");
    }
}

#[test]
fn tiers_and_names_are_listed_as_the_loader_takes_them() {
    for ((key, kind), row) in schema().into_iter().zip(table("key")) {
        if let Kind::Tier(values) | Kind::Name(values) | Kind::Names(values) = kind {
            assert!(row[3].starts_with(&values()), "{key}: {} does not start with {}", row[3], values());
        }
    }
}

#[test]
fn the_example_parses() {
    let profile = Profile::parse(block("toml"), "docs/profiles.md").unwrap();
    assert_eq!(profile.name, "my-card");
    assert_eq!(profile.memory.segments[0].size, 6_442_450_944);
    assert_eq!(profile.sources["memory.segments.0.size"], "the card's data sheet");
    assert_eq!(profile.sources.len(), 3);
}

#[test]
fn the_shown_errors_are_what_the_example_gets_when_it_is_broken_so() {
    let broken = block("toml")
        .replace("resource_heap_tier = 2", "resource_heap_tier = 3")
        .replace("node_count", "node_cout");
    let error = Profile::parse(&broken, "my-card.toml").unwrap_err();
    assert_eq!(error.to_string(), block("console").trim_end());
}
