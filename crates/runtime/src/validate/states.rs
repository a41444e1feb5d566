//! Which states and layouts a resource can be in: what creation and barriers have in common.

use heapstone_spec::{BarrierLayout, ResourceDesc, ResourceFlags, ResourceStates, Rule, Violation};

/// States of which one stands alone.
const WRITE_STATES: ResourceStates = ResourceStates::RENDER_TARGET
    .union(ResourceStates::UNORDERED_ACCESS)
    .union(ResourceStates::DEPTH_WRITE)
    .union(ResourceStates::STREAM_OUT)
    .union(ResourceStates::COPY_DEST)
    .union(ResourceStates::RESOLVE_DEST)
    .union(ResourceStates::VIDEO_DECODE_WRITE)
    .union(ResourceStates::VIDEO_PROCESS_WRITE)
    .union(ResourceStates::VIDEO_ENCODE_WRITE)
    .union(ResourceStates::RAYTRACING_ACCELERATION_STRUCTURE);

/// States that only buffers have.
const BUFFER_STATES: ResourceStates = ResourceStates::VERTEX_AND_CONSTANT_BUFFER
    .union(ResourceStates::INDEX_BUFFER)
    .union(ResourceStates::STREAM_OUT)
    .union(ResourceStates::INDIRECT_ARGUMENT)
    .union(ResourceStates::RAYTRACING_ACCELERATION_STRUCTURE);

/// States that only textures have.
const TEXTURE_STATES: ResourceStates = ResourceStates::DEPTH_WRITE
    .union(ResourceStates::DEPTH_READ)
    .union(ResourceStates::RESOLVE_DEST)
    .union(ResourceStates::RESOLVE_SOURCE)
    .union(ResourceStates::SHADING_RATE_SOURCE)
    .union(ResourceStates::VIDEO_PROCESS_READ)
    .union(ResourceStates::VIDEO_PROCESS_WRITE);

/// States, with the flag without which a resource has none of them.
const FLAGGED_STATES: [(ResourceStates, ResourceFlags); 4] = [
    (ResourceStates::RENDER_TARGET, ResourceFlags::ALLOW_RENDER_TARGET),
    (ResourceStates::UNORDERED_ACCESS, ResourceFlags::ALLOW_UNORDERED_ACCESS),
    (ResourceStates::RAYTRACING_ACCELERATION_STRUCTURE, ResourceFlags::ALLOW_UNORDERED_ACCESS),
    (ResourceStates::DEPTH_WRITE.union(ResourceStates::DEPTH_READ), ResourceFlags::ALLOW_DEPTH_STENCIL),
];

/// The rules by which a call refuses states.
pub(crate) struct StateRules {
    /// Bits that are no states.
    pub(crate) unrecognized: &'static Rule,
    /// A write state beside others.
    pub(crate) exclusive: &'static Rule,
    /// A buffer's state of a texture, or the other way round.
    pub(crate) dimension: &'static Rule,
    /// A state that needs a flag of the resource.
    pub(crate) flags: &'static Rule,
    /// A shader's state beside DENY_SHADER_RESOURCE.
    pub(crate) denied: &'static Rule,
}

/// Checks a state that is not COMMON, which every resource can be in.
#[inline]
pub(crate) fn check_state(
    rules: &StateRules,
    field: &'static str,
    desc: &ResourceDesc,
    state: ResourceStates,
) -> Result<(), Box<Violation>> {
    let writes = state.intersection(WRITE_STATES);
    let is_exclusive = writes.is_empty() || state.bits().is_power_of_two();
    if !ResourceStates::all().contains(state) || !is_exclusive {
        return Err(state_violation(rules, field, state));
    }
    let wrong_kind = wrong_kind(desc, state);
    if !wrong_kind.is_empty() {
        return Err(dimension_violation(rules, field, desc, wrong_kind));
    }
    let lacks_flag =
        FLAGGED_STATES.iter().any(|(states, flag)| state.intersects(*states) && !desc.flags.contains(*flag));
    let is_denied = desc.flags.contains(ResourceFlags::DENY_SHADER_RESOURCE)
        && state.intersects(ResourceStates::ALL_SHADER_RESOURCE);
    if lacks_flag || is_denied {
        return Err(flags_violation(rules, field, desc, state));
    }
    Ok(())
}

/// States of the other kind of resource.
#[inline]
fn wrong_kind(desc: &ResourceDesc, state: ResourceStates) -> ResourceStates {
    // GENERIC_READ as a whole is a state of textures as well, though it holds bits of buffers.
    if desc.is_buffer() {
        state.intersection(TEXTURE_STATES)
    } else if state == ResourceStates::GENERIC_READ {
        ResourceStates::empty()
    } else {
        state.intersection(BUFFER_STATES)
    }
}

#[cold]
fn state_violation(rules: &StateRules, field: &'static str, state: ResourceStates) -> Box<Violation> {
    let unknown = state.difference(ResourceStates::all());
    if !unknown.is_empty() {
        return rules.unrecognized.violated(
            field,
            format_args!("{:#x}, with unknown bits {:#x}", state.bits(), unknown.bits()),
            format_args!("bits of {:#x}", ResourceStates::all().bits()),
        );
    }
    rules.exclusive.violated(
        field,
        state,
        format_args!("{} alone, or read states only", state.intersection(WRITE_STATES)),
    )
}

#[cold]
fn dimension_violation(
    rules: &StateRules,
    field: &'static str,
    desc: &ResourceDesc,
    wrong_kind: ResourceStates,
) -> Box<Violation> {
    rules.dimension.violated(
        field,
        format_args!("{wrong_kind} for {}", desc.dimension),
        if desc.is_buffer() { "states of buffers" } else { "states of textures" },
    )
}

#[cold]
fn flags_violation(
    rules: &StateRules,
    field: &'static str,
    desc: &ResourceDesc,
    state: ResourceStates,
) -> Box<Violation> {
    let given = format!("{state} with flags {}", desc.flags);
    let lacking =
        FLAGGED_STATES.iter().find(|(states, flag)| state.intersects(*states) && !desc.flags.contains(*flag));
    match lacking {
        Some((states, flag)) => {
            rules.flags.violated(field, given, format_args!("{} with {flag}", state.intersection(*states)))
        }
        None => rules.denied.violated(field, given, "no shader-resource state beside DENY_SHADER_RESOURCE"),
    }
}

/// Checks a layout of a texture against the texture's flags.
pub(crate) fn check_layout_flags(
    rule: &'static Rule,
    field: &'static str,
    desc: &ResourceDesc,
    layout: BarrierLayout,
) -> Result<(), Box<Violation>> {
    let needs = match layout {
        BarrierLayout::RenderTarget => ResourceFlags::ALLOW_RENDER_TARGET,
        BarrierLayout::DepthStencilWrite | BarrierLayout::DepthStencilRead => {
            ResourceFlags::ALLOW_DEPTH_STENCIL
        }
        BarrierLayout::UnorderedAccess
        | BarrierLayout::DirectQueueUnorderedAccess
        | BarrierLayout::ComputeQueueUnorderedAccess => ResourceFlags::ALLOW_UNORDERED_ACCESS,
        _ => ResourceFlags::empty(),
    };
    if !desc.flags.contains(needs) {
        return Err(rule.violated(
            field,
            format_args!("{layout} with flags {}", desc.flags),
            format_args!("{layout} with {needs}"),
        ));
    }
    let is_shader_layout = matches!(
        layout,
        BarrierLayout::ShaderResource
            | BarrierLayout::DirectQueueShaderResource
            | BarrierLayout::ComputeQueueShaderResource
    );
    if is_shader_layout && desc.flags.contains(ResourceFlags::DENY_SHADER_RESOURCE) {
        return Err(rule.violated(
            field,
            format_args!("{layout} with flags {}", desc.flags),
            "no shader-resource layout beside DENY_SHADER_RESOURCE",
        ));
    }
    Ok(())
}
