//! `heapstone profiles`.

use heapstone_spec::Profile;

use crate::args::ProfilesCommand;
use crate::failure::{Failure, Verdict};
use crate::page::{self, Page, Side, Style, Table};

pub(crate) fn run(command: &ProfilesCommand) -> Result<Verdict, Failure> {
    let style = Style::of_stdout();
    match command {
        ProfilesCommand::List => list(style).print()?,
        ProfilesCommand::Show { profile, toml: true } => page::print(&find(profile)?.to_toml())?,
        ProfilesCommand::Show { profile, toml: false } => show(&find(profile)?, style).print()?,
        ProfilesCommand::Compare { left, right } => {
            compare((left, &find(left)?), (right, &find(right)?), style).print()?;
        }
    }
    Ok(Verdict::Accepted)
}

/// The profile of that name or in that file.
pub(crate) fn find(name_or_path: &str) -> Result<Profile, Failure> {
    Profile::find(name_or_path).map_err(Failure::new)
}

/// What to call a profile: its name, of a file also the file, whose profile may keep the name of the one
/// that it was made from.
pub(crate) fn label(name_or_path: &str, profile: &Profile) -> String {
    if name_or_path == profile.name {
        profile.name.clone()
    } else {
        format!("{name_or_path} (profile {})", profile.name)
    }
}

fn list(style: Style) -> Page {
    let mut table = Table::new([("name", Side::Left), ("description", Side::Left)]);
    for profile in Profile::builtin_names().into_iter().filter_map(Profile::builtin) {
        table.row([profile.name, profile.description]);
    }
    let mut page = Page::new(style);
    page.table(&table);
    page
}

fn show(profile: &Profile, style: Style) -> Page {
    let mut page = Page::new(style);
    page.field("name", &profile.name);
    page.field("description", &profile.description);
    page.gap();
    let mut table = Table::new([("key", Side::Left), ("value", Side::Left), ("source", Side::Left)]);
    for (key, value, source) in profile.entries() {
        if key != "name" && key != "description" {
            table.row([key, value, source.unwrap_or_default()]);
        }
    }
    page.table(&table);
    page
}

/// Each with what was typed, which tells two apart that have one name.
fn compare(
    (left_label, left): (&str, &Profile),
    (right_label, right): (&str, &Profile),
    style: Style,
) -> Page {
    const ABSENT: &str = "-";
    let (of_left, of_right) = (left.entries(), right.entries());
    let value = |entries: &[(String, String, Option<String>)], key: &str| {
        entries
            .iter()
            .find(|(other, ..)| other == key)
            .map_or(ABSENT, |(_, value, _)| value.as_str())
            .to_owned()
    };
    let mut table = Table::new([("key", Side::Left), (left_label, Side::Left), (right_label, Side::Left)]);
    // The left one's keys in their order; the right one may have more segments.
    let only_right = of_right.iter().filter(|(key, ..)| !of_left.iter().any(|(other, ..)| other == key));
    for (key, ..) in of_left.iter().chain(only_right) {
        let values = (value(&of_left, key), value(&of_right, key));
        // Names are the headings, descriptions stand above.
        if key != "name" && key != "description" && values.0 != values.1 {
            table.row([key.clone(), values.0, values.1]);
        }
    }
    let mut page = Page::new(style);
    page.field(left_label, &left.description);
    page.field(right_label, &right.description);
    page.gap();
    if table.is_empty() {
        page.line(format_args!("{left_label} and {right_label} differ in no key"));
    }
    page.table(&table);
    page
}
