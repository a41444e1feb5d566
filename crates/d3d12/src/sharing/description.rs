//! What a shared file says that it is: words of 64 bits in its last [`SHARED_DESCRIPTION_SIZE`] bytes.
//!
//! ```text
//!   magic | version | kind | the adapter's profile, 8 words | the fields of the kind, in the order of its structure
//! ```

use std::os::fd::BorrowedFd;

use heapstone::spec::commands::FenceFlags;
use heapstone::{
    ClearColor, ClearValue, CommittedResourceDesc, Format, HeapDesc, HeapFlags, HeapType, InitialState,
    Profile, ResourceStates, SHARED_DESCRIPTION_SIZE,
};
use rustix::fs::{SealFlags, fcntl_get_seals, fstat};

use crate::convert;
use crate::failure::Failure;
use crate::types::{
    D3D12_CLEAR_VALUE, D3D12_HEAP_DESC, D3D12_HEAP_PROPERTIES, D3D12_MIP_REGION, D3D12_RESOURCE_DESC1,
    DXGI_SAMPLE_DESC, E_OUTOFMEMORY,
};

/// "HEAPSTNE", as a number of little-endian bytes.
const MAGIC: u64 = u64::from_le_bytes(*b"HEAPSTNE");
/// Raised when the words mean something else.
const VERSION: u64 = 1;
/// Words of the page.
const WORDS: usize = 512;
/// Words of the profile's name.
const PROFILE_WORDS: usize = 8;
/// Formats that a resource can be cast to; more than there are.
const FORMATS_MAX: u64 = 256;

/// What is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A heap.
    Heap = 1,
    /// A committed resource.
    Resource = 2,
    /// A fence.
    Fence = 3,
}

/// A description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Description {
    pub(super) kind: Kind,
    profile: [u64; PROFILE_WORDS],
    fields: Vec<u64>,
}

/// Reads words in the order in which they were written; what is missing, or too large, is refused.
struct Fields<'a>(core::slice::Iter<'a, u64>);

impl Fields<'_> {
    fn word(&mut self) -> Result<u64, Failure> {
        self.0.next().copied().ok_or(REFUSED)
    }

    fn number<T: TryFrom<u64>>(&mut self) -> Result<T, Failure> {
        T::try_from(self.word()?).map_err(|_| REFUSED)
    }

    fn heap_properties(&mut self) -> Result<D3D12_HEAP_PROPERTIES, Failure> {
        Ok(D3D12_HEAP_PROPERTIES {
            Type: self.number()?,
            CPUPageProperty: self.number()?,
            MemoryPoolPreference: self.number()?,
            CreationNodeMask: self.number()?,
            VisibleNodeMask: self.number()?,
        })
    }

    fn resource_desc(&mut self) -> Result<D3D12_RESOURCE_DESC1, Failure> {
        Ok(D3D12_RESOURCE_DESC1 {
            Dimension: self.number()?,
            Alignment: self.word()?,
            Width: self.word()?,
            Height: self.number()?,
            DepthOrArraySize: self.number()?,
            MipLevels: self.number()?,
            Format: self.number()?,
            SampleDesc: DXGI_SAMPLE_DESC { Count: self.number()?, Quality: self.number()? },
            Layout: self.number()?,
            Flags: self.number()?,
            SamplerFeedbackMipRegion: D3D12_MIP_REGION {
                Width: self.number()?,
                Height: self.number()?,
                Depth: self.number()?,
            },
        })
    }

    fn color(&mut self) -> Result<[f32; 4], Failure> {
        let mut color = [0.0; 4];
        for channel in &mut color {
            *channel = f32::from_bits(self.number()?);
        }
        Ok(color)
    }
}

/// Said of every description that cannot be.
const REFUSED: Failure =
    Failure::Argument("NTHandle: the file's description is not as CreateSharedHandle writes it");

impl Description {
    /// Of a heap.
    pub(super) fn of_heap(heap: &heapstone::Heap, profile: &Profile) -> Description {
        let desc = convert::to_heap_desc(&heap.desc());
        let mut fields = vec![desc.SizeInBytes];
        fields.extend(heap_properties_words(&desc.Properties));
        fields.extend([desc.Alignment, u64::from(desc.Flags)]);
        Description { kind: Kind::Heap, profile: name_words(profile), fields }
    }

    /// Of a committed resource.
    ///
    /// # Errors
    /// A resource without heap properties.
    pub(super) fn of_resource(
        resource: &heapstone::Resource,
        profile: &Profile,
    ) -> Result<Description, Failure> {
        let (properties, flags) = resource.heap_properties()?;
        let mut fields = Vec::from(heap_properties_words(&convert::to_heap_properties(&properties)));
        fields.push(u64::from(flags.bits()));
        fields.extend(resource_desc_words(&convert::to_resource_desc1(resource.desc())));
        fields.extend(match resource.initial_state() {
            InitialState::State(state) => [0, u64::from(state.bits())],
            InitialState::Layout(layout) => [1, u64::from(layout.to_d3d12())],
        });
        fields.extend(clear_value_words(resource.clear_value()));
        let formats = resource.castable_formats();
        fields.push(length(formats.len()));
        fields.extend(formats.iter().map(|format| u64::from(format.to_dxgi())));
        Ok(Description { kind: Kind::Resource, profile: name_words(profile), fields })
    }

    /// Of a fence.
    pub(super) fn of_fence(flags: FenceFlags, profile: &Profile) -> Description {
        Description { kind: Kind::Fence, profile: name_words(profile), fields: vec![u64::from(flags.bits())] }
    }

    /// The heap's, for a device on an adapter of that profile.
    ///
    /// # Errors
    /// What cannot be.
    pub(super) fn heap(&self, profile: &Profile) -> Result<HeapDesc, Failure> {
        let mut fields = Fields(self.fields.iter());
        let desc = D3D12_HEAP_DESC {
            SizeInBytes: fields.word()?,
            Properties: fields.heap_properties()?,
            Alignment: fields.word()?,
            Flags: fields.number()?,
        };
        let desc = convert::heap_desc(&desc)?;
        self.check_profile(profile, desc.flags)?;
        Ok(desc)
    }

    /// The resource's, without the formats that it can be cast to; and these.
    ///
    /// # Errors
    /// What cannot be.
    pub(super) fn resource(
        &self,
        profile: &Profile,
    ) -> Result<(CommittedResourceDesc<'static>, Vec<Format>), Failure> {
        let mut fields = Fields(self.fields.iter());
        let heap_properties = convert::heap_properties(&fields.heap_properties()?)?;
        let heap_flags = HeapFlags::from_bits_retain(fields.number()?);
        self.check_profile(profile, heap_flags)?;
        let resource = convert::resource_desc1(&fields.resource_desc()?)?;
        let initial = match (fields.word()?, fields.number()?) {
            (0, state) => InitialState::State(ResourceStates::from_bits_retain(state)),
            (1, layout) => InitialState::Layout(convert::barrier_layout(layout, "InitialLayout")?),
            _ => return Err(REFUSED),
        };
        let has_clear_value = fields.word()?;
        let given = D3D12_CLEAR_VALUE { Format: fields.number()?, Color: fields.color()? };
        let clear_value = match has_clear_value {
            0 => None,
            1 => Some(convert::clear_value(&given, &resource)?),
            _ => return Err(REFUSED),
        };
        let count = Some(fields.word()?).filter(|count| *count <= FORMATS_MAX).ok_or(REFUSED)?;
        let formats =
            (0..count).map(|_| Ok(convert::format(fields.number()?)?)).collect::<Result<_, Failure>>()?;
        let desc = CommittedResourceDesc {
            heap_properties,
            heap_flags,
            initial,
            clear_value,
            ..CommittedResourceDesc::new(HeapType::Default, resource)
        };
        Ok((desc, formats))
    }

    /// The fence's flags.
    ///
    /// # Errors
    /// What cannot be.
    pub(super) fn fence_flags(&self) -> Result<FenceFlags, Failure> {
        let bits = Fields(self.fields.iter()).number()?;
        FenceFlags::from_bits(bits).ok_or(REFUSED)
    }

    /// Layouts differ between adapters: only what is shared with others lies the same on all.
    fn check_profile(&self, profile: &Profile, flags: HeapFlags) -> Result<(), Failure> {
        if self.profile == name_words(profile) || flags.contains(HeapFlags::SHARED_CROSS_ADAPTER) {
            return Ok(());
        }
        Err(Failure::Argument(
            "NTHandle is of another kind of adapter, and was not created with SHARED_CROSS_ADAPTER",
        ))
    }

    /// The words of the page.
    fn words(&self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        let head = [MAGIC, VERSION, self.kind as u64];
        let count = [length(self.fields.len())];
        let all = head.iter().chain(&self.profile).chain(&count).chain(&self.fields);
        for (place, word) in words.iter_mut().zip(all) {
            *place = *word;
        }
        words
    }

    fn of_words(words: &[u64; WORDS]) -> Result<Description, Failure> {
        let [MAGIC, VERSION, kind, rest @ ..] = words else { return Err(REFUSED) };
        let kind = match kind {
            1 => Kind::Heap,
            2 => Kind::Resource,
            3 => Kind::Fence,
            _ => return Err(REFUSED),
        };
        let (profile, rest) = rest.split_first_chunk().ok_or(REFUSED)?;
        let (count, rest) = rest.split_first().ok_or(REFUSED)?;
        let count = usize::try_from(*count).map_err(|_| REFUSED)?;
        let fields = rest.get(..count).ok_or(REFUSED)?.to_vec();
        Ok(Description { kind, profile: *profile, fields })
    }

    /// Writes it into the file's last page.
    ///
    /// # Errors
    /// Where the system does not write it.
    pub(super) fn write(&self, file: BorrowedFd<'_>) -> Result<(), Failure> {
        let bytes: Vec<u8> = self.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        let written = rustix::io::pwrite(file, &bytes, place(file)?).map_err(|_| E_OUTOFMEMORY)?;
        if written == bytes.len() { Ok(()) } else { Err(E_OUTOFMEMORY.into()) }
    }

    /// Reads it from the file's last page, of which it makes a copy first: the other process may go on writing.
    ///
    /// # Errors
    /// A file whose size can change, or without a description.
    pub(super) fn read(file: BorrowedFd<'_>) -> Result<Description, Failure> {
        let seals = fcntl_get_seals(file).map_err(|_| Failure::Argument("NTHandle is no shared handle"))?;
        if !seals.contains(SealFlags::SHRINK | SealFlags::GROW) {
            return Err(Failure::Argument("NTHandle is of a file whose size can change"));
        }
        let mut bytes = [0; WORDS * 8];
        let read = rustix::io::pread(file, &mut bytes, place(file)?).map_err(|_| REFUSED)?;
        if read != bytes.len() {
            return Err(REFUSED);
        }
        let mut words = [0; WORDS];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Description::of_words(&words)
    }
}

fn length(count: usize) -> u64 {
    u64::try_from(count).expect("invariant: a count fits 64 bits")
}

/// Where in the file the description is.
fn place(file: BorrowedFd<'_>) -> Result<u64, Failure> {
    let size = fstat(file).map_err(|_| REFUSED)?.st_size;
    u64::try_from(size).ok().and_then(|size| size.checked_sub(SHARED_DESCRIPTION_SIZE)).ok_or(REFUSED)
}

/// The profile's name, as far as it fits.
fn name_words(profile: &Profile) -> [u64; PROFILE_WORDS] {
    let mut bytes = [0_u8; PROFILE_WORDS * 8];
    for (place, byte) in bytes.iter_mut().zip(profile.name.bytes()) {
        *place = byte;
    }
    let mut words = [0; PROFILE_WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

fn heap_properties_words(given: &D3D12_HEAP_PROPERTIES) -> [u64; 5] {
    [
        given.Type,
        given.CPUPageProperty,
        given.MemoryPoolPreference,
        given.CreationNodeMask,
        given.VisibleNodeMask,
    ]
    .map(u64::from)
}

fn resource_desc_words(given: &D3D12_RESOURCE_DESC1) -> [u64; 14] {
    let region = given.SamplerFeedbackMipRegion;
    [
        u64::from(given.Dimension),
        given.Alignment,
        given.Width,
        u64::from(given.Height),
        u64::from(given.DepthOrArraySize),
        u64::from(given.MipLevels),
        u64::from(given.Format),
        u64::from(given.SampleDesc.Count),
        u64::from(given.SampleDesc.Quality),
        u64::from(given.Layout),
        u64::from(given.Flags),
        u64::from(region.Width),
        u64::from(region.Height),
        u64::from(region.Depth),
    ]
}

/// Whether there is one; its format; its colour, which lies under depth and stencil.
fn clear_value_words(value: Option<ClearValue>) -> [u64; 6] {
    let Some(value) = value else { return [0; 6] };
    let color = match value.value {
        ClearColor::Color(color) => color,
        ClearColor::DepthStencil { depth, stencil } => [depth, f32::from_bits(u32::from(stencil)), 0.0, 0.0],
    };
    let [r, g, b, a] = color.map(|channel| u64::from(channel.to_bits()));
    [1, u64::from(value.format.to_dxgi()), r, g, b, a]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile() -> Profile {
        Profile::builtin("discrete-8g").unwrap()
    }

    #[test]
    fn words_begin_with_what_they_are() {
        let words = Description::of_fence(FenceFlags::SHARED, &profile()).words();
        assert_eq!(words[0].to_le_bytes(), *b"HEAPSTNE");
        assert_eq!(words[1..3], [1, 3]);
        assert_eq!(words[3].to_le_bytes(), *b"discrete");
        assert_eq!(words[11..13], [1, 1], "one field: the flag SHARED");
    }

    /// Every word of a description is set to numbers at the edges: it is refused or read, and nothing else happens.
    #[test]
    fn hostile_words_are_refused_or_read() {
        let desc = D3D12_RESOURCE_DESC1::zeroed();
        let mut fields = vec![1, 0, 0, 0, 0, 1];
        fields.extend(resource_desc_words(&desc));
        fields.extend([0, 0, 1, 28, 0, 0, 0, 0, 2, 28, 29]);
        let description = Description { kind: Kind::Resource, profile: name_words(&profile()), fields };
        let words = description.words();
        let mut refused = 0;
        for place in 0..60 {
            for value in [0, 1, 2, 255, u64::from(u16::MAX) + 1, u64::from(u32::MAX) + 1, 1 << 63, u64::MAX] {
                let mut words = words;
                words[place] = value;
                let read = Description::of_words(&words);
                let outcome = read.and_then(|read| match read.kind {
                    Kind::Heap => read.heap(&profile()).map(|_| ()),
                    Kind::Resource => read.resource(&profile()).map(|_| ()),
                    Kind::Fence => read.fence_flags().map(|_| ()),
                });
                refused += u32::from(outcome.is_err());
            }
        }
        assert!(refused > 100, "{refused}");
    }

    #[test]
    fn another_kind_of_adapter_opens_only_what_is_shared_with_it() {
        let fields = vec![65536, 1, 0, 0, 1, 1, 65536, 1];
        let description = Description { kind: Kind::Heap, profile: name_words(&profile()), fields };
        let other = Profile::builtin("integrated-uma").unwrap();
        assert!(description.heap(&profile()).is_ok());
        assert!(description.heap(&other).is_err());
        let mut crossing = description;
        *crossing.fields.last_mut().unwrap() =
            u64::from((HeapFlags::SHARED | HeapFlags::SHARED_CROSS_ADAPTER).bits());
        assert!(crossing.heap(&other).is_ok());
    }
}
