//! A profile as TOML, and as a flat list.

use core::fmt::Write;

use super::Profile;
use super::schema::{FIELDS, Field, SEGMENT_FIELDS, SEGMENTS, TABLES};

impl Profile {
    /// The profile as a file that [`Profile::parse`] reads back to an equal one, sources included.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        self.write_table(&mut text, "", "", FIELDS, self);
        for table in TABLES {
            writeln!(text, "\n[{table}]").expect("invariant: a String takes everything");
            self.write_table(&mut text, "", table, FIELDS, self);
            if *table == "memory" {
                for (index, segment) in self.memory.segments.iter().enumerate() {
                    writeln!(text, "\n[[{SEGMENTS}]]").expect("invariant: a String takes everything");
                    self.write_table(&mut text, &format!("{SEGMENTS}.{index}"), "", SEGMENT_FIELDS, segment);
                }
            }
        }
        text
    }

    fn write_table<T>(&self, text: &mut String, prefix: &str, table: &str, fields: &[Field<T>], owner: &T) {
        for field in fields.iter().filter(|field| field.table == table) {
            let value = field.kind.toml(&(field.get)(owner));
            let line = match self.sources.get(&field.key(prefix)) {
                Some(source) => {
                    let source = toml::Value::String(source.clone());
                    format!("{} = {{ value = {value}, source = {source} }}", field.name)
                }
                None => format!("{} = {value}", field.name),
            };
            text.push_str(&line);
            text.push('\n');
        }
    }

    /// Every value in the order of the file: dotted key, value as a person reads it (`8 GiB`, `0x10de`,
    /// `true`), source where one is known.
    #[must_use]
    pub fn entries(&self) -> Vec<(String, String, Option<String>)> {
        let mut entries = Vec::new();
        self.push_entries(&mut entries, "", "", FIELDS, self);
        for table in TABLES {
            self.push_entries(&mut entries, "", table, FIELDS, self);
            if *table == "memory" {
                for (index, segment) in self.memory.segments.iter().enumerate() {
                    self.push_entries(
                        &mut entries,
                        &format!("{SEGMENTS}.{index}"),
                        "",
                        SEGMENT_FIELDS,
                        segment,
                    );
                }
            }
        }
        entries
    }

    fn push_entries<T>(
        &self,
        entries: &mut Vec<(String, String, Option<String>)>,
        prefix: &str,
        table: &str,
        fields: &[Field<T>],
        owner: &T,
    ) {
        for field in fields.iter().filter(|field| field.table == table) {
            let key = field.key(prefix);
            let source = self.sources.get(&key).cloned();
            entries.push((key, field.kind.plain(&(field.get)(owner)), source));
        }
    }
}
