//! The validation rules as data.
//!
//! A rule is decided in one place of the code; what it says, since which SDK it holds, the debug
//! layer's number for it and what to change stand here. Whoever finds a rule broken answers a
//! [`Violation`]: the rule, the field, what was given and what is allowed.

use core::fmt;

use crate::message::MessageId;
use crate::sdk::SdkVersion;

/// One validation rule of D3D12.
#[derive(Debug)]
pub struct Rule {
    /// A stable name, e.g. `heap.alignment`: subject first, dots between.
    pub id: &'static str,
    /// What it demands, in one sentence.
    pub statement: &'static str,
    /// What a caller whose call was refused can change.
    pub remedy: &'static str,
    /// The debug layer's message, where D3D12 has one.
    pub message: Option<MessageId>,
    /// The first SDK version in which it holds.
    pub since: SdkVersion,
    /// The last SDK version in which it holds; `None` while it still does.
    pub until: Option<SdkVersion>,
    /// Where it comes from: file and lines of the specification or the facts, or "chosen, because ...".
    pub source: &'static str,
}

impl Rule {
    /// Whether it holds under `sdk`.
    #[must_use]
    pub fn holds_in(&self, sdk: SdkVersion) -> bool {
        sdk >= self.since && self.until.is_none_or(|until| sdk <= until)
    }

    /// The violation of this rule by `field`: what was `given` and what is `allowed`, in words that
    /// carry the numbers.
    #[cold]
    #[must_use]
    pub fn violated(
        &'static self,
        field: &'static str,
        given: impl fmt::Display,
        allowed: impl fmt::Display,
    ) -> Box<Violation> {
        Box::new(Violation {
            rule: self,
            message: self.message,
            field,
            given: given.to_string(),
            allowed: allowed.to_string(),
        })
    }
}

/// Two rules are the same when their names are: a rule exists once, as a static.
impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}

/// A rule that the caller broke. Boxed in results: the success path stays small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: &'static Rule,
    /// The debug layer's message: the rule's, or its sibling of the call that was made (the rule of a heap's
    /// size is another message for CreateHeap than for CreateCommittedResource).
    pub message: Option<MessageId>,
    /// The field or argument, in D3D12's words, e.g. `HeapDesc.Alignment`.
    pub field: &'static str,
    /// What was given, with its numbers.
    pub given: String,
    /// What is allowed, with its numbers.
    pub allowed: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} is {}; allowed: {}", self.rule.id, self.field, self.given, self.allowed)
    }
}

impl core::error::Error for Violation {}

/// Declares rules as statics and lists them in `ALL`.
macro_rules! rules {
    ($(
        $(#[$doc:meta])*
        $name:ident = $id:literal {
            statement: $statement:literal,
            remedy: $remedy:literal,
            message: $message:expr,
            $(since: $since:ident,)?
            $(until: $until:ident,)?
            source: $source:literal $(,)?
        }
    )*) => {
        $(
            #[doc = $statement]
            #[doc = ""]
            #[doc = concat!("Source: ", $source, ".")]
            $(#[$doc])*
            pub static $name: $crate::rules::Rule = $crate::rules::Rule {
                id: $id,
                statement: $statement,
                remedy: $remedy,
                message: $message,
                since: {
                    #[allow(unused_mut, unused_assignments)]
                    let mut since = $crate::SdkVersion::Inbox;
                    $( since = $crate::SdkVersion::$since; )?
                    since
                },
                until: {
                    #[allow(unused_mut, unused_assignments)]
                    let mut until: Option<$crate::SdkVersion> = None;
                    $( until = Some($crate::SdkVersion::$until); )?
                    until
                },
                source: $source,
            };
        )*

        /// The rules of this file.
        pub static ALL: &[&$crate::rules::Rule] = &[$( &$name ),*];
    };
}

pub mod address;
pub mod barrier;
pub mod clear;
pub mod command;
pub mod copy;
pub mod description;
pub mod heap;
pub mod mapping;
pub mod placement;
pub mod query;
pub mod queue;
pub mod residency;
pub mod resolve;
pub mod sharing;
pub mod subresource;
pub mod tile;
pub mod view;

/// Every rule there is.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [
        description::ALL,
        heap::ALL,
        placement::ALL,
        mapping::ALL,
        subresource::ALL,
        view::ALL,
        command::ALL,
        copy::ALL,
        barrier::ALL,
        clear::ALL,
        residency::ALL,
        resolve::ALL,
        query::ALL,
        tile::ALL,
        queue::ALL,
        address::ALL,
        sharing::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The rule of that name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_texts_are_there() {
        let mut seen = HashSet::new();
        for rule in all() {
            assert!(seen.insert(rule.id), "{} stands twice", rule.id);
            assert!(
                !rule.statement.is_empty() && !rule.remedy.is_empty() && !rule.source.is_empty(),
                "{}",
                rule.id
            );
            assert!(rule.until.is_none_or(|until| rule.since <= until), "{}", rule.id);
        }
    }
}
