//! `heapstone swizzle to` and `from`.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::args::{FromArgs, ToArgs};
use super::catalog::{Use, resolve};
use super::container::{self, Kind};
use super::output::Output;
use super::placement::{swizzle, unswizzle};
use super::sidecar::{Place, Sidecar, Swizzled};
use super::texture::{Subresource, Texture};
use super::{dds, ktx};
use crate::failure::{Failure, Verdict};
use crate::format::{bytes, count};
use crate::page::{Page, Style};

/// Rows to blocks.
pub(crate) fn to(args: &ToArgs) -> Result<Verdict, Failure> {
    let input = args.input.as_path();
    let file = read(input)?;
    let contents = container::parse(&file).map_err(|error| wrong(input, &error))?;
    let desc = contents.texture.desc();
    let for_use = Use { dimension: desc.dimension, element: contents.texture.element() };
    let pattern = resolve(&args.pattern, for_use)?;
    let swizzled = Swizzled::new(contents.texture, pattern).map_err(|error| wrong(input, &error))?;

    let layout = layout_path(&args.output, args.layout.as_ref());
    let out = Output::create(&args.output, &[input])?;
    let beside = Output::create(&layout, &[input, &args.output])?;
    let mut writer = out.writer();
    let mut blocks = Vec::new();
    for (place, rows) in swizzled.places.iter().zip(contents.rows) {
        // Padding is zero, whatever was there before.
        fill(&mut blocks, place.placement.size)?;
        let rows = file.get(rows).unwrap_or_default();
        copy(&swizzled, place, rows, &mut blocks)?;
        writer.write_all(&blocks).map_err(|error| out.failed(&error))?;
    }
    writer.flush().map_err(|error| out.failed(&error))?;
    drop(writer);
    let json = swizzled.sidecar().to_json().map_err(Failure::new)?;
    beside.writer().write_all(json.as_bytes()).map_err(|error| beside.failed(&error))?;
    out.keep()?;
    beside.keep()?;

    let mut page = Page::new(Style::of_stdout());
    page.field(
        "read",
        format_args!("{}: {}, {}", input.display(), contents.kind.name(), swizzled.texture.sentence()),
    );
    if contents.trailing > 0 {
        page.field(
            "left out",
            format_args!("{} behind the last subresource", count(contents.trailing, "byte", "bytes")),
        );
    }
    describe(&mut page, &swizzled);
    page.field("written", args.output.display());
    page.field("layout", layout.display());
    page.print()?;
    Ok(Verdict::Accepted)
}

/// Blocks to rows.
pub(crate) fn from(args: &FromArgs) -> Result<Verdict, Failure> {
    let input = args.input.as_path();
    let layout = layout_path(input, args.layout.as_ref());
    let kind = Kind::of_path(&args.output).ok_or_else(|| {
        Failure::new(format_args!("{}: what kind of file it is to be is not said", args.output.display()))
            .with_remedy("end its name in .dds or .ktx2")
    })?;
    let text = String::from_utf8(read(&layout)?).map_err(|error| wrong(&layout, &error.to_string()))?;
    let sidecar = Sidecar::from_json(&text).map_err(|error| wrong(&layout, &error))?;
    let file = read(input)?;
    let file_bytes = u64::try_from(file.len()).unwrap_or(u64::MAX);
    let swizzled = sidecar.check(file_bytes).map_err(|error| wrong(&layout, &error))?;

    let out = Output::create(&args.output, &[input, &layout])?;
    let mut writer = out.writer();
    let failed = |error: &std::io::Error| out.failed(error);
    let texture = &swizzled.texture;
    let mut rows_of = |subresource: Subresource, rows: &mut Vec<u8>| {
        let place = place(&swizzled, texture, subresource)?;
        fill(rows, texture.rows(subresource.mip).bytes())?;
        copy_back(&swizzled, place, &file, rows)
    };
    match kind {
        Kind::Dds => dds::write(&mut writer, texture, &mut rows_of, &failed)?,
        Kind::Ktx2 => ktx::write(&mut writer, texture, &mut rows_of, &failed)?,
    }
    writer.flush().map_err(|error| failed(&error))?;
    drop(writer);
    out.keep()?;

    let mut page = Page::new(Style::of_stdout());
    page.field("read", input.display());
    page.field("layout", layout.display());
    describe(&mut page, &swizzled);
    page.field("written", format_args!("{}: {}, {}", args.output.display(), kind.name(), texture.sentence()));
    page.print()?;
    Ok(Verdict::Accepted)
}

fn describe(page: &mut Page, swizzled: &Swizzled) {
    for chosen in &swizzled.patterns {
        let block = super::block_text(&chosen.block());
        page.field("pattern", format_args!("{} in blocks of {block}", chosen.name));
    }
    let subresources = u64::try_from(swizzled.places.len()).unwrap_or(u64::MAX);
    let rows = swizzled.texture.bytes();
    page.field("subresources", crate::format::grouped(subresources));
    page.field("rows", bytes(rows));
    page.field("swizzled", bytes(swizzled.size));
    page.field("padding", bytes(swizzled.size.saturating_sub(rows)));
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::new(format_args!("cannot read {}: {error}", path.display())))
}

fn wrong(path: &Path, error: &str) -> Failure {
    Failure::new(format_args!("{}: {error}", path.display()))
}

/// Beside the swizzled file, under its name and `.json`, where it is not said.
fn layout_path(swizzled: &Path, said: Option<&PathBuf>) -> PathBuf {
    said.cloned().unwrap_or_else(|| {
        let mut name = OsString::from(swizzled);
        name.push(".json");
        PathBuf::from(name)
    })
}

/// Makes `buffer` that many zeros.
fn fill(buffer: &mut Vec<u8>, bytes: u64) -> Result<(), Failure> {
    buffer.clear();
    let count = usize::try_from(bytes).ok().filter(|count| buffer.try_reserve_exact(*count).is_ok());
    let count =
        count.ok_or_else(|| Failure::new(format_args!("a subresource takes {bytes} bytes of memory")))?;
    buffer.resize(count, 0);
    Ok(())
}

/// The place of a subresource.
fn place<'a>(swizzled: &'a Swizzled, texture: &Texture, at: Subresource) -> Result<&'a Place, Failure> {
    let index = u64::from(at.mip) + u64::from(at.slice) * u64::from(texture.desc().mips);
    let place = usize::try_from(index).ok().and_then(|index| swizzled.places.get(index));
    place.ok_or_else(|| Failure::new(format_args!("mip {} of slice {} is nowhere", at.mip, at.slice)))
}

fn copy(swizzled: &Swizzled, place: &Place, rows: &[u8], blocks: &mut [u8]) -> Result<(), Failure> {
    let pattern = pattern(swizzled, place)?;
    let extent = swizzled.texture.rows(place.subresource.mip);
    swizzle(pattern, place.placement.strides, extent, rows, blocks).map_err(Failure::new)
}

fn copy_back(swizzled: &Swizzled, place: &Place, file: &[u8], rows: &mut [u8]) -> Result<(), Failure> {
    let pattern = pattern(swizzled, place)?;
    let extent = swizzled.texture.rows(place.subresource.mip);
    let begin = usize::try_from(place.offset).unwrap_or(usize::MAX);
    let size = usize::try_from(place.placement.size).unwrap_or(usize::MAX);
    let blocks = file.get(begin..).and_then(|rest| rest.get(..size)).unwrap_or_default();
    unswizzle(pattern, place.placement.strides, extent, blocks, rows).map_err(Failure::new)
}

fn pattern<'a>(
    swizzled: &'a Swizzled,
    place: &Place,
) -> Result<&'a heapstone_layout::swizzle::engine::CompiledPattern, Failure> {
    let chosen = swizzled.patterns.get(place.pattern);
    chosen.map(|chosen| &chosen.compiled).ok_or_else(|| Failure::new("a subresource has no pattern"))
}
