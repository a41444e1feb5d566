//! What the views of all kinds have in common: a part of a buffer, or of a texture.

use heapstone_spec::views::{BufferViewFlags, DsvDimension, RtvDimension, SrvDimension, UavDimension};
use heapstone_spec::{ResourceDesc, ResourceDimension};
use heapstone_units::GpuVirtualAddress;

/// The part of a resource that a view reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewRange {
    /// Of a buffer.
    Buffer {
        /// In bytes.
        offset: u64,
        /// In bytes.
        size: u64,
        /// Bytes of an element: the format's, the stride, 4 where RAW.
        element_size: u32,
    },
    /// Of a texture.
    Texture(TextureRange),
}

/// The part of a texture that a view reaches; each count is at least 1 and ends within the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextureRange {
    /// The most detailed mip.
    pub first_mip: u32,
    /// Mips.
    pub mip_count: u32,
    /// The first array slice; 0 of a 3D texture.
    pub first_slice: u32,
    /// Array slices; 1 of a 3D texture.
    pub slice_count: u32,
    /// The plane that the view's format sees. Of a depth-stencil view 0, which is depth's: it sees stencil, in
    /// plane 1, as well.
    pub plane: u32,
    /// The first depth slice of the first mip; 0 of others than 3D textures.
    pub first_w: u32,
    /// Depth slices of the first mip; 1 of others than 3D textures.
    pub w_count: u32,
}

/// A first one, and how many: `None` is all that are left.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) first: u32,
    pub(super) count: Option<u32>,
}

const ALL: Span = Span { first: 0, count: None };

/// The axes that a dimension has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Axes {
    One,
    Two,
    TwoMultisampled,
    Three,
    /// Two, six slices a cube.
    Cube,
}

/// A view's dimension, whichever kind the view is of.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Buffer(BufferShape),
    Texture(TextureShape),
    AccelerationStructure { location: GpuVirtualAddress },
}

#[derive(Clone, Copy)]
pub(super) struct BufferShape {
    pub(super) first_element: u64,
    pub(super) element_count: u32,
    pub(super) stride: u32,
    pub(super) flags: BufferViewFlags,
}

#[derive(Clone, Copy)]
pub(super) struct TextureShape {
    /// D3D12's name of the dimension.
    pub(super) name: &'static str,
    pub(super) axes: Axes,
    pub(super) mips: Span,
    /// In slices; of a dimension that is no array the first, or the first six.
    pub(super) slices: Span,
    /// PlaneSlice, where the dimension has it.
    pub(super) plane: Option<u32>,
    /// Of a 3D texture.
    pub(super) w: Span,
}

impl TextureShape {
    const fn new(name: &'static str, axes: Axes, mips: Span) -> TextureShape {
        let slices = Span { first: 0, count: Some(if matches!(axes, Axes::Cube) { 6 } else { 1 }) };
        TextureShape { name, axes, mips, slices, plane: None, w: ALL }
    }

    const fn array(self, first: u32, count: Option<u32>) -> TextureShape {
        TextureShape { slices: Span { first, count }, ..self }
    }

    const fn plane(self, plane: u32) -> TextureShape {
        TextureShape { plane: Some(plane), ..self }
    }

    const fn w(self, first: u32, count: Option<u32>) -> TextureShape {
        TextureShape { w: Span { first, count }, ..self }
    }
}

const fn one(mip: u32) -> Span {
    Span { first: mip, count: Some(1) }
}

const fn from(mip: u32, count: Option<u32>) -> Span {
    Span { first: mip, count }
}

/// The shape of a dimension of which each sees one mip, those of UAV, RTV and DSV; behind the semicolon the
/// match's arms that are the dimension's own.
macro_rules! of_one_mip {
    ($dimension:expr, $D:ident $(, $plane:ident)?; $($more:tt)*) => {{
        let new = TextureShape::new;
        Shape::Texture(match *$dimension {
            $D::Texture1D { mip_slice } => new("TEXTURE1D", Axes::One, one(mip_slice)),
            $D::Texture1DArray { mip_slice, first_array_slice, array_size } => {
                new("TEXTURE1DARRAY", Axes::One, one(mip_slice)).array(first_array_slice, array_size)
            }
            $D::Texture2D { mip_slice $(, $plane)? } => {
                new("TEXTURE2D", Axes::Two, one(mip_slice)) $(.plane($plane))?
            }
            $D::Texture2DArray { mip_slice, first_array_slice, array_size $(, $plane)? } => {
                new("TEXTURE2DARRAY", Axes::Two, one(mip_slice))
                    .array(first_array_slice, array_size)
                    $(.plane($plane))?
            }
            $D::Texture2DMs => new("TEXTURE2DMS", Axes::TwoMultisampled, one(0)),
            $D::Texture2DMsArray { first_array_slice, array_size } => {
                new("TEXTURE2DMSARRAY", Axes::TwoMultisampled, one(0)).array(first_array_slice, array_size)
            }
            $($more)*
        })
    }};
}

/// The dimension that sees the first mip of a whole texture; behind the semicolon that of a 3D texture.
macro_rules! default_of_one_mip {
    ($desc:expr, $D:ident $(, $plane:ident)?; $three:expr) => {
        Some(match DefaultView::of($desc)? {
            DefaultView::Texture1D => $D::Texture1D { mip_slice: 0 },
            DefaultView::Texture1DArray => {
                $D::Texture1DArray { mip_slice: 0, first_array_slice: 0, array_size: None }
            }
            DefaultView::Texture2D => $D::Texture2D { mip_slice: 0 $(, $plane: 0)? },
            DefaultView::Texture2DArray => {
                $D::Texture2DArray { mip_slice: 0, first_array_slice: 0, array_size: None $(, $plane: 0)? }
            }
            DefaultView::Texture2DMs => $D::Texture2DMs,
            DefaultView::Texture2DMsArray => $D::Texture2DMsArray { first_array_slice: 0, array_size: None },
            DefaultView::Texture3D => $three,
        })
    };
}

/// The dimension of a texture's default view.
enum DefaultView {
    Texture1D,
    Texture1DArray,
    Texture2D,
    Texture2DArray,
    Texture2DMs,
    Texture2DMsArray,
    Texture3D,
}

impl DefaultView {
    /// `None` of a buffer: it has no format that a view could have.
    fn of(desc: &ResourceDesc) -> Option<DefaultView> {
        let (is_array, is_multisampled) = (desc.depth_or_array_size > 1, desc.sample_desc.count > 1);
        Some(match (desc.dimension, is_multisampled, is_array) {
            (ResourceDimension::Buffer | ResourceDimension::Unknown, _, _) => return None,
            (ResourceDimension::Texture1D, _, false) => DefaultView::Texture1D,
            (ResourceDimension::Texture1D, _, true) => DefaultView::Texture1DArray,
            (ResourceDimension::Texture2D, false, false) => DefaultView::Texture2D,
            (ResourceDimension::Texture2D, false, true) => DefaultView::Texture2DArray,
            (ResourceDimension::Texture2D, true, false) => DefaultView::Texture2DMs,
            (ResourceDimension::Texture2D, true, true) => DefaultView::Texture2DMsArray,
            (ResourceDimension::Texture3D, _, _) => DefaultView::Texture3D,
        })
    }
}

impl Shape {
    pub(super) fn of_srv(dimension: &SrvDimension) -> Shape {
        use SrvDimension as D;
        let new = TextureShape::new;
        Shape::Texture(match *dimension {
            D::Buffer { first_element, element_count, structure_byte_stride, flags } => {
                let stride = structure_byte_stride;
                return Shape::Buffer(BufferShape { first_element, element_count, stride, flags });
            }
            D::RaytracingAccelerationStructure { location } => {
                return Shape::AccelerationStructure { location };
            }
            D::Texture1D { most_detailed_mip, mip_levels, .. } => {
                new("TEXTURE1D", Axes::One, from(most_detailed_mip, mip_levels))
            }
            D::Texture1DArray { most_detailed_mip, mip_levels, first_array_slice, array_size, .. } => {
                new("TEXTURE1DARRAY", Axes::One, from(most_detailed_mip, mip_levels))
                    .array(first_array_slice, array_size)
            }
            D::Texture2D { most_detailed_mip, mip_levels, plane_slice, .. } => {
                new("TEXTURE2D", Axes::Two, from(most_detailed_mip, mip_levels)).plane(plane_slice)
            }
            D::Texture2DArray {
                most_detailed_mip,
                mip_levels,
                first_array_slice,
                array_size,
                plane_slice,
                ..
            } => new("TEXTURE2DARRAY", Axes::Two, from(most_detailed_mip, mip_levels))
                .array(first_array_slice, array_size)
                .plane(plane_slice),
            D::Texture2DMs => new("TEXTURE2DMS", Axes::TwoMultisampled, one(0)),
            D::Texture2DMsArray { first_array_slice, array_size } => {
                new("TEXTURE2DMSARRAY", Axes::TwoMultisampled, one(0)).array(first_array_slice, array_size)
            }
            D::Texture3D { most_detailed_mip, mip_levels, .. } => {
                new("TEXTURE3D", Axes::Three, from(most_detailed_mip, mip_levels))
            }
            D::TextureCube { most_detailed_mip, mip_levels, .. } => {
                new("TEXTURECUBE", Axes::Cube, from(most_detailed_mip, mip_levels))
            }
            D::TextureCubeArray {
                most_detailed_mip, mip_levels, first_2d_array_face, cube_count, ..
            } => {
                // A number of cubes that no slice count can be stays too large.
                let slices = cube_count.map(|cubes| cubes.saturating_mul(6));
                new("TEXTURECUBEARRAY", Axes::Cube, from(most_detailed_mip, mip_levels))
                    .array(first_2d_array_face, slices)
            }
        })
    }

    pub(super) fn of_uav(dimension: &UavDimension) -> Shape {
        of_one_mip!(dimension, UavDimension, plane_slice;
            UavDimension::Buffer { first_element, element_count, structure_byte_stride, flags, .. } => {
                let stride = structure_byte_stride;
                return Shape::Buffer(BufferShape { first_element, element_count, stride, flags });
            }
            UavDimension::Texture3D { mip_slice, first_w_slice, w_size } => {
                TextureShape::new("TEXTURE3D", Axes::Three, one(mip_slice)).w(first_w_slice, w_size)
            }
        )
    }

    pub(super) fn of_rtv(dimension: &RtvDimension) -> Shape {
        of_one_mip!(dimension, RtvDimension, plane_slice;
            RtvDimension::Buffer { first_element, element_count } => {
                let flags = BufferViewFlags::empty();
                return Shape::Buffer(BufferShape { first_element, element_count, stride: 0, flags });
            }
            RtvDimension::Texture3D { mip_slice, first_w_slice, w_size } => {
                TextureShape::new("TEXTURE3D", Axes::Three, one(mip_slice)).w(first_w_slice, w_size)
            }
        )
    }

    pub(super) fn of_dsv(dimension: &DsvDimension) -> Shape {
        of_one_mip!(dimension, DsvDimension;)
    }
}

/// What a resource is viewed as without a description (Microsoft's documentation of CreateShaderResourceView
/// and its siblings): by shaders the whole of a texture, by others its first mip; as an array where it is one.
/// `None` where there is no such view.
pub(super) fn default_srv(desc: &ResourceDesc) -> Option<SrvDimension> {
    use SrvDimension as D;
    let (most_detailed_mip, mip_levels, resource_min_lod_clamp) = (0, None, 0.0);
    let (first_array_slice, array_size, plane_slice) = (0, None, 0);
    Some(match DefaultView::of(desc)? {
        DefaultView::Texture1D => D::Texture1D { most_detailed_mip, mip_levels, resource_min_lod_clamp },
        DefaultView::Texture1DArray => D::Texture1DArray {
            most_detailed_mip,
            mip_levels,
            first_array_slice,
            array_size,
            resource_min_lod_clamp,
        },
        DefaultView::Texture2D => {
            D::Texture2D { most_detailed_mip, mip_levels, plane_slice, resource_min_lod_clamp }
        }
        DefaultView::Texture2DArray => D::Texture2DArray {
            most_detailed_mip,
            mip_levels,
            first_array_slice,
            array_size,
            plane_slice,
            resource_min_lod_clamp,
        },
        DefaultView::Texture2DMs => D::Texture2DMs,
        DefaultView::Texture2DMsArray => D::Texture2DMsArray { first_array_slice, array_size },
        DefaultView::Texture3D => D::Texture3D { most_detailed_mip, mip_levels, resource_min_lod_clamp },
    })
}

pub(super) fn default_uav(desc: &ResourceDesc) -> Option<UavDimension> {
    default_of_one_mip!(desc, UavDimension, plane_slice;
        UavDimension::Texture3D { mip_slice: 0, first_w_slice: 0, w_size: None })
}

pub(super) fn default_rtv(desc: &ResourceDesc) -> Option<RtvDimension> {
    default_of_one_mip!(desc, RtvDimension, plane_slice;
        RtvDimension::Texture3D { mip_slice: 0, first_w_slice: 0, w_size: None })
}

pub(super) fn default_dsv(desc: &ResourceDesc) -> Option<DsvDimension> {
    default_of_one_mip!(desc, DsvDimension; return None)
}
