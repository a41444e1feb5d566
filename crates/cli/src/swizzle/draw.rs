//! `heapstone swizzle draw`.

use heapstone_layout::swizzle::engine::CompiledPattern;
use heapstone_layout::swizzle::{BlockStrides, Channel, PatternBlock, SwizzleAddress};

use super::args::DrawArgs;
use super::catalog::{Chosen, ELEMENT_BITS, resolve_any};
use super::{block_text, picture};
use crate::failure::{Failure, Verdict};
use crate::page::{Page, Side, Style, Table};

/// Columns that the text may take, with which it stays readable on a terminal of 80.
const TEXT_WIDTH: u32 = 78;
/// Rows of all layers that the text shows.
const ROWS_SHOWN: u32 = 64;
/// Where a pattern is for no element size of its own.
const BITS_DEFAULT: u8 = 32;

pub(crate) fn run(args: &DrawArgs) -> Result<Verdict, Failure> {
    let chosen = resolve_any(&args.pattern, args.bits)?;
    let grid = Grid::new(&chosen, args.bits)?;
    let mut page = Page::new(Style::of_stdout());
    describe(&mut page, &chosen, &grid);
    match &args.png {
        Some(path) => {
            let size = picture::write(path, &grid, args.scale)?;
            page.gap();
            page.field("picture", format_args!("{}: {} x {} pixels", path.display(), size.0, size.1));
        }
        None => grid.write(&mut page),
    }
    page.print()?;
    Ok(Verdict::Accepted)
}

/// What each address bit is made of.
fn describe(page: &mut Page, chosen: &Chosen, grid: &Grid<'_>) {
    let pattern = chosen.pattern();
    let block = chosen.block();
    page.field("pattern", &chosen.name);
    page.field("element", format_args!("{} bits", 8_u32 << grid.element_log2));
    page.field("block", format_args!("{}; {} elements", block_text(&block), grid.extent_text()));
    page.field("runs", format_args!("{} bytes side by side", 1_u64 << pattern.run_log2()));
    if pattern.stack_depth_slices {
        page.field("slices", "one below the other, before rows are swizzled");
    }
    page.heading("Address bits, from bits of X (bytes), Y (rows), Z (slices), S (samples)");
    let mut table = Table::new([("bit", Side::Left), ("is", Side::Left)]);
    let mut outside = false;
    for bit in 0..block.bytes_log2 {
        let mut words: Vec<String> = pattern.sources(bit).map(|entry| entry.to_string()).collect();
        outside |= pattern.sources(bit).any(|entry| entry.bit >= block.log2(entry.channel));
        if pattern.postamble_immediate & (1 << bit) != 0 {
            words.push("1".to_owned());
        }
        table.row([format!("A{bit}"), words.join(" ^ ")]);
    }
    page.table(&table);
    if outside {
        page.line("Bits from outside of the block are those of its place; the block drawn is the first.");
    }
}

/// The elements of the first block.
pub(crate) struct Grid<'a> {
    pattern: &'a CompiledPattern,
    block: PatternBlock,
    /// Bytes of an element: `2^` this.
    element_log2: u8,
}

/// An element of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// Which element of its row.
    pub(crate) x: u32,
    pub(crate) y: u32,
    /// Which slice of which sample: slices first.
    pub(crate) layer: u32,
}

impl<'a> Grid<'a> {
    fn new(chosen: &'a Chosen, bits: Option<u8>) -> Result<Grid<'a>, Failure> {
        let run_log2 = chosen.pattern().run_log2();
        // What an element may have at most: no more than a run.
        let most = ELEMENT_BITS.into_iter().rfind(|bits| u32::from(bits / 8) <= 1 << run_log2);
        let bits = bits.or(chosen.element_bits).or(most.map(|most| most.min(BITS_DEFAULT)));
        let element_log2 = bits.map_or(0, |bits| (bits / 8).trailing_zeros());
        if element_log2 > u32::from(run_log2) {
            return Err(Failure::new(format_args!(
                "pattern {}: it keeps {} bytes side by side, and would tear elements of {} bits",
                chosen.name,
                1_u32 << run_log2,
                8_u32 << element_log2
            ))
            .with_remedy("give fewer --bits"));
        }
        let element_log2 = u8::try_from(element_log2).unwrap_or(0);
        Ok(Grid { pattern: &chosen.compiled, block: chosen.block(), element_log2 })
    }

    /// Elements of a row.
    pub(crate) fn width(&self) -> u32 {
        1 << (self.block.x_bytes_log2 - self.element_log2.min(self.block.x_bytes_log2))
    }

    /// Rows.
    pub(crate) const fn height(&self) -> u32 {
        1 << self.block.y_log2
    }

    /// Slices of all samples.
    pub(crate) const fn layers(&self) -> u32 {
        1 << (self.block.z_log2 + self.block.samples_log2)
    }

    /// Bytes of the block.
    pub(crate) const fn bytes(&self) -> u64 {
        self.block.bytes()
    }

    /// Elements of the block.
    pub(crate) const fn elements(&self) -> u64 {
        self.block.bytes() >> self.element_log2
    }

    fn extent_text(&self) -> String {
        let mut text = format!("{}x{}", self.width(), self.height());
        if self.layers() > 1 {
            text.push_str(&format!("x{}", self.layers()));
        }
        text
    }

    /// The byte that the element begins at.
    pub(crate) fn address(&self, cell: Cell) -> u64 {
        let slices = (1_u32 << self.block.z_log2) - 1;
        let at = SwizzleAddress {
            x_bytes: u64::from(cell.x) << self.element_log2,
            y: cell.y,
            z: cell.layer & slices,
            sample: cell.layer >> self.block.z_log2,
        };
        self.pattern.offset(at, BlockStrides::default())
    }

    /// `slice 1 of sample 0`.
    fn layer_text(&self, layer: u32) -> String {
        let slice = layer & ((1 << self.block.z_log2) - 1);
        let sample = layer >> self.block.z_log2;
        match (self.block.log2(Channel::Z), self.block.log2(Channel::Sample)) {
            (_, 0) => format!("slice {slice}"),
            (0, _) => format!("sample {sample}"),
            _ => format!("slice {slice} of sample {sample}"),
        }
    }

    /// Addresses as text: as much of the block as stays readable.
    fn write(&self, page: &mut Page) {
        let digits = u32::from(self.block.bytes_log2).div_ceil(4).max(1);
        let label = (self.height() - 1).to_string().len() + 2;
        let room = TEXT_WIDTH.saturating_sub(u32::try_from(label).unwrap_or(0)) / (digits + 1);
        let columns = self.width().min(1 << room.max(1).ilog2());
        let layers = self.layers().min((ROWS_SHOWN / self.height().min(ROWS_SHOWN)).max(1));
        let rows = self.height().min(ROWS_SHOWN / layers);

        page.heading("Addresses of elements, in hexadecimal: x to the right, y down");
        for layer in 0..layers {
            if self.layers() > 1 {
                page.line(self.layer_text(layer));
            }
            for y in 0..rows {
                let mut line = format!("{y:>label$} ", label = label - 1);
                for x in 0..columns {
                    let address = self.address(Cell { x, y, layer });
                    line.push_str(&format!(" {address:0digits$x}", digits = digits as usize));
                }
                page.line(line);
            }
        }
        if (columns, rows, layers) != (self.width(), self.height(), self.layers()) {
            page.line(format_args!(
                "... {columns}x{rows} of {} elements; --png FILE draws them all",
                self.extent_text()
            ));
        }
    }
}
