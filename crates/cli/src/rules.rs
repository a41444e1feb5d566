//! `heapstone rules`.

use heapstone_spec::message::MessageId;
use heapstone_spec::{Rule, SdkVersion, rules};

use crate::args::RulesArgs;
use crate::failure::{Failure, Verdict};
use crate::page::{Page, Side, Style, Table};

pub(crate) fn run(args: &RulesArgs) -> Result<Verdict, Failure> {
    let wanted = args.id.as_deref().unwrap_or_default();
    let mut page = Page::new(Style::of_stdout());
    if let Some(rule) = rules::find(wanted) {
        in_full(&mut page, rule);
        if let Some(sdk) = args.sdk.filter(|sdk| !rule.holds_in(*sdk)) {
            page.gap();
            page.line(format_args!("It does not hold under SDK {sdk}."));
        }
    } else {
        let found: Vec<&Rule> = rules::all().filter(|rule| rule.id.starts_with(wanted)).collect();
        if found.is_empty() {
            return Err(Failure::new(format_args!("no rule is called {wanted:?}, and none begins so"))
                .with_remedy(suggestion(wanted)));
        }
        list(&mut page, found.into_iter().filter(|rule| args.sdk.is_none_or(|sdk| rule.holds_in(sdk))));
    }
    page.print()?;
    Ok(Verdict::Accepted)
}

/// The rules whose names share most pairs of letters with the one that was given, and where to look.
fn suggestion(wanted: &str) -> String {
    const SHOWN_MAX: usize = 3;
    let pairs = |text: &str| text.as_bytes().windows(2).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let of_wanted = pairs(wanted);
    let mut near: Vec<(usize, &str)> = rules::all()
        .map(|rule| (pairs(rule.id).iter().filter(|pair| of_wanted.contains(pair)).count(), rule.id))
        // Fewer than half of the pairs: another word.
        .filter(|(shared, id)| shared * 2 > id.len())
        .collect();
    // The share of all pairs of both: a long name has many pairs by chance.
    near.sort_by_key(|(shared, id)| std::cmp::Reverse(shared * 1000 / (id.len() + wanted.len())));
    let near: Vec<&str> = near.into_iter().map(|(_, id)| id).take(SHOWN_MAX).collect();
    if near.is_empty() {
        "`heapstone rules` lists them all".to_owned()
    } else {
        format!("alike: {}; `heapstone rules` lists them all", near.join(", "))
    }
}

fn list<'a>(page: &mut Page, rules: impl Iterator<Item = &'a Rule>) {
    let mut table = Table::new([
        ("rule", Side::Left),
        ("sdk", Side::Left),
        ("message", Side::Left),
        ("statement", Side::Left),
    ]);
    for rule in rules {
        let message = rule.message.map_or_else(|| "-".to_owned(), |message| message.number.to_string());
        table.row([rule.id.to_owned(), sdk_range(rule), message, rule.statement.to_owned()]);
    }
    page.table(&table);
}

fn in_full(page: &mut Page, rule: &Rule) {
    page.field("rule", rule.id);
    page.field("statement", rule.statement);
    page.field("what to change", rule.remedy);
    page.field("sdk", sdk_range(rule));
    page.field("message", message(rule.message));
    page.field("source", rule.source);
}

/// The debug layer's message by name and number.
pub(crate) fn message(message: Option<MessageId>) -> String {
    message.map_or_else(
        || "none in D3D12".to_owned(),
        |message| format!("D3D12_MESSAGE_ID_{} ({})", message.name, message.number),
    )
}

/// The SDK versions in which the rule holds: `all`, `inbox`, `from 606`, `until 606`, `606 to 618`.
pub(crate) fn sdk_range(rule: &Rule) -> String {
    match (rule.since, rule.until) {
        (SdkVersion::Inbox, None) => "all".to_owned(),
        (since, Some(until)) if since == until => since.to_string(),
        (since, None) => format!("from {since}"),
        (SdkVersion::Inbox, Some(until)) => format!("until {until}"),
        (since, Some(until)) => format!("{since} to {until}"),
    }
}
