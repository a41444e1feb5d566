//! WriteToSubresource and ReadFromSubresource.
