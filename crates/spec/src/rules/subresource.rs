//! Rules of WriteToSubresource and ReadFromSubresource.

rules! {}
