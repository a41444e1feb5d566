//! `heapstone swizzle`: patterns listed and drawn, textures converted to them and back.
//!
//! ```text
//!   DDS, KTX2 --container--> Texture and its rows --placement--> blocks, and beside them a Sidecar
//!        ^  (dds, ktx)                                                  |
//!        '-------------------- rows <--------------- Swizzled <---------'
//! ```

mod args;
mod bits;
mod catalog;
mod container;
mod convert;
mod dds;
mod draw;
mod json;
mod ktx;
mod legacy;
mod list;
mod output;
mod picture;
mod placement;
mod sidecar;
mod texture;
mod vulkan;

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod kinds;

use heapstone_layout::swizzle::PatternBlock;

use crate::failure::{Failure, Verdict};
use crate::format::{count, short};

pub(crate) use args::SwizzleCommand;

pub(crate) fn run(command: &SwizzleCommand) -> Result<Verdict, Failure> {
    match command {
        SwizzleCommand::Patterns(args) => list::run(args),
        SwizzleCommand::Draw(args) => draw::run(args),
        SwizzleCommand::To(args) => convert::to(args),
        SwizzleCommand::From(args) => convert::from(args),
    }
}

/// `4 KiB: 128 bytes x 32 rows`; slices and samples where there are several.
fn block_text(block: &PatternBlock) -> String {
    let mut text = format!(
        "{}: {} bytes x {}",
        short(block.bytes()),
        1_u64 << block.x_bytes_log2,
        count(1 << block.y_log2, "row", "rows")
    );
    for (log2, name) in [(block.z_log2, "slices"), (block.samples_log2, "samples")] {
        if log2 > 0 {
            text.push_str(&format!(" x {} {name}", 1_u64 << log2));
        }
    }
    text
}
