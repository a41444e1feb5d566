//! A broken rule, told in full.

use heapstone_spec::Violation;
use serde::Serialize;

use crate::page::Page;
use crate::rules::{message, sdk_range};

/// Every word of it, one field a line.
pub(crate) fn write(page: &mut Page, violation: &Violation) {
    let rule = violation.rule;
    page.field("rule", rule.id);
    page.field("statement", rule.statement);
    page.field("field", violation.field);
    page.field("given", &violation.given);
    page.field("allowed", &violation.allowed);
    page.field("what to change", rule.remedy);
    page.field("message", message(violation.message));
    page.field("sdk", sdk_range(rule));
}

/// The same as JSON.
#[derive(Debug, Serialize)]
pub(crate) struct ViolationJson {
    rule: &'static str,
    statement: &'static str,
    field: &'static str,
    given: String,
    allowed: String,
    remedy: &'static str,
    message: Option<&'static str>,
    message_number: Option<u32>,
    sdk: String,
}

impl From<&Violation> for ViolationJson {
    fn from(violation: &Violation) -> ViolationJson {
        let rule = violation.rule;
        ViolationJson {
            rule: rule.id,
            statement: rule.statement,
            field: violation.field,
            given: violation.given.clone(),
            allowed: violation.allowed.clone(),
            remedy: rule.remedy,
            message: violation.message.map(|message| message.name),
            message_number: violation.message.map(|message| message.number),
            sdk: sdk_range(rule),
        }
    }
}
