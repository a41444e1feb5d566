//! What each format may be used for.

use super::{Format, FormatUses};

/// What `format` may be used for.
pub(super) fn of(_format: Format) -> FormatUses {
    FormatUses::all()
}
