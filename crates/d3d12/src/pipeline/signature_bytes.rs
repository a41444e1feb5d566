//! Root signatures as bytes: the part RTS0 (Microsoft's public documentation of root signatures and of the DXBC container).

use super::dxbc;

/// A root signature, whatever version it came in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RootSignatureData {
    /// D3D_ROOT_SIGNATURE_VERSION: 1 is 1.0, 2 is 1.1, 3 is 1.2.
    pub(super) version: u32,
    pub(super) parameters: Vec<Parameter>,
    /// 13 words, of version 1.2 a word of flags more.
    pub(super) samplers: Vec<[u32; 14]>,
    pub(super) flags: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parameter {
    pub(super) visibility: u32,
    pub(super) kind: ParameterKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ParameterKind {
    /// RangeType, NumDescriptors, BaseShaderRegister, RegisterSpace, Flags, OffsetInDescriptorsFromTableStart.
    Table(Vec<[u32; 6]>),
    /// ShaderRegister, RegisterSpace, Num32BitValues.
    Constants([u32; 3]),
    /// The type (2 CBV, 3 SRV, 4 UAV), and ShaderRegister, RegisterSpace, Flags.
    Descriptor(u32, [u32; 3]),
}

impl ParameterKind {
    /// D3D12_ROOT_PARAMETER_TYPE.
    pub(super) fn number(&self) -> u32 {
        match self {
            ParameterKind::Table(_) => 0,
            ParameterKind::Constants(_) => 1,
            ParameterKind::Descriptor(number, _) => *number,
        }
    }
}

/// Words of a range, of a descriptor and of a sampler, by version.
const fn range_words(version: u32) -> usize {
    if version >= 2 { 6 } else { 5 }
}

const fn descriptor_words(version: u32) -> usize {
    if version >= 2 { 3 } else { 2 }
}

pub(super) const fn sampler_words(version: u32) -> usize {
    if version >= 3 { 14 } else { 13 }
}

/// DATA_VOLATILE and DESCRIPTORS_VOLATILE: what version 1.0 means, said in 1.1 (Microsoft's documentation of 1.1).
pub(super) const VOLATILE_RANGE: u32 = 0x1 | 0x2;
/// Samplers have no data: DESCRIPTORS_VOLATILE alone.
const VOLATILE_SAMPLERS: u32 = 0x1;
/// DATA_VOLATILE of a root descriptor.
pub(super) const VOLATILE_DESCRIPTOR: u32 = 0x2;
/// D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER.
const SAMPLER_RANGE: u32 = 3;

/// A range of version 1.0 in 1.1's words.
pub(super) fn range_of_1_0([kind, count, register, space, offset]: [u32; 5]) -> [u32; 6] {
    let flags = if kind == SAMPLER_RANGE { VOLATILE_SAMPLERS } else { VOLATILE_RANGE };
    [kind, count, register, space, flags, offset]
}

struct Writer(Vec<u8>);

impl Writer {
    fn offset(&self) -> u32 {
        u32::try_from(self.0.len()).expect("invariant: a root signature is small")
    }

    fn words(&mut self, words: &[u32]) {
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    fn set(&mut self, at: u32, word: u32) {
        let at = usize::try_from(at).expect("invariant: 32 bits fit an address");
        self.0[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
}

/// The container with the root signature.
pub(super) fn serialize(data: &RootSignatureData) -> Vec<u8> {
    let count = |items: usize| u32::try_from(items).expect("invariant: a root signature is small");
    let mut writer = Writer(Vec::new());
    writer.words(&[
        data.version,
        count(data.parameters.len()),
        24,
        count(data.samplers.len()),
        0,
        data.flags,
    ]);
    let heads = writer.offset();
    for parameter in &data.parameters {
        writer.words(&[parameter.kind.number(), parameter.visibility, 0]);
    }
    for (index, parameter) in data.parameters.iter().enumerate() {
        let place = writer.offset();
        writer.set(heads + 12 * count(index) + 8, place);
        match &parameter.kind {
            ParameterKind::Table(ranges) => {
                writer.words(&[count(ranges.len()), place + 8]);
                for [kind, number, register, space, flags, offset] in ranges {
                    writer.words(&[*kind, *number, *register, *space]);
                    if range_words(data.version) == 6 {
                        writer.words(&[*flags]);
                    }
                    writer.words(&[*offset]);
                }
            }
            ParameterKind::Constants(words) => writer.words(words),
            ParameterKind::Descriptor(_, words) => writer.words(&words[..descriptor_words(data.version)]),
        }
    }
    let samplers = writer.offset();
    writer.set(16, samplers);
    for sampler in &data.samplers {
        writer.words(&sampler[..sampler_words(data.version)]);
    }
    dxbc::container(b"RTS0", &writer.0)
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    /// `N` words at `at`; every offset is the file's word, so that none is trusted.
    fn words<const N: usize>(&self, at: usize, count: usize) -> Option<[u32; N]> {
        let mut words = [0; N];
        let bytes = self.0.get(at..at.checked_add(count.checked_mul(4)?)?)?;
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().ok()?);
        }
        Some(words)
    }

    /// `count` items of `size` words from `at` on; none where they do not all lie within.
    fn items<T>(
        &self,
        at: u32,
        count: u32,
        size: usize,
        item: impl Fn(usize) -> Option<T>,
    ) -> Option<Vec<T>> {
        let (at, count) = (usize::try_from(at).ok()?, usize::try_from(count).ok()?);
        let bytes = size.checked_mul(4)?;
        // Before memory is taken for them.
        self.0.get(at..at.checked_add(count.checked_mul(bytes)?)?)?;
        (0..count).map(|index| item(at + index * bytes)).collect()
    }
}

/// The root signature of a container that has one; none of other bytes, and of ones that contradict themselves.
pub(super) fn parse(bytes: &[u8]) -> Option<RootSignatureData> {
    let reader = Reader(dxbc::part(bytes, b"RTS0")?);
    let [version, parameter_count, parameters_at, sampler_count, samplers_at, flags] = reader.words(0, 6)?;
    if !(1..=3).contains(&version) {
        return None;
    }
    let parameters = reader.items(parameters_at, parameter_count, 3, |at| {
        let [kind, visibility, place] = reader.words(at, 3)?;
        let place = usize::try_from(place).ok()?;
        let kind = match kind {
            0 => {
                let [count, ranges] = reader.words(place, 2)?;
                let size = range_words(version);
                ParameterKind::Table(reader.items(ranges, count, size, |at| match size {
                    6 => reader.words(at, 6),
                    _ => Some(range_of_1_0(reader.words(at, 5)?)),
                })?)
            }
            1 => ParameterKind::Constants(reader.words(place, 3)?),
            2..=4 => {
                let mut words: [u32; 3] = reader.words(place, descriptor_words(version))?;
                if version == 1 {
                    words[2] = VOLATILE_DESCRIPTOR;
                }
                ParameterKind::Descriptor(kind, words)
            }
            _ => return None,
        };
        Some(Parameter { visibility, kind })
    })?;
    let size = sampler_words(version);
    let samplers = reader.items(samplers_at, sampler_count, size, |at| reader.words(at, size))?;
    Some(RootSignatureData { version, parameters, samplers, flags })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(version: u32) -> RootSignatureData {
        let flags = if version == 1 { VOLATILE_RANGE } else { 0x8 };
        let descriptor = if version == 1 { VOLATILE_DESCRIPTOR } else { 0x4 };
        let mut sampler = [9; 14];
        sampler[13] = if version == 3 { 1 } else { 0 };
        RootSignatureData {
            version,
            parameters: vec![
                Parameter {
                    visibility: 5,
                    kind: ParameterKind::Table(vec![[0, 4, 1, 2, flags, 0], [1, 1, 0, 0, flags, u32::MAX]]),
                },
                Parameter { visibility: 0, kind: ParameterKind::Constants([1, 2, 3]) },
                Parameter { visibility: 1, kind: ParameterKind::Descriptor(4, [7, 8, descriptor]) },
            ],
            samplers: vec![sampler; 2],
            flags: 0x1,
        }
    }

    #[test]
    fn every_version_comes_back() {
        for version in 1..=3 {
            let data = example(version);
            assert_eq!(parse(&serialize(&data)), Some(data));
        }
    }

    #[test]
    fn the_bytes_are_those_of_the_format() {
        let data = RootSignatureData { version: 1, parameters: vec![], samplers: vec![], flags: 1 };
        let bytes = serialize(&data);
        // DXBC, the digest, 1, 68 bytes, one part, at 36; RTS0, 24 bytes: version, parameters (none, at 24), samplers
        // (none, at 24), flags.
        assert_eq!(bytes.len(), 68);
        assert_eq!(&bytes[20..36], [1, 0, 0, 0, 68, 0, 0, 0, 1, 0, 0, 0, 36, 0, 0, 0]);
        assert_eq!(&bytes[36..44], [b'R', b'T', b'S', b'0', 24, 0, 0, 0]);
        let words: Vec<u32> =
            bytes[44..].chunks_exact(4).map(|w| u32::from_le_bytes(w.try_into().expect("4 bytes"))).collect();
        assert_eq!(words, [1, 0, 24, 0, 24, 1]);
    }

    #[test]
    fn bytes_that_lie_are_refused() {
        let bytes = serialize(&example(2));
        for at in 44..bytes.len() - 3 {
            let mut wrong = bytes.clone();
            wrong[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
            // Whether it parses or not, it neither panics nor takes memory for what is not there.
            if let Some(data) = parse(&wrong) {
                assert!(data.parameters.len() <= 3);
            }
        }
    }
}
