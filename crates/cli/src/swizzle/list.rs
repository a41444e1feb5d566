//! `heapstone swizzle patterns`.

use heapstone_layout::swizzle::PatternBlock;
use serde::Serialize;

use super::args::PatternsArgs;
use super::bits::PatternBits;
use super::block_text;
use super::catalog::{Entry, entries};
use crate::failure::{Failure, Verdict};
use crate::page::{self, Page, Side, Style, Table};

pub(crate) fn run(args: &PatternsArgs) -> Result<Verdict, Failure> {
    let word = args.word.as_deref().unwrap_or_default().to_ascii_lowercase().replace('-', "_");
    let wanted = |entry: &Entry| {
        let fits = args.bits.is_none_or(|bits| match entry.element_bits {
            Some(own) => own == bits,
            None => u32::from(bits / 8) <= 1 << entry.pattern.run_log2(),
        });
        fits && entry.name.to_ascii_lowercase().contains(&word)
    };
    let found: Vec<Entry> = entries().into_iter().filter(wanted).collect();
    if found.is_empty() {
        let word = args.word.as_deref().unwrap_or_default();
        return Err(Failure::new(format_args!("no such pattern has {word:?} in its name"))
            .with_remedy("`heapstone swizzle patterns` lists them all"));
    }
    if args.json {
        let all: Vec<EntryJson> = found.iter().filter_map(EntryJson::new).collect();
        let json = serde_json::to_string_pretty(&all).map_err(Failure::new)?;
        page::print(&(json + "\n"))?;
    } else {
        table(&found).print()?;
    }
    Ok(Verdict::Accepted)
}

fn table(found: &[Entry]) -> Page {
    let mut table = Table::new([
        ("name", Side::Left),
        ("vendor", Side::Left),
        ("bits", Side::Right),
        ("block", Side::Left),
        ("source", Side::Left),
    ]);
    for entry in found {
        let Ok(block) = entry.pattern.block() else { continue };
        let (vendor, source) = entry.origin();
        table.row([
            entry.name.clone(),
            vendor.to_owned(),
            entry.element_bits.map_or_else(|| "any".to_owned(), |bits| bits.to_string()),
            block_text(&block),
            source.to_owned(),
        ]);
    }
    let mut page = Page::new(Style::of_stdout());
    page.table(&table);
    page
}

/// A pattern as JSON.
#[derive(Debug, Serialize)]
struct EntryJson {
    name: String,
    vendor: &'static str,
    /// `null`: any that `run_bytes` holds.
    element_bits: Option<u8>,
    block: BlockJson,
    /// Bytes that lie side by side.
    run_bytes: u64,
    source: &'static str,
    /// As pattern files and descriptions of swizzled files have it.
    pattern: PatternBits,
}

#[derive(Debug, Serialize)]
struct BlockJson {
    bytes: u64,
    x_bytes: u64,
    y: u64,
    z: u64,
    samples: u64,
}

impl From<PatternBlock> for BlockJson {
    fn from(block: PatternBlock) -> BlockJson {
        BlockJson {
            bytes: block.bytes(),
            x_bytes: 1 << block.x_bytes_log2,
            y: 1 << block.y_log2,
            z: 1 << block.z_log2,
            samples: 1 << block.samples_log2,
        }
    }
}

impl EntryJson {
    fn new(entry: &Entry) -> Option<EntryJson> {
        let (vendor, source) = entry.origin();
        Some(EntryJson {
            name: entry.name.clone(),
            vendor,
            element_bits: entry.element_bits,
            block: entry.pattern.block().ok()?.into(),
            run_bytes: 1 << entry.pattern.run_log2(),
            source,
            pattern: PatternBits::from(&entry.pattern),
        })
    }
}
