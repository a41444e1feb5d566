//! The report as JSON: the data as it is, field names stable.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use heapstone_trace::report::Report;
use serde::Serialize;

use crate::failure::Failure;
use crate::page;
use crate::paging::Row;

/// The report, and the run under `--budget` where there is one.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    paging: Option<Row>,
}

/// Writes the report to `path`; `-` is standard output.
pub(crate) fn write(path: &Path, report: &Report, paging: Option<Row>) -> Result<(), Failure> {
    let report = &Document { report, paging };
    if path == Path::new("-") {
        let text = serde_json::to_string_pretty(report)
            .map_err(|error| Failure::new(format_args!("the report as JSON: {error}")))?;
        return Ok(page::print(&(text + "\n"))?);
    }
    let file = File::create(path).map_err(|error| Failure::write(path, &error))?;
    let mut file = BufWriter::new(file);
    serde_json::to_writer_pretty(&mut file, report)
        .map_err(std::io::Error::from)
        .and_then(|()| file.write_all(b"\n"))
        .and_then(|()| file.flush())
        .map_err(|error| Failure::write(path, &error))
}
