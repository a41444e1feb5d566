//! A profile from TOML.

use core::ops::Range;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_spanned::Spanned;
use toml::de::{DeTable, DeValue};

use super::check::Finding;
use super::error::{Cursor, Problem, ProblemKind, ProfileError};
use super::schema::{FIELDS, Field, SEGMENT_FIELDS, SEGMENTS, Scalar, TABLES};
use super::{Profile, Segment};
use crate::nearest::nearest;

/// The greatest file that is read: a profile is some kilobytes, and a wrong path may be anything.
const FILE_SIZE_MAX: u64 = 1 << 20;

impl Profile {
    /// Parses a profile; `file_name` is for the errors only.
    ///
    /// # Errors
    /// Every problem of the text at once: syntax (the first), unknown, missing and ill-typed keys, and
    /// where there are none of those what [`Profile::check`] finds.
    pub fn parse(text: &str, file_name: &str) -> Result<Profile, ProfileError> {
        let mut reader =
            Reader { text, spans: BTreeMap::new(), sources: BTreeMap::new(), problems: Vec::new() };
        let profile = reader.profile();
        if reader.problems.is_empty() {
            for finding in profile.findings() {
                reader.finding(finding);
            }
        }
        if reader.problems.is_empty() {
            return Ok(profile);
        }
        Err(ProfileError { file: file_name.to_owned(), problems: reader.located() })
    }

    /// Reads and parses the file at `path`.
    ///
    /// # Errors
    /// As [`Profile::parse`], and where the file cannot be read, is above 1 MiB or is not UTF-8.
    pub fn load(path: impl AsRef<Path>) -> Result<Profile, ProfileError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        match read_text(path) {
            Ok(text) => Profile::parse(&text, &file),
            Err(given) => Err(ProfileError {
                file,
                problems: vec![Problem {
                    kind: ProblemKind::Unreadable,
                    position: None,
                    key: String::new(),
                    given,
                    allowed: "a TOML file in UTF-8 of at most 1 MiB".to_owned(),
                }],
            }),
        }
    }
}

/// The text of a file, or what it is instead.
fn read_text(path: &Path) -> Result<String, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(FILE_SIZE_MAX + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if u64::try_from(bytes.len()).is_ok_and(|size| size > FILE_SIZE_MAX) {
        return Err("a file above 1 MiB".to_owned());
    }
    String::from_utf8(bytes)
        .map_err(|error| format!("bytes that are not UTF-8 at {}", error.utf8_error().valid_up_to()))
}

struct Reader<'t> {
    text: &'t str,
    /// Dotted key -> bytes of its value.
    spans: BTreeMap<String, Range<usize>>,
    /// Dotted key -> where the value comes from.
    sources: BTreeMap<String, String>,
    /// Each with the byte of the text that it is about.
    problems: Vec<(usize, Problem)>,
}

impl<'t> Reader<'t> {
    /// The problems in the order of the text, with their positions: one pass, since a hostile file has
    /// as many problems as keys.
    fn located(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|(offset, _)| *offset);
        let mut cursor = Cursor::new(self.text);
        let located = self.problems.into_iter().map(|(offset, problem)| {
            let position = Some(cursor.advance(offset));
            Problem { position, ..problem }
        });
        located.collect()
    }

    /// The profile of the text; meaningful only where no problem was found.
    fn profile(&mut self) -> Profile {
        let mut profile = Profile::blank();
        let root = match DeTable::parse(self.text) {
            Ok(root) => root.into_inner(),
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                let at = self.excerpt(&span);
                let message = error.message();
                let given = if at.is_empty() { message.to_owned() } else { format!("{at}: {message}") };
                self.problem(ProblemKind::Syntax, &span, "", given, "a TOML file, each key once".to_owned());
                return profile;
            }
        };
        let names: Vec<&str> = names_of(FIELDS, "").chain(TABLES.iter().copied()).collect();
        self.unknown_keys("", &root, &names);
        self.fields(&Place { prefix: "", table: "", entries: &root, span: 0..0 }, FIELDS, &mut profile);
        for table in TABLES {
            match find(&root, table) {
                Some(value) => self.table(table, value, &mut profile),
                None => {
                    let keys = names_of(FIELDS, table).collect::<Vec<_>>().join(", ");
                    self.missing(&(0..0), table, format!("a table [{table}] with the keys {keys}"));
                }
            }
        }
        profile.sources = core::mem::take(&mut self.sources);
        profile
    }

    fn table(&mut self, table: &str, value: &Spanned<DeValue<'t>>, profile: &mut Profile) {
        self.spans.insert(table.to_owned(), value.span());
        let DeValue::Table(entries) = value.get_ref() else {
            return self.wrong_type(table, value, format!("a table [{table}]"));
        };
        let has_segments = table == "memory";
        let names: Vec<&str> = names_of(FIELDS, table).chain(has_segments.then_some("segments")).collect();
        self.unknown_keys(table, entries, &names);
        self.fields(&Place { prefix: "", table, entries, span: value.span() }, FIELDS, profile);
        if has_segments {
            match find(entries, "segments") {
                Some(array) => self.segments(array, profile),
                None => self.missing(&value.span(), SEGMENTS, segments_allowed()),
            }
        }
    }

    fn segments(&mut self, array: &Spanned<DeValue<'t>>, profile: &mut Profile) {
        self.spans.insert(SEGMENTS.to_owned(), array.span());
        let DeValue::Array(items) = array.get_ref() else {
            return self.wrong_type(SEGMENTS, array, segments_allowed());
        };
        let names: Vec<&str> = names_of(SEGMENT_FIELDS, "").collect();
        for (index, item) in items.iter().enumerate() {
            let key = format!("{SEGMENTS}.{index}");
            self.spans.insert(key.clone(), item.span());
            let DeValue::Table(entries) = item.get_ref() else {
                self.wrong_type(&key, item, segments_allowed());
                continue;
            };
            self.unknown_keys(&key, entries, &names);
            let mut segment = Segment::blank();
            let place = Place { prefix: &key, table: "", entries, span: item.span() };
            self.fields(&place, SEGMENT_FIELDS, &mut segment);
            profile.memory.segments.push(segment);
        }
    }

    /// Sets every field of `place`'s table from its entries.
    fn fields<T>(&mut self, place: &Place<'_, 't>, fields: &[Field<T>], owner: &mut T) {
        for field in fields.iter().filter(|field| field.table == place.table) {
            let key = field.key(place.prefix);
            let Some(value) = find(place.entries, field.name) else {
                self.missing(&place.span, &key, field.kind.allowed());
                continue;
            };
            self.spans.insert(key.clone(), value.span());
            let Some(value) = self.without_source(&key, value) else { continue };
            let scalar = scalar_of(value.get_ref()).map(|scalar| field.kind.resolve(scalar));
            if !scalar.as_ref().is_some_and(|scalar| (field.set)(owner, scalar)) {
                let is_range = scalar.is_some_and(|scalar| field.kind.is_out_of_range(&scalar));
                let kind = if is_range { ProblemKind::OutOfRange } else { ProblemKind::WrongType };
                self.wrong_value(kind, &key, value, field.kind.allowed());
            }
        }
    }

    /// The value of a leaf that may be wrapped as `{ value = ..., source = "..." }`; keeps the source.
    fn without_source<'v>(
        &mut self,
        key: &str,
        leaf: &'v Spanned<DeValue<'t>>,
    ) -> Option<&'v Spanned<DeValue<'t>>> {
        let DeValue::Table(entries) = leaf.get_ref() else { return Some(leaf) };
        self.unknown_keys(key, entries, &["value", "source"]);
        if let Some(source) = find(entries, "source") {
            match source.get_ref() {
                DeValue::String(text) => {
                    self.sources.insert(key.to_owned(), text.clone().into_owned());
                }
                _ => self.wrong_type(&format!("{key}.source"), source, "text in quotes".to_owned()),
            }
        }
        let value = find(entries, "value");
        if value.is_none() {
            self.missing(&leaf.span(), &format!("{key}.value"), "the value, beside its source".to_owned());
        }
        value
    }

    fn unknown_keys(&mut self, prefix: &str, entries: &DeTable<'t>, names: &[&str]) {
        for (key, _) in entries.iter() {
            let name = key.get_ref().as_ref();
            if names.contains(&name) {
                continue;
            }
            let hint = nearest(name, names.iter().copied());
            let hint = hint.map_or_else(String::new, |nearest| format!(" (did you mean {nearest}?)"));
            let full = if prefix.is_empty() { shorten(name) } else { format!("{prefix}.{}", shorten(name)) };
            let allowed = format!("{}{hint}", names.join(", "));
            self.problem(ProblemKind::UnknownKey, &key.span(), &full, String::new(), allowed);
        }
    }

    fn missing(&mut self, span: &Range<usize>, key: &str, allowed: String) {
        self.problem(ProblemKind::MissingKey, span, key, String::new(), allowed);
    }

    fn wrong_type(&mut self, key: &str, value: &Spanned<DeValue<'t>>, allowed: String) {
        self.wrong_value(ProblemKind::WrongType, key, value, allowed);
    }

    /// The value has the wrong type, or is outside what the type holds.
    fn wrong_value(&mut self, kind: ProblemKind, key: &str, value: &Spanned<DeValue<'t>>, allowed: String) {
        let given = match value.get_ref() {
            DeValue::Table(_) => "a table".to_owned(),
            DeValue::Array(_) => "an array".to_owned(),
            _ => self.excerpt(&value.span()),
        };
        self.problem(kind, &value.span(), key, given, allowed);
    }

    /// What [`Profile::findings`] found, at the key's place or that of the table it is in.
    fn finding(&mut self, finding: Finding) {
        let mut key = finding.key.as_str();
        let span = loop {
            if let Some(span) = self.spans.get(key) {
                break span.clone();
            }
            match key.rsplit_once('.') {
                Some((parent, _)) => key = parent,
                None => break 0..0,
            }
        };
        self.problem(finding.kind, &span, &finding.key, finding.given, finding.allowed);
    }

    fn problem(&mut self, kind: ProblemKind, span: &Range<usize>, key: &str, given: String, allowed: String) {
        let problem = Problem { kind, position: None, key: key.to_owned(), given, allowed };
        self.problems.push((span.start, problem));
    }

    fn excerpt(&self, span: &Range<usize>) -> String {
        self.text.get(span.clone()).map_or_else(String::new, shorten)
    }
}

/// A table of the file and where it stands in the schema.
struct Place<'e, 't> {
    /// Before the keys; of a segment its index.
    prefix: &'e str,
    /// Which fields.
    table: &'e str,
    entries: &'e DeTable<'t>,
    span: Range<usize>,
}

fn segments_allowed() -> String {
    let keys = names_of(SEGMENT_FIELDS, "").collect::<Vec<_>>().join(", ");
    format!("one table [[{SEGMENTS}]] or more with the keys {keys}")
}

fn names_of<'f, T>(fields: &'f [Field<T>], table: &'f str) -> impl Iterator<Item = &'static str> + 'f {
    fields.iter().filter(move |field| field.table == table).map(|field| field.name)
}

fn find<'e, 't>(entries: &'e DeTable<'t>, name: &str) -> Option<&'e Spanned<DeValue<'t>>> {
    entries.iter().find(|(key, _)| key.get_ref().as_ref() == name).map(|(_, value)| value)
}

fn scalar_of(value: &DeValue<'_>) -> Option<Scalar> {
    match value {
        DeValue::String(text) => Some(Scalar::Text(text.clone().into_owned())),
        DeValue::Boolean(flag) => Some(Scalar::Bool(*flag)),
        DeValue::Integer(integer) => {
            // What 128 bits do not hold is out of range all the more.
            let number = i128::from_str_radix(integer.as_str(), integer.radix());
            Some(Scalar::Integer(number.unwrap_or(i128::MAX)))
        }
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

/// At most 60 letters of one line: the error is for a person.
fn shorten(text: &str) -> String {
    const LETTERS_MAX: usize = 60;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(LETTERS_MAX) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}
