//! What commands do to memory, byte by byte: slow and obvious.

use heapstone_driver::dma::{Command, DmaAllocation, Image};
use heapstone_layout::swizzle::Surface;
use heapstone_spec::commands::{PredicationOp, ResolveMode};
use heapstone_texel::resolve;

use super::gpu::{TILE, offset_in};

/// The heap and the tile of it that a tile shows; `None`: nothing.
pub type ShownTile = Option<(usize, u32)>;

/// Heaps, and reserved resources over them.
#[derive(Clone, Default)]
pub struct Model {
    /// First address and bytes.
    pub heaps: Vec<(u64, Vec<u8>)>,
    /// First address and tiles: the heap's index and its tile.
    pub reserved: Vec<(u64, Vec<ShownTile>)>,
    pub leaves_out: bool,
}

impl Model {
    /// The heap and the byte that an address shows, `None` of a tile that shows nothing; and how many bytes from
    /// there on do so in a row.
    fn place(&self, address: u64) -> (Option<(usize, usize)>, usize) {
        let in_memory = |offset: u64| usize::try_from(offset).unwrap();
        for (index, (begin, bytes)) in self.heaps.iter().enumerate() {
            if (*begin..*begin + u64::try_from(bytes.len()).unwrap()).contains(&address) {
                let offset = in_memory(address - begin);
                return (Some((index, offset)), bytes.len() - offset);
            }
        }
        for (begin, tiles) in &self.reserved {
            if (*begin..*begin + u64::try_from(tiles.len()).unwrap() * TILE).contains(&address) {
                let offset = address - begin;
                let shown = tiles[in_memory(offset / TILE)];
                let shown =
                    shown.map(|(heap, tile)| (heap, in_memory(u64::from(tile) * TILE + offset % TILE)));
                return (shown, in_memory(TILE - offset % TILE));
            }
        }
        panic!("nothing is mapped at {address:#x}");
    }

    fn read(&self, mut address: u64, count: u64) -> Vec<u8> {
        let mut bytes = vec![0; usize::try_from(count).unwrap()];
        let mut left = bytes.as_mut_slice();
        while !left.is_empty() {
            let (place, count) = self.place(address);
            let count = count.min(left.len());
            let (now, rest) = left.split_at_mut(count);
            if let Some((heap, at)) = place {
                now.copy_from_slice(&self.heaps[heap].1[at..at + count]);
            }
            left = rest;
            address += u64::try_from(count).unwrap();
        }
        bytes
    }

    fn write(&mut self, mut address: u64, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (place, count) = self.place(address);
            let (now, rest) = bytes.split_at(count.min(bytes.len()));
            if let Some((heap, at)) = place {
                self.heaps[heap].1[at..at + now.len()].copy_from_slice(now);
            }
            bytes = rest;
            address += u64::try_from(now.len()).unwrap();
        }
    }

    /// Runs a command that no engine refuses.
    pub fn run(&mut self, allocations: &[DmaAllocation], command: &Command) {
        if self.leaves_out && command.is_predicated() {
            return;
        }
        match *command {
            Command::CopyBuffer { destination, source, size } => {
                let bytes = self.read(source.at.0, size);
                self.write(destination.at.0, &bytes);
            }
            Command::CopyRegion {
                destination,
                destination_origin,
                source,
                source_origin,
                size,
                element_bytes_log2: log2,
                samples_log2,
                mask,
            } => {
                let mut copied = Vec::new();
                each(size, samples_log2, |at, sample| {
                    let from = address(allocations, &source, source_origin, at, sample, log2, samples_log2);
                    let mut element = self.read(from, 1 << log2);
                    if log2 == 2 {
                        for (byte, mask) in element.iter_mut().zip(mask.to_le_bytes()) {
                            *byte &= mask;
                        }
                    }
                    copied.push(element);
                });
                let mut copied = copied.into_iter();
                each(size, samples_log2, |at, sample| {
                    let to = address(
                        allocations,
                        &destination,
                        destination_origin,
                        at,
                        sample,
                        log2,
                        samples_log2,
                    );
                    self.write(to, &copied.next().unwrap());
                });
            }
            Command::Fill {
                destination,
                origin,
                size,
                element_bytes_log2: log2,
                samples_log2,
                value,
                period,
            } => {
                let words: Vec<u8> = value.iter().flat_map(|word| word.to_le_bytes()).collect();
                each(size, samples_log2, |at, sample| {
                    let to = address(allocations, &destination, origin, at, sample, log2, samples_log2);
                    let word = if period == 3 { usize::try_from(at[0] % 3).unwrap() * 4 } else { 0 };
                    self.write(to, &words[word..word + (1 << log2)]);
                });
            }
            Command::Write { destination, value, .. } => self.write(destination.at.0, &value.to_le_bytes()),
            Command::Resolve {
                destination,
                destination_origin,
                source,
                source_origin,
                size,
                samples_log2,
                format,
                mode,
            } => {
                assert_ne!(mode, ResolveMode::Decompress, "the model does not do it");
                // An element is a texel here.
                let log2 = surface_of(allocations, &source).element_bytes_log2;
                each(size, 0, |at, _| {
                    let samples: Vec<Vec<u8>> = (0..1 << samples_log2)
                        .map(|sample| {
                            let from =
                                address(allocations, &source, source_origin, at, sample, log2, samples_log2);
                            self.read(from, 1 << log2)
                        })
                        .collect();
                    let resolved = resolve(format, mode, samples.iter().map(Vec::as_slice));
                    let to = address(allocations, &destination, destination_origin, at, 0, log2, 0);
                    self.write(to, resolved.as_ref().map_or(&samples[0], |texel| texel.as_bytes()));
                });
            }
            Command::SetPredication { value, op } => {
                self.leaves_out = value.is_some_and(|value| {
                    let is_zero = self.read(value.at.0, 8) == [0; 8];
                    (op == PredicationOp::EqualZero) == is_zero
                });
            }
            Command::Discard { .. } | Command::Barrier(_) => {}
            Command::Timestamp { .. } => panic!("the model has no clock"),
            Command::BindSlot { .. } => panic!("the model has no slots"),
        }
    }
}

/// The elements of a box and their samples, from its origin.
fn each([width, height, depth]: [u32; 3], samples_log2: u8, mut visit: impl FnMut([u32; 3], u32)) {
    for z in 0..depth {
        for y in 0..height {
            for x in 0..width {
                for sample in 0..1 << samples_log2 {
                    visit([x, y, z], sample);
                }
            }
        }
    }
}

fn surface_of<'a>(allocations: &'a [DmaAllocation], image: &Image) -> &'a Surface {
    let Image::Surface { allocation, subresource, .. } = *image else { panic!("rows have no surface") };
    let surfaces = allocations[usize::try_from(allocation).unwrap()].surfaces.as_ref();
    &surfaces.unwrap()[usize::try_from(subresource).unwrap()]
}

/// Of an element.
fn address(
    allocations: &[DmaAllocation],
    image: &Image,
    origin: [u32; 3],
    at: [u32; 3],
    sample: u32,
    element_bytes_log2: u8,
    samples_log2: u8,
) -> u64 {
    let at: [u32; 3] = core::array::from_fn(|axis| origin[axis] + at[axis]);
    match *image {
        Image::Surface { base, .. } => {
            let surface = surface_of(allocations, image);
            base.0 + surface.offset + offset_in(surface, at, sample)
        }
        Image::Pitched { address, row_pitch, slice_pitch } => {
            let [x, y, z] = at.map(u64::from);
            let element = (x << samples_log2) + u64::from(sample);
            address.at.0 + z * slice_pitch + y * u64::from(row_pitch) + (element << element_bytes_log2)
        }
    }
}
