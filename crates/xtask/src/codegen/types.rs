//! C++ types in Rust's words.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The names of the types that crate d3d12 declares.
#[derive(Clone, Debug, Default)]
pub struct Types {
    structs: BTreeSet<String>,
    aliases: BTreeSet<String>,
}

/// A type in Rust's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustType {
    /// The type.
    pub text: String,
    /// Whether it is a structure by value, which the two conventions return differently.
    pub is_struct: bool,
}

impl Types {
    /// Reads the declarations of the files in `folder`.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read(folder: &Path) -> Result<Types, String> {
        let mut types = Types::default();
        let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
            types.extend(&super::read(&path)?);
        }
        Ok(types)
    }

    /// Adds the declarations of a file's text.
    pub fn extend(&mut self, text: &str) {
        for line in text.lines().map(str::trim_start) {
            let name = |rest: &str| {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                rest[..end].to_owned()
            };
            if let Some(rest) = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub union ")) {
                self.structs.insert(name(rest));
            } else if let Some(rest) = line.strip_prefix("pub type ") {
                self.aliases.insert(name(rest));
            }
        }
    }

    /// The Rust type of a C++ type: pointers for references, `c_void` for what is only passed on, u32 for
    /// enumerations.
    #[must_use]
    pub fn rust(&self, cpp: &str) -> RustType {
        let cpp = cpp.trim();
        if let Some(referred) = cpp.strip_suffix('&') {
            return self.rust(&format!("{}*", referred.trim_end()));
        }
        if let Some(pointee) = cpp.strip_suffix('*') {
            let pointee = pointee.trim_end();
            // `X *const *`: a pointer to constant pointers.
            let (pointee, is_const) = match pointee.strip_suffix("const").filter(|rest| rest.ends_with('*')) {
                Some(rest) => (rest, true),
                None => match pointee.strip_prefix("const ").filter(|rest| !rest.contains('*')) {
                    Some(rest) => (rest, true),
                    None => (pointee, false),
                },
            };
            let inner = if pointee.ends_with('*') { self.rust(pointee).text } else { self.pointee(pointee) };
            let kind = if is_const { "const" } else { "mut" };
            return RustType { text: format!("*{kind} {inner}"), is_struct: false };
        }
        let scalar = match cpp {
            "void" => "()",
            "UINT" | "DWORD" | "ULONG" | "UINT32" | "uint32_t" => "u32",
            "INT" | "int" => "i32",
            "UINT64" => "u64",
            "UINT8" => "u8",
            "SIZE_T" | "size_t" => "usize",
            "FLOAT" => "f32",
            "bool" => "bool",
            "BOOL" => "BOOL",
            "HANDLE" | "HWND" | "LPVOID" => "*mut c_void",
            "LPCWSTR" => "*const c_void",
            "LPCSTR" => "*const c_char",
            "IID" => "GUID",
            known if self.structs.contains(known) || self.aliases.contains(known) => known,
            // An enumeration.
            _ => "u32",
        };
        let is_struct = self.structs.contains(scalar) && scalar != "HRESULT";
        RustType { text: scalar.to_owned(), is_struct }
    }

    fn pointee(&self, cpp: &str) -> String {
        match cpp {
            "void" => "c_void".to_owned(),
            "HANDLE" | "HWND" | "LARGE_INTEGER" | "UINT" | "DWORD" | "UINT32" | "uint32_t" | "UINT64"
            | "SIZE_T" | "size_t" | "FLOAT" | "BOOL" | "IID" | "int" | "INT" => match cpp {
                "LARGE_INTEGER" => "i64".to_owned(),
                other => self.rust(other).text,
            },
            known if self.structs.contains(known) || self.aliases.contains(known) => known.to_owned(),
            _ => "c_void".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types() -> Types {
        let mut types = Types::default();
        types.extend(
            "pub struct GUID {\n  pub struct D3D12_HEAP_DESC {\npub type D3D12_TILE_RANGE_FLAGS = u32;",
        );
        types
    }

    #[test]
    fn types_in_rusts_words() {
        for (cpp, rust) in [
            ("const IID &", "*const GUID"),
            ("const D3D12_HEAP_DESC *", "*const D3D12_HEAP_DESC"),
            ("D3D12_HEAP_DESC *", "*mut D3D12_HEAP_DESC"),
            ("const D3D12_TILE_RANGE_FLAGS *", "*const D3D12_TILE_RANGE_FLAGS"),
            ("ID3D12Heap *", "*mut c_void"),
            ("ID3D12Pageable *const *", "*const *mut c_void"),
            ("void **", "*mut *mut c_void"),
            ("const void *", "*const c_void"),
            ("D3D12_FEATURE", "u32"),
            ("UINT64 *", "*mut u64"),
            ("void", "()"),
        ] {
            assert_eq!(types().rust(cpp).text, rust, "{cpp}");
        }
        assert!(types().rust("D3D12_HEAP_DESC").is_struct);
        assert!(!types().rust("D3D12_FEATURE").is_struct);
    }
}
