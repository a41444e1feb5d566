//! Rectangles of clears, in elements.

use heapstone::spec::commands::Rect;

use crate::shape::Subresource;

/// Origin and size of what each rectangle covers of a subresource, all of it where there are none; what lies
/// outside is left out.
pub(crate) fn covered(shape: &Subresource, rects: &[Rect]) -> Vec<([usize; 2], [usize; 2])> {
    let [width, height, _] = shape.extent;
    if rects.is_empty() {
        return vec![([0, 0], [width, height])];
    }
    let clamp = |at: i32, limit: usize| usize::try_from(at).unwrap_or(0).min(limit);
    let cut = |rect: &Rect| {
        let (left, right) = (clamp(rect.left, width), clamp(rect.right, width));
        let (top, bottom) = (clamp(rect.top, height), clamp(rect.bottom, height));
        (left < right && top < bottom).then(|| ([left, top], [right - left, bottom - top]))
    };
    rects.iter().filter_map(cut).collect()
}
