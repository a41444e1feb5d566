//! The library's name for the linker: programs ask for `libd3d12.so` (facts/abi.md, Library).
#![forbid(unsafe_code)]

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libd3d12.so");
}
