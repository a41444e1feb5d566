//! The command line of `heapstone swizzle`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::catalog::ELEMENT_BITS;

/// Pixels of an element's side, at most.
pub(crate) const SCALE_MAX: u32 = 64;

#[derive(Debug, Subcommand)]
pub(crate) enum SwizzleCommand {
    /// The patterns that have names
    Patterns(PatternsArgs),
    /// One block of a pattern: what its address bits are made of, and where each element lies
    Draw(DrawArgs),
    /// Rows to a pattern: every subresource of a DDS or KTX2 file
    To(ToArgs),
    /// A pattern back to rows: to a DDS or KTX2 file
    From(FromArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  heapstone swizzle patterns
  heapstone swizzle patterns nvidia
  heapstone swizzle patterns --bits 64 --json")]
pub(crate) struct PatternsArgs {
    /// Only those with this in their names
    #[arg(value_name = "WORD")]
    pub(crate) word: Option<String>,
    /// Only those for elements of so many bits; a BC1 or BC4 block has 64, other blocks 128
    #[arg(long, value_name = "8|16|32|64|128", value_parser = parse_bits)]
    pub(crate) bits: Option<u8>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  heapstone swizzle draw standard-4kb
  heapstone swizzle draw nvidia_blocklinear_h2 --bits 8
  heapstone swizzle draw standard_64KB_3D --bits 16 --png standard.png --scale 8
  heapstone swizzle draw my-pattern.json

docs/swizzle.md says how a file spells a pattern.")]
pub(crate) struct DrawArgs {
    /// A name (`heapstone swizzle patterns`), a name without its bits, or a .json file
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    /// Bits of an element [default: those the pattern is for, else 32]
    #[arg(long, value_name = "8|16|32|64|128", value_parser = parse_bits)]
    pub(crate) bits: Option<u8>,
    /// Write a picture: a square for each element, dark where the block begins and light where it ends
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
    /// Pixels along a square's side [default: what makes the picture 512 pixels long]
    #[arg(
        long,
        value_name = "PIXELS",
        requires = "png",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(SCALE_MAX))
    )]
    pub(crate) scale: Option<u32>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  heapstone swizzle to standard-64kb texture.dds texture.bin
  heapstone swizzle to nvidia_blocklinear_h16 texture.ktx2 texture.bin
  heapstone swizzle to my-pattern.json texture.dds texture.bin --layout texture-layout.json

Beside the swizzled bytes goes a description of them, which `heapstone swizzle from` reads.
docs/swizzle.md says what is in it, and how a file spells a pattern.")]
pub(crate) struct ToArgs {
    /// A name (`heapstone swizzle patterns`), a name without its dimension and bits, or a .json file
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    /// A DDS or KTX2 file, recognised by its content
    #[arg(value_name = "IN.dds|IN.ktx2")]
    pub(crate) input: PathBuf,
    /// The swizzled bytes
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The description [default: OUT and .json]
    #[arg(long, value_name = "FILE")]
    pub(crate) layout: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  heapstone swizzle from texture.bin texture.dds
  heapstone swizzle from captured.bin texture.ktx2 --layout texture-layout.json")]
pub(crate) struct FromArgs {
    /// The swizzled bytes
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// A DDS or KTX2 file, by its name
    #[arg(value_name = "OUT.dds|OUT.ktx2")]
    pub(crate) output: PathBuf,
    /// The description [default: IN and .json]
    #[arg(long, value_name = "FILE")]
    pub(crate) layout: Option<PathBuf>,
}

fn parse_bits(text: &str) -> Result<u8, String> {
    let bits = text.parse().ok().filter(|bits| ELEMENT_BITS.contains(bits));
    bits.ok_or_else(|| "allowed: 8, 16, 32, 64 or 128".to_owned())
}
