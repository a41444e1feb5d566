//! `cargo xtask install`: what a C++ program needs to build with the library, below one directory.
//!
//! ```text
//!   PREFIX/lib/libd3d12.so                 the library, whose SONAME that is
//!   PREFIX/lib/libdxcore.so                a link to it: one library has both interfaces
//!   PREFIX/lib/pkgconfig/heapstone.pc      `pkg-config --cflags --libs heapstone`; the directory may be moved
//!   PREFIX/include/heapstone/*.h           DXGI's header, which DirectX-Headers lack, and our own
//! ```

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const LIBRARY: &str = "libd3d12.so";

/// Which build is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// `cargo build --release`.
    Release,
    /// `cargo build`.
    Debug,
}

/// Builds the library and installs it below `prefix`; `root` is the repository.
///
/// # Errors
/// Where it does not build, or a file cannot be written: which, and why.
pub fn install(root: &Path, prefix: &Path, build: Build) -> Result<(), String> {
    let built = build_library(root, build)?;
    let (lib, pkgconfig, include) =
        (prefix.join("lib"), prefix.join("lib/pkgconfig"), prefix.join("include/heapstone"));
    for folder in [&pkgconfig, &include] {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    copy(&built, &lib.join(LIBRARY))?;
    let link = lib.join("libdxcore.so");
    match fs::remove_file(&link) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&link)(error)),
        _ => symlink(LIBRARY, &link).map_err(at(&link))?,
    }
    let headers = root.join("include/heapstone");
    for entry in fs::read_dir(&headers).map_err(at(&headers))? {
        let header = entry.map_err(at(&headers))?.path();
        copy(&header, &include.join(header.file_name().unwrap_or_default()))?;
    }
    let file = pkgconfig.join("heapstone.pc");
    fs::write(&file, pkgconfig_text()).map_err(at(&file))
}

/// What `heapstone.pc` says.
fn pkgconfig_text() -> String {
    format!(
        "prefix=${{pcfiledir}}/../..\n\
         libdir=${{prefix}}/lib\n\
         includedir=${{prefix}}/include\n\n\
         Name: heapstone\n\
         Description: Direct3D 12's memory system on Linux, without a GPU\n\
         Version: {}\n\
         Requires: DirectX-Headers\n\
         Libs: -L${{libdir}} -Wl,-rpath,${{libdir}} -ld3d12 -ldxcore\n\
         Cflags: -I${{includedir}}/heapstone\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// Builds it, and answers where cargo put it.
fn build_library(root: &Path, build: Build) -> Result<PathBuf, String> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(["build", "--package", "heapstone-d3d12", "--lib"]);
    cargo.arg("--message-format=json-render-diagnostics");
    if build == Build::Release {
        cargo.arg("--release");
    }
    let output = cargo.stderr(Stdio::inherit()).output().map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err("the library does not build".to_owned());
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    // The path is one of the quoted words of cargo's messages.
    let built = messages.split('"').find(|word| word.ends_with(&format!("/{LIBRARY}")));
    built.map(PathBuf::from).ok_or_else(|| format!("cargo does not say where it put {LIBRARY}"))
}

/// Replaces the file, which a running program may have open: the old one stays its.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let beside = to.with_extension("new");
    fs::copy(from, &beside).map_err(at(from))?;
    fs::rename(&beside, to).map_err(at(to))
}

fn at(path: &Path) -> impl Fn(io::Error) -> String {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}
