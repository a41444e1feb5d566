//! Files of textures, whatever their kind.

use std::ops::Range;
use std::path::Path;

use super::texture::{Subresource, Texture};
use super::{dds, ktx};

/// A texture in the bytes of a file.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) kind: Kind,
    pub(crate) texture: Texture,
    /// Where the rows of each subresource are, in D3D12's order.
    pub(crate) rows: Vec<Range<usize>>,
    /// Bytes behind the last of them.
    pub(crate) trailing: u64,
}

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Dds,
    Ktx2,
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Dds => "DDS",
            Kind::Ktx2 => "KTX2",
        }
    }

    /// By the ending of a file's name.
    pub(crate) fn of_path(path: &Path) -> Option<Kind> {
        let ending = path.extension()?;
        if ending.eq_ignore_ascii_case("dds") {
            Some(Kind::Dds)
        } else if ending.eq_ignore_ascii_case("ktx2") {
            Some(Kind::Ktx2)
        } else {
            None
        }
    }

    /// By the first bytes of a file.
    fn of_content(file: &[u8]) -> Option<Kind> {
        if file.starts_with(dds::MAGIC) {
            Some(Kind::Dds)
        } else if file.starts_with(&ktx2::MAGIC) {
            Some(Kind::Ktx2)
        } else {
            None
        }
    }
}

/// Finds the texture in a file.
///
/// # Errors
/// What is wrong with the file. Nothing is allocated by what it says before it has the bytes for it.
pub(crate) fn parse(file: &[u8]) -> Result<Contents, String> {
    match Kind::of_content(file) {
        Some(Kind::Dds) => dds::parse(file),
        Some(Kind::Ktx2) => ktx::parse(file),
        None => {
            let begin: Vec<String> = file.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
            let begin = if begin.is_empty() { "nothing".to_owned() } else { begin.join(" ") };
            Err(format!(
                "the file begins with {begin}; allowed: a DDS file (44 44 53 20) or a KTX2 file (ab 4b 54 58)"
            ))
        }
    }
}

/// Rows to write: those of a subresource, at the front of the buffer.
pub(crate) type RowsOf<'a> = dyn FnMut(Subresource, &mut Vec<u8>) -> Result<(), crate::failure::Failure> + 'a;

/// The bytes of a file from `at` on.
///
/// # Errors
/// There are fewer: `what` says of what.
pub(crate) fn bytes<const N: usize>(file: &[u8], at: usize, what: &str) -> Result<[u8; N], String> {
    file.get(at..).and_then(|rest| rest.first_chunk()).copied().ok_or_else(|| {
        format!("the file ends after {} bytes, within {what}, which ends after {}", file.len(), at + N)
    })
}

/// The 32-bit word, least byte first.
///
/// # Errors
/// As [`bytes`].
pub(crate) fn word(file: &[u8], at: usize, what: &str) -> Result<u32, String> {
    bytes(file, at, what).map(u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_name_and_by_content() {
        assert_eq!(Kind::of_path(Path::new("a.b/C.DDS")), Some(Kind::Dds));
        assert_eq!(Kind::of_path(Path::new("c.ktx2")), Some(Kind::Ktx2));
        assert_eq!(Kind::of_path(Path::new("dds")), None);
        assert!(parse(b"").unwrap_err().contains("nothing"));
        assert!(parse(b"\x89PNG").unwrap_err().contains("89 50 4e 47"));
        assert_eq!(word(&[1, 2, 3, 4, 5], 1, "it"), Ok(0x0504_0302));
        assert_eq!(
            word(&[1, 2, 3, 4, 5], 2, "the header").unwrap_err(),
            "the file ends after 5 bytes, within the header, which ends after 6"
        );
    }
}
