//! Rules of resolves of samples.

use crate::message;

rules! {
    RESOLVE_TEXTURE = "resolve.texture" {
        statement: "Resolves are between 2D textures.",
        remedy: "Copy instead.",
        message: Some(message::RESOLVESUBRESOURCE_INVALIDDSTRESOURCE),
        source: "Microsoft's public D3D12 documentation, ResolveSubresource",
    }
    RESOLVE_SUBRESOURCE = "resolve.subresource" {
        statement: "A subresource index is below mips x slices x planes.",
        remedy: "Give the index of a subresource that the texture has.",
        message: Some(message::RESOLVESUBRESOURCE_INVALID_SUBRESOURCE_INDEX),
        source: "facts/layout.md, Tiling: the order of subresources",
    }
    RESOLVE_SAMPLES = "resolve.samples" {
        statement: "A resolve is from several samples to one; DECOMPRESS is to as many as there are.",
        remedy: "Create the destination with one sample, or with the source's for DECOMPRESS.",
        message: Some(message::RESOLVESUBRESOURCE_INVALID_SAMPLE_COUNT),
        source: "Microsoft's public D3D12 specification of programmable sample positions, ResolveSubresourceRegion",
    }
    RESOLVE_MISMATCH = "resolve.mismatch" {
        statement: "ResolveSubresource is between subresources of one extent.",
        remedy: "Use ResolveSubresourceRegion for a part.",
        message: Some(message::RESOLVESUBRESOURCE_RESOURCE_MISMATCH),
        source: "Microsoft's public D3D12 documentation, ResolveSubresource",
    }
    RESOLVE_FORMAT = "resolve.format" {
        statement: "The format is typed, of the family of both textures, and one that the mode resolves: AVERAGE no integers.",
        remedy: "Give a typed format of the family, and MIN or MAX for integers.",
        message: Some(message::RESOLVESUBRESOURCE_INVALID_FORMAT),
        source: "Microsoft's public D3D12 specification of programmable sample positions, ResolveSubresourceRegion",
    }
    RESOLVE_FORMAT_TYPED = "resolve.format.typed" {
        statement: "A texture of a typed format is resolved as that format, or as one that it casts to.",
        remedy: "Give the textures' format, list it as castable, or create them typeless.",
        message: Some(message::RESOLVESUBRESOURCE_INVALID_FORMAT),
        source: "Microsoft's public D3D12 documentation, ResolveSubresource",
    }
    RESOLVE_FORMAT_AVERAGE = "resolve.format.average" {
        statement: "ResolveSubresource resolves formats that support it: no depth.",
        remedy: "Resolve depth with ResolveSubresourceRegion.",
        message: Some(message::RESOLVESUBRESOURCE_INVALID_FORMAT),
        source: "Microsoft's public format support tables, Multisample Resolve",
    }
    RESOLVE_REGION_TIER = "resolve.region.tier" {
        statement: "ResolveSubresourceRegion is for adapters with programmable sample positions.",
        remedy: "Use ResolveSubresource where ProgrammableSamplePositionsTier is 0.",
        message: None,
        source: "Microsoft's public D3D12 specification of programmable sample positions, Validation: Direct3D removes the device; chosen: the call is refused, as any other that breaks a rule",
    }
    RESOLVE_REGION = "resolve.region" {
        statement: "The region that is resolved lies in the source, and the one that is written in the destination.",
        remedy: "Cut the rectangle, or move the destination's origin.",
        message: Some(message::RESOLVESUBRESOURCEREGION_INVALID_RECT),
        source: "Microsoft's public D3D12 specification of programmable sample positions, Validation",
    }
    RESOLVE_IN_PLACE = "resolve.in_place" {
        statement: "Within one subresource only DECOMPRESS resolves, and in place.",
        remedy: "Resolve to another subresource, or decompress to the same place.",
        message: Some(message::RESOLVESUBRESOURCE_INVALIDSRCRESOURCE),
        source: "Microsoft's public D3D12 specification of programmable sample positions, ResolveSubresourceRegion",
    }
}
