//! What went wrong, grouped; what is worth telling.

use heapstone::{Error, OutOfMemory};

use super::accounting::At;
use super::report::{
    FailedGroup, Failure, FirstCall, LargeResource, RefusedGroup, Stop, TraceErrorGroup, TraceMistake,
};
use crate::format::write::line_of;
use crate::model::Record;

/// Groups grow with the rules there are, not with the calls.
#[derive(Debug, Default)]
pub(crate) struct Failures {
    pub(crate) refused: Vec<RefusedGroup>,
    pub(crate) failed: Vec<FailedGroup>,
    pub(crate) mistakes: Vec<TraceErrorGroup>,
    /// The first of all, for strict replay.
    pub(crate) first: Option<Stop>,
}

fn first_call(record: &Record, at: At, error: String) -> FirstCall {
    FirstCall {
        position: at.position,
        call: at.call,
        timestamp_us: at.timestamp_us,
        text: line_of(record),
        error,
    }
}

impl Failures {
    /// The device refused or failed the call.
    pub(crate) fn error(&mut self, record: &Record, at: At, error: &Error) {
        if self.first.is_none() {
            self.first = Some(Stop { first: first_call(record, at, error.to_string()) });
        }
        let Some(violation) = error.violation() else {
            let failure = failure_of(error);
            match self.failed.iter_mut().find(|group| group.failure == failure) {
                Some(group) => group.count += 1,
                None => {
                    let first = first_call(record, at, error.to_string());
                    self.failed.push(FailedGroup { failure, count: 1, first });
                }
            }
            return;
        };
        let rule = violation.rule;
        match self.refused.iter_mut().find(|group| group.rule == rule.id) {
            Some(group) => {
                group.count += 1;
                if group.at.len() < RefusedGroup::AT_MAX {
                    group.at.push(at.position);
                }
            }
            None => self.refused.push(RefusedGroup {
                rule: rule.id,
                statement: rule.statement,
                remedy: rule.remedy,
                message: violation.message.map(|message| message.to_string()),
                source: rule.source,
                count: 1,
                at: vec![at.position],
                field: violation.field,
                given: violation.given.clone(),
                allowed: violation.allowed.clone(),
                first: first_call(record, at, violation.to_string()),
            }),
        }
    }

    /// The trace names what is not there.
    pub(crate) fn mistake(&mut self, record: &Record, at: At, mistake: TraceMistake, what: String) {
        if self.first.is_none() {
            self.first = Some(Stop { first: first_call(record, at, what.clone()) });
        }
        match self.mistakes.iter_mut().find(|group| group.mistake == mistake) {
            Some(group) => group.count += 1,
            None => {
                let first = first_call(record, at, what);
                self.mistakes.push(TraceErrorGroup { mistake, count: 1, first });
            }
        }
    }

    pub(crate) fn sort(&mut self) {
        self.refused.sort_by_key(|group| std::cmp::Reverse(group.count));
        self.failed.sort_by_key(|group| std::cmp::Reverse(group.count));
        self.mistakes.sort_by_key(|group| std::cmp::Reverse(group.count));
    }
}

fn failure_of(error: &Error) -> Failure {
    let shortage = match error {
        Error::OutOfMemory(shortage) => shortage,
        Error::DeviceRemoved(_) => return Failure::DeviceRemoved,
        _ => return Failure::Driver,
    };
    match &**shortage {
        OutOfMemory::VideoMemory(_) | OutOfMemory::Budget(_) => Failure::VideoMemory,
        OutOfMemory::VirtualAddress(_) => Failure::VirtualAddress,
        OutOfMemory::ShaderAtomics { .. } => Failure::ShaderAtomics,
        OutOfMemory::System(_) => Failure::System,
    }
}

/// The largest resources so far, largest first.
#[derive(Debug)]
pub(crate) struct Largest {
    count: usize,
    /// What is not larger than this is not among them.
    least: u64,
    pub(crate) resources: Vec<LargeResource>,
}

impl Largest {
    pub(crate) fn new(count: usize) -> Largest {
        Largest { count, least: 0, resources: Vec::new() }
    }

    pub(crate) fn created(&mut self, record: &Record, call: u64, size: u64, asked: u64) {
        if self.count == 0 || (self.resources.len() == self.count && size <= self.least) {
            return;
        }
        let at = self.resources.partition_point(|other| other.size >= size);
        self.resources.insert(
            at,
            LargeResource {
                id: record.call.id(),
                name: None,
                size,
                asked,
                text: line_of(record),
                position: record.position,
                call,
            },
        );
        self.resources.truncate(self.count);
        self.least = self.resources.last().map_or(0, |last| last.size);
    }

    /// The resource that the call of that number created has a name now.
    pub(crate) fn named(&mut self, call: u64, name: &str) {
        if let Some(resource) = self.resources.iter_mut().find(|resource| resource.call == call) {
            resource.name = Some(name.to_owned());
        }
    }
}
