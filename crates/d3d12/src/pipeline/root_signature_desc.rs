//! Root signatures as C describes them, read and written.

use core::ffi::c_void;
use core::ptr;

use super::signature_bytes::{
    Parameter, ParameterKind, RootSignatureData, VOLATILE_DESCRIPTOR, range_of_1_0, sampler_words,
};
use crate::convert;
use crate::failure::{Failure, Unknown};
use crate::types::{
    D3D12_ROOT_DESCRIPTOR_TABLE, D3D12_ROOT_PARAMETER, D3D12_ROOT_SIGNATURE_DESC,
    D3D12_VERSIONED_ROOT_SIGNATURE_DESC, RootParameterUnion,
};

/// Words of a range in C.
fn range_words(version: u32) -> usize {
    if version >= 2 { 6 } else { 5 }
}

/// # Safety
/// The description points to what it says.
///
/// # Errors
/// A version or type that there is not, NULL for something.
pub(super) unsafe fn read(
    desc: &D3D12_ROOT_SIGNATURE_DESC,
    version: u32,
) -> Result<RootSignatureData, Failure> {
    if !(1..=3).contains(&version) {
        return Err(Unknown { field: "D3D_ROOT_SIGNATURE_VERSION", given: u64::from(version) }.into());
    }
    // SAFETY: the caller's promise.
    let given = unsafe { convert::slice(desc.pParameters, desc.NumParameters, "pParameters is NULL") }?;
    let parameters = given.iter().map(|parameter| {
        let kind = match parameter.ParameterType {
            // SAFETY: the type says which part is there.
            0 => unsafe { read_table(&parameter.u.DescriptorTable, version) }?,
            // SAFETY: as above.
            1 => ParameterKind::Constants(unsafe { parameter.u.Words }),
            number @ 2..=4 => {
                // SAFETY: as above; version 1.0 leaves the last word out.
                let [register, space, flags] = unsafe { parameter.u.Words };
                let flags = if version == 1 { VOLATILE_DESCRIPTOR } else { flags };
                ParameterKind::Descriptor(number, [register, space, flags])
            }
            other => {
                return Err(Unknown { field: "D3D12_ROOT_PARAMETER_TYPE", given: u64::from(other) }.into());
            }
        };
        Ok(Parameter { visibility: parameter.ShaderVisibility, kind })
    });
    let parameters = parameters.collect::<Result<Vec<_>, Failure>>()?;
    let words = sampler_words(version);
    // SAFETY: the caller's promise: as many samplers, of as many words.
    let all =
        unsafe { words_at(desc.pStaticSamplers, desc.NumStaticSamplers, words, "pStaticSamplers is NULL") }?;
    let samplers = all.chunks_exact(words).map(|given| {
        let mut sampler = [0; 14];
        sampler[..words].copy_from_slice(given);
        sampler
    });
    Ok(RootSignatureData { version, parameters, samplers: samplers.collect(), flags: desc.Flags })
}

unsafe fn read_table(table: &D3D12_ROOT_DESCRIPTOR_TABLE, version: u32) -> Result<ParameterKind, Failure> {
    let words = range_words(version);
    let field = "pDescriptorRanges is NULL";
    // SAFETY: the caller's promise: as many ranges, of as many words.
    let all = unsafe { words_at(table.pDescriptorRanges, table.NumDescriptorRanges, words, field) }?;
    let ranges = all.chunks_exact(words).map(|given| match *given {
        [kind, count, register, space, offset] => range_of_1_0([kind, count, register, space, offset]),
        [kind, count, register, space, flags, offset] => [kind, count, register, space, flags, offset],
        _ => unreachable!("invariant: chunks of 5 or 6"),
    });
    Ok(ParameterKind::Table(ranges.collect()))
}

unsafe fn words_at<'a>(
    items: *const c_void,
    count: u32,
    words: usize,
    field: &'static str,
) -> Result<&'a [u32], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if items.is_null() {
        return Err(Failure::Argument(field));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts(items.cast(), convert::size(count) * words) })
}

/// A description in C, with what it points to.
pub(super) struct OwnedDesc {
    desc: Box<D3D12_VERSIONED_ROOT_SIGNATURE_DESC>,
    /// What `desc` points to; kept, never looked at.
    _parameters: Box<[D3D12_ROOT_PARAMETER]>,
    _ranges: Vec<Box<[u32]>>,
    _samplers: Box<[u32]>,
}

// SAFETY: the pointers lead to what it owns, which does not change.
unsafe impl Send for OwnedDesc {}
// SAFETY: as above.
unsafe impl Sync for OwnedDesc {}

impl OwnedDesc {
    /// `data` as that version describes it; what the version has no words for is left out.
    pub(super) fn new(data: &RootSignatureData, version: u32) -> OwnedDesc {
        let count = |items: usize| u32::try_from(items).expect("invariant: a root signature is small");
        let mut kept = Vec::new();
        let parameters: Box<[D3D12_ROOT_PARAMETER]> = data
            .parameters
            .iter()
            .map(|parameter| {
                let u = match &parameter.kind {
                    ParameterKind::Table(ranges) => {
                        let words: Box<[u32]> = ranges
                            .iter()
                            .flat_map(|[kind, number, register, space, flags, offset]| {
                                let mut words = vec![*kind, *number, *register, *space];
                                if range_words(version) == 6 {
                                    words.push(*flags);
                                }
                                words.push(*offset);
                                words
                            })
                            .collect();
                        let table = D3D12_ROOT_DESCRIPTOR_TABLE {
                            NumDescriptorRanges: count(ranges.len()),
                            pDescriptorRanges: words.as_ptr().cast(),
                        };
                        kept.push(words);
                        RootParameterUnion { DescriptorTable: table }
                    }
                    ParameterKind::Constants(words) | ParameterKind::Descriptor(_, words) => {
                        RootParameterUnion { Words: *words }
                    }
                };
                D3D12_ROOT_PARAMETER {
                    ParameterType: parameter.kind.number(),
                    u,
                    ShaderVisibility: parameter.visibility,
                }
            })
            .collect();
        let words = sampler_words(version);
        let samplers: Box<[u32]> =
            data.samplers.iter().flat_map(|sampler| sampler[..words].to_vec()).collect();
        let desc = D3D12_VERSIONED_ROOT_SIGNATURE_DESC {
            Version: version,
            Desc: D3D12_ROOT_SIGNATURE_DESC {
                NumParameters: count(parameters.len()),
                pParameters: if parameters.is_empty() { ptr::null() } else { parameters.as_ptr() },
                NumStaticSamplers: count(data.samplers.len()),
                pStaticSamplers: if samplers.is_empty() { ptr::null() } else { samplers.as_ptr().cast() },
                Flags: data.flags,
            },
        };
        OwnedDesc { desc: Box::new(desc), _parameters: parameters, _ranges: kept, _samplers: samplers }
    }

    pub(super) fn desc(&self) -> *const D3D12_VERSIONED_ROOT_SIGNATURE_DESC {
        &raw const *self.desc
    }

    pub(super) fn unversioned(&self) -> *const D3D12_ROOT_SIGNATURE_DESC {
        &raw const self.desc.Desc
    }
}
