//! Rules of what a resource begins with: initial state or layout, clear value, castable formats.

use heapstone_spec::profile::Caps;
use heapstone_spec::rules::placement as rules;
use heapstone_spec::{
    BarrierLayout, ClearColor, ClearValue, Format, FormatKind, FormatUses, HeapType, Profile, ResourceDesc,
    ResourceFlags, ResourceStates, SdkVersion, Violation,
};

use crate::desc::{Beginning, InitialState};
use crate::validate::states::{StateRules, check_layout_flags, check_state};

/// The rules by which creation refuses states.
static STATE_RULES: StateRules = StateRules {
    unrecognized: &rules::STATE_UNRECOGNIZED,
    exclusive: &rules::STATE_EXCLUSIVE,
    dimension: &rules::STATE_DIMENSION,
    flags: &rules::STATE_FLAGS,
    denied: &rules::STATE_FLAGS,
};

/// What the rules depend on beside resource and heap type.
#[derive(Clone, Copy)]
pub(crate) struct BeginningRules<'a> {
    pub(crate) profile: &'a Profile,
    pub(crate) sdk: SdkVersion,
    /// The adapter's under the SDK version.
    pub(crate) caps: &'a Caps,
}

const STATE: &str = "InitialResourceState";
const LAYOUT: &str = "InitialLayout";
const CLEAR_FORMAT: &str = "D3D12_CLEAR_VALUE.Format";
const CLEAR_VALUE: &str = "pOptimizedClearValue";
const CASTABLE: &str = "pCastableFormats";

impl BeginningRules<'_> {
    /// Checks all of it for a resource on a heap of `heap_type`; `None` where it is reserved.
    #[inline]
    pub(crate) fn check(
        &self,
        desc: &ResourceDesc,
        heap_type: Option<HeapType>,
        beginning: &Beginning<'_>,
    ) -> Result<(), Box<Violation>> {
        match beginning.initial {
            InitialState::State(state) => self.check_state(desc, heap_type, state)?,
            InitialState::Layout(layout) => self.check_layout(desc, layout)?,
        }
        self.check_castable(desc, beginning.castable_formats)?;
        if let Some(clear) = beginning.clear_value {
            check_clear_value(desc, clear, beginning.castable_formats)?;
        }
        Ok(())
    }

    #[inline]
    fn check_state(
        &self,
        desc: &ResourceDesc,
        heap_type: Option<HeapType>,
        state: ResourceStates,
    ) -> Result<(), Box<Violation>> {
        match heap_type {
            Some(HeapType::Upload) => self.check_upload_state(state)?,
            Some(HeapType::Readback) => self.check_readback_state(state)?,
            _ => {}
        }
        // COMMON is a beginning for all.
        if state.is_empty() { Ok(()) } else { check_state(&STATE_RULES, STATE, desc, state) }
    }

    fn check_upload_state(&self, state: ResourceStates) -> Result<(), Box<Violation>> {
        if state == ResourceStates::GENERIC_READ {
            return Ok(());
        }
        if rules::STATE_UPLOAD_INBOX.holds_in(self.sdk) {
            return Err(rules::STATE_UPLOAD_INBOX.violated(STATE, state, "GENERIC_READ on an UPLOAD heap"));
        }
        if state.is_empty() || state == ResourceStates::COPY_SOURCE {
            return Ok(());
        }
        Err(rules::STATE_UPLOAD.violated(STATE, state, "GENERIC_READ, COMMON, COPY_SOURCE on an UPLOAD heap"))
    }

    fn check_readback_state(&self, state: ResourceStates) -> Result<(), Box<Violation>> {
        if state == ResourceStates::COPY_DEST {
            return Ok(());
        }
        if rules::STATE_READBACK_INBOX.holds_in(self.sdk) {
            return Err(rules::STATE_READBACK_INBOX.violated(STATE, state, "COPY_DEST on a READBACK heap"));
        }
        if state.is_empty() {
            return Ok(());
        }
        Err(rules::STATE_READBACK.violated(STATE, state, "COPY_DEST, COMMON on a READBACK heap"))
    }

    fn check_layout(&self, desc: &ResourceDesc, layout: BarrierLayout) -> Result<(), Box<Violation>> {
        if !self.caps.enhanced_barriers {
            return Err(rules::LAYOUT_UNSUPPORTED.violated(
                LAYOUT,
                layout,
                format_args!(
                    "an initial state, on adapter profile {} under SDK {}",
                    self.profile.name, self.sdk
                ),
            ));
        }
        if desc.is_buffer() {
            return if layout == BarrierLayout::Undefined {
                Ok(())
            } else {
                Err(rules::LAYOUT_BUFFER.violated(LAYOUT, layout, "UNDEFINED for a buffer"))
            };
        }
        check_layout_flags(&rules::LAYOUT_FLAGS, LAYOUT, desc, layout)
    }

    /// Castable formats against the resource's own.
    #[inline]
    pub(crate) fn check_castable(
        &self,
        desc: &ResourceDesc,
        formats: &[Format],
    ) -> Result<(), Box<Violation>> {
        if formats.is_empty() { Ok(()) } else { self.check_cast(desc, formats) }
    }

    fn check_cast(&self, desc: &ResourceDesc, formats: &[Format]) -> Result<(), Box<Violation>> {
        if !self.caps.relaxed_format_casting {
            return Err(rules::CASTABLE_UNSUPPORTED.violated(
                CASTABLE,
                format_args!("{} formats", formats.len()),
                format_args!("none on adapter profile {} under SDK {}", self.profile.name, self.sdk),
            ));
        }
        if desc.is_buffer() {
            let typed = formats.iter().find(|format| **format != Format::UNKNOWN);
            return typed.map_or(Ok(()), |format| {
                Err(rules::CASTABLE_BUFFER.violated(CASTABLE, format, "none, or UNKNOWN, for a buffer"))
            });
        }
        let own = desc.format.info();
        let shows_blocks_as_texels = own.kind.contains(FormatKind::BLOCK_COMPRESSED);
        let misfit = formats.iter().find(|format| {
            let info = format.info();
            let is_texel = info.element_width() == 1;
            info.kind.intersects(FormatKind::PLANAR.union(FormatKind::OPAQUE))
                || info.bits_per_element != own.bits_per_element
                || (info.element_width() != own.element_width() && !(shows_blocks_as_texels && is_texel))
        });
        match misfit {
            None => Ok(()),
            Some(format) => Err(rules::CASTABLE_FORMAT.violated(
                CASTABLE,
                format_args!(
                    "{format}, {} bits an element of {1}x{1} texels",
                    format.info().bits_per_element,
                    format.info().element_width()
                ),
                format_args!(
                    "formats of one plane, {} bits an element of {1}x{1} texels{2}",
                    own.bits_per_element,
                    own.element_width(),
                    if shows_blocks_as_texels { " or of one" } else { "" }
                ),
            )),
        }
    }
}

/// Clear values against formats (spec/2-resource-heaps.txt 138-151, 186).
fn check_clear_value(
    desc: &ResourceDesc,
    clear: &ClearValue,
    castable: &[Format],
) -> Result<(), Box<Violation>> {
    if desc.is_buffer() {
        return Err(rules::CLEAR_VALUE_USE.violated(CLEAR_VALUE, "a value for a buffer", "NULL"));
    }
    if !desc.is_rt_ds() {
        return Err(rules::CLEAR_VALUE_USE.violated(
            CLEAR_VALUE,
            format_args!("a value for a texture with flags {}", desc.flags),
            "NULL without ALLOW_RENDER_TARGET or ALLOW_DEPTH_STENCIL",
        ));
    }
    if clear.format == Format::UNKNOWN || clear.format.info().kind.contains(FormatKind::TYPELESS) {
        return Err(rules::CLEAR_VALUE_TYPELESS.violated(
            CLEAR_FORMAT,
            clear.format,
            format_args!("a typed format of the family of {}", desc.format),
        ));
    }
    let is_depth_stencil = desc.flags.contains(ResourceFlags::ALLOW_DEPTH_STENCIL);
    let use_of_view = if is_depth_stencil { FormatUses::DEPTH_STENCIL } else { FormatUses::RENDER_TARGET };
    let is_of_family = clear.format.info().same_family(desc.format) || castable.contains(&clear.format);
    if !is_of_family || !clear.format.uses().contains(use_of_view) {
        return Err(rules::CLEAR_VALUE_FORMAT.violated(
            CLEAR_FORMAT,
            clear.format,
            format_args!(
                "a {} format of the family {}",
                if is_depth_stencil { "depth-stencil" } else { "render-target" },
                desc.format.info().family
            ),
        ));
    }
    match clear.value {
        ClearColor::Color(_) if is_depth_stencil => Err(rules::CLEAR_VALUE_KIND.violated(
            CLEAR_VALUE,
            "a colour",
            "depth and stencil for a depth-stencil",
        )),
        ClearColor::DepthStencil { .. } if !is_depth_stencil => Err(rules::CLEAR_VALUE_KIND.violated(
            CLEAR_VALUE,
            "depth and stencil",
            "a colour for a render target",
        )),
        // Written so that NaN, which is in no range, is refused.
        ClearColor::DepthStencil { depth, .. } if !(0.0..=1.0).contains(&depth) => {
            Err(rules::CLEAR_VALUE_DEPTH.violated("D3D12_CLEAR_VALUE.DepthStencil.Depth", depth, "0 to 1"))
        }
        ClearColor::Color(_) | ClearColor::DepthStencil { .. } => Ok(()),
    }
}
