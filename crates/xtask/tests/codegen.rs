//! What is checked in is what the description makes.

use std::fs;
use std::path::Path;

#[test]
fn the_vtables_that_are_checked_in_are_those_of_the_description() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = heapstone_xtask::codegen::generate(&root).expect("the description is right");
    let folder = root.join("crates/d3d12/src/vtables");
    for (name, text) in &files {
        let found = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert_eq!(&found, text, "{name} is not what `cargo xtask codegen` writes");
    }
    for entry in fs::read_dir(&folder).expect("the folder of the vtables") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(files.contains_key(&name), "{name} is left over");
    }
}
