//! ResolveSubresourceRegion.

use heapstone::spec::caps::ProgrammableSamplePositionsTier;
use heapstone::spec::commands::{Rect, ResolveMode};
use heapstone::{Format, ResourceDimension};

use super::{Judged, Op, Side};
use crate::model::access::index;
use crate::model::{Model, Verdict};
use crate::program::Resolve;

impl Model {
    pub(super) fn resolve(&self, resolve: &Resolve) -> Judged {
        let (to, from) = (self.known(resolve.destination)?, self.known(resolve.source)?);
        let tier = self.rules.caps.programmable_sample_positions_tier;
        if tier == ProgrammableSamplePositionsTier::NotSupported {
            return Err(Verdict::Refused);
        }
        let two_d = ResourceDimension::Texture2D;
        if to.desc.dimension != two_d || from.desc.dimension != two_d {
            return Err(Verdict::Refused);
        }
        let to_shape = to.subresource(resolve.destination_subresource).ok_or(Verdict::Refused)?;
        let from_shape = from.subresource(resolve.source_subresource).ok_or(Verdict::Refused)?;
        let is_decompress = resolve.mode == ResolveMode::Decompress;
        let expected = if is_decompress { from_shape.samples } else { 1 };
        if from_shape.samples < 2 || to_shape.samples != expected {
            return Err(Verdict::Refused);
        }
        // Which formats resolve is the texel crate's to know; the generator gives those that do.
        let same = [to, from].iter().all(|texture| texture.desc.format.info().same_family(resolve.format));
        if !same || resolve.destination == resolve.source {
            return Err(Verdict::Skip);
        }
        let [width, height, _] = from_shape.extent;
        let (begin, size) = match resolve.rect {
            None => ([0, 0], [width, height]),
            Some(Rect { left, top, right, bottom }) if left < right && top < bottom => {
                let edge = |at: i32| usize::try_from(at).map_err(|_| Verdict::Refused);
                let (left, top, right, bottom) = (edge(left)?, edge(top)?, edge(right)?, edge(bottom)?);
                if right > width || bottom > height {
                    return Err(Verdict::Refused);
                }
                ([left, top], [right - left, bottom - top])
            }
            Some(_) => return Err(Verdict::Skip),
        };
        let at = resolve.origin.map(index);
        if (0..2).any(|axis| at[axis] + size[axis] > to_shape.extent[axis]) {
            return Err(Verdict::Refused);
        }
        let to = Side::Texels {
            slot: resolve.destination,
            subresource: resolve.destination_subresource,
            origin: [at[0], at[1], 0],
        };
        let from = Side::Texels {
            slot: resolve.source,
            subresource: resolve.source_subresource,
            origin: [begin[0], begin[1], 0],
        };
        let size = [size[0], size[1], 1];
        if is_decompress {
            let element = from_shape.element();
            return Ok(vec![Op::CopyTexels { to, from, size, element, low_24_bits: false }]);
        }
        let format = match (from_shape.format, resolve.format.info().plane_count) {
            (Format::R8_TYPELESS, 2) => Format::R8_UINT,
            (_, 2) if from_shape.is_d24 => Format::D24_UNORM_S8_UINT,
            (_, 2) => Format::D32_FLOAT_S8X24_UINT,
            _ => resolve.format,
        };
        let (samples, bytes) = (from_shape.samples, from_shape.bytes);
        Ok(vec![Op::Resolve { to, from, size, samples, bytes, by: (format, resolve.mode) }])
    }
}
