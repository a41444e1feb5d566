//! Layouts as JSON.

use heapstone_layout::{ExplainedPlane, Purpose, SubresourceTiling};
use heapstone_spec::{ResourceDesc, SdkVersion, Violation};
use serde::Serialize;

use super::text::place;
use super::{Answer, Footprints, REFUSED_INFO, Tiling, call};
use crate::violation::ViolationJson;

/// What `--json` prints.
pub(super) trait ToJson {
    fn to_json(&self) -> String;
}

impl ToJson for Answer {
    fn to_json(&self) -> String {
        pretty(&AnswerJson::from(self))
    }
}

impl ToJson for Vec<Answer> {
    fn to_json(&self) -> String {
        pretty(&self.iter().map(AnswerJson::from).collect::<Vec<_>>())
    }
}

fn pretty(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("invariant: plain structures always serialise");
    text + "\n"
}

/// What was asked, or `refused` with the rule.
#[derive(Serialize)]
#[serde(untagged)]
enum OrRefused<T> {
    Answered(T),
    Refused { refused: ViolationJson },
}

impl<T> OrRefused<T> {
    fn new<A>(answer: &Result<A, Box<Violation>>, to_json: impl FnOnce(&A) -> T) -> OrRefused<T> {
        match answer {
            Ok(answer) => OrRefused::Answered(to_json(answer)),
            Err(refusal) => OrRefused::Refused { refused: refusal.as_ref().into() },
        }
    }
}

#[derive(Serialize)]
struct AnswerJson {
    profile: String,
    sdk: SdkVersion,
    call: &'static str,
    /// Absent where it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<LayoutJson>,
    /// Present where it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<ViolationJson>,
    /// What the call answers all the same; present where GetResourceAllocationInfo refused it.
    #[serde(skip_serializing_if = "Option::is_none")]
    returned: Option<ReturnedJson>,
}

#[derive(Serialize)]
struct ReturnedJson {
    size: u64,
    alignment: u64,
}

#[derive(Serialize)]
struct LayoutJson {
    size: u64,
    alignment: u64,
    data_size: u64,
    driver_padding: u64,
    metadata_size: u64,
    rounding: u64,
    pattern: &'static str,
    alignment_overridden: bool,
    reasons: Vec<String>,
    planes: Vec<PlaneJson>,
    footprints: OrRefused<FootprintsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tiling: Option<OrRefused<TilingJson>>,
}

#[derive(Serialize)]
struct PlaneJson {
    format: &'static str,
    block_elements: [u64; 3],
    block_size: u64,
    slices: u16,
    slice_size: u64,
    tail_size: u64,
    mips: Vec<MipJson>,
}

#[derive(Serialize)]
struct MipJson {
    mip: u16,
    texels: [u64; 3],
    elements: [u64; 3],
    /// Null in the tail.
    blocks: Option<[u64; 3]>,
    offset: u64,
    size: u64,
}

#[derive(Serialize)]
struct FootprintsJson {
    total: u64,
    subresources: Vec<FootprintJson>,
}

#[derive(Serialize)]
struct FootprintJson {
    mip: u32,
    slice: u32,
    plane: u32,
    offset: u64,
    format: &'static str,
    width: u32,
    height: u32,
    depth: u32,
    row_pitch: u32,
    row_count: u32,
    row_size: u64,
}

#[derive(Serialize)]
struct TilingJson {
    total_tiles: u32,
    tile_texels: [u32; 3],
    standard_mips: u8,
    packed_mips: u8,
    tiles_for_packed_mips: u32,
    packed_start_tile_index: u32,
    subresources: Vec<TilesJson>,
}

#[derive(Serialize)]
struct TilesJson {
    packed: bool,
    tiles: [u32; 3],
    start_tile_index: Option<u32>,
}

impl From<&Answer> for AnswerJson {
    fn from(answer: &Answer) -> AnswerJson {
        let head = |layout, refused: Option<ViolationJson>| AnswerJson {
            returned: refused
                .as_ref()
                .filter(|_| answer.purpose == Purpose::Query)
                .map(|_| ReturnedJson { size: REFUSED_INFO.0, alignment: REFUSED_INFO.1 }),
            profile: answer.profile.clone(),
            sdk: answer.rules.sdk,
            call: call(answer.purpose),
            layout,
            refused,
        };
        let layout = match &answer.outcome {
            Ok(layout) => layout,
            Err(refusal) => return head(None, Some(refusal.as_ref().into())),
        };
        let explanation = &layout.explanation;
        let allocation = &explanation.allocation;
        let desc = &explanation.desc;
        head(
            Some(LayoutJson {
                size: allocation.size,
                alignment: allocation.alignment.bytes(),
                data_size: explanation.data_size,
                driver_padding: explanation.driver_padding,
                metadata_size: explanation.metadata_size,
                rounding: explanation.rounding,
                pattern: allocation.driver.pattern.name(),
                alignment_overridden: allocation.alignment_overridden,
                reasons: explanation.reasons.clone(),
                planes: explanation.planes.iter().map(PlaneJson::from).collect(),
                footprints: OrRefused::new(&layout.footprints, |footprints| {
                    FootprintsJson::new(desc, footprints)
                }),
                tiling: layout
                    .tiling
                    .as_ref()
                    .map(|tiling| OrRefused::new(tiling, |tiling| TilingJson::from(tiling))),
            }),
            None,
        )
    }
}

macro_rules! axes {
    ($extent:expr) => {
        [$extent.width, u64::from($extent.height), u64::from($extent.depth)]
    };
}

impl From<&ExplainedPlane> for PlaneJson {
    fn from(plane: &ExplainedPlane) -> PlaneJson {
        let mips = plane.mips.iter().map(|mip| MipJson {
            mip: mip.mip,
            texels: axes!(mip.texels),
            elements: axes!(mip.elements),
            blocks: mip.blocks.map(|blocks| axes!(blocks)),
            offset: mip.offset,
            size: mip.size,
        });
        PlaneJson {
            format: plane.format.name(),
            block_elements: axes!(plane.block.elements()),
            block_size: plane.block.bytes(),
            slices: plane.slices,
            slice_size: plane.slice_size,
            tail_size: plane.tail_size,
            mips: mips.collect(),
        }
    }
}

impl FootprintsJson {
    fn new(desc: &ResourceDesc, footprints: &Footprints) -> FootprintsJson {
        let rows = footprints.layouts.iter().zip(&footprints.row_counts).zip(&footprints.row_sizes);
        let subresources = rows.enumerate().map(|(index, ((layout, row_count), row_size))| {
            let (mip, slice, plane) = place(desc, index);
            FootprintJson {
                mip,
                slice,
                plane,
                offset: layout.offset,
                format: layout.format.name(),
                width: layout.width,
                height: layout.height,
                depth: layout.depth,
                row_pitch: layout.row_pitch,
                row_count: *row_count,
                row_size: *row_size,
            }
        });
        FootprintsJson { total: footprints.total, subresources: subresources.collect() }
    }
}

impl From<&Tiling> for TilingJson {
    fn from(tiling: &Tiling) -> TilingJson {
        let whole = &tiling.whole;
        let shape = whole.tile_shape;
        let subresources = tiling.subresources.iter().map(|grid| {
            let packed = *grid == SubresourceTiling::PACKED;
            TilesJson {
                packed,
                tiles: [grid.width_in_tiles, u32::from(grid.height_in_tiles), u32::from(grid.depth_in_tiles)],
                start_tile_index: (!packed).then_some(grid.start_tile_index),
            }
        });
        TilingJson {
            total_tiles: whole.total_tiles,
            tile_texels: [shape.width_in_texels, shape.height_in_texels, shape.depth_in_texels],
            standard_mips: whole.packed.standard_mips,
            packed_mips: whole.packed.packed_mips,
            tiles_for_packed_mips: whole.packed.tiles_for_packed_mips,
            packed_start_tile_index: whole.packed.start_tile_index,
            subresources: subresources.collect(),
        }
    }
}
