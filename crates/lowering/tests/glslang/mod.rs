//! The judge of syntax and types: glslang, a compiler of HLSL.

use std::path::PathBuf;
use std::process::Command;

use heapstone_lowering::Lowered;
use heapstone_lowering::naga::ShaderStage;
use tempfile::TempDir;

/// glslang and a folder for its inputs.
pub(crate) struct Compiler {
    folder: TempDir,
}

/// glslang where it is installed. Without it nothing is compiled, unless HEAPSTONE_REQUIRE_GLSLANG is set: then it
/// must be there.
pub(crate) fn compiler() -> Option<Compiler> {
    if Command::new("glslangValidator").arg("--version").output().is_err() {
        let required = std::env::var_os("HEAPSTONE_REQUIRE_GLSLANG").is_some();
        assert!(!required, "glslangValidator is required, and not installed");
        eprintln!("glslangValidator is not installed (Debian: glslang-tools); nothing was compiled");
        return None;
    }
    Some(Compiler { folder: TempDir::new().expect("a folder") })
}

impl Compiler {
    /// Compiles each entry point.
    pub(crate) fn compiles(&self, name: &str, lowered: &Lowered) {
        let file: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        let path: PathBuf = self.folder.path().join(format!("{file}.hlsl"));
        let text = as_glslang_reads(&lowered.hlsl);
        std::fs::write(&path, &text).expect("a file is written");
        for entry in &lowered.entry_points {
            let stage = match entry.stage {
                ShaderStage::Vertex => "vert",
                ShaderStage::Fragment => "frag",
                _ => "comp",
            };
            let output = Command::new("glslangValidator")
                .args(["-D", "-V", "-Od", "-S", stage, "-e", &entry.hlsl_name, "-o"])
                .arg(path.with_extension("spv"))
                .arg(&path)
                .output()
                .expect("glslang runs");
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{name}, {}: {said}\n{text}", entry.name);
        }
    }
}

/// Debian's glslang (12) knows neither the mark of indices that are not uniform, nor shader model 6.6's heap: the
/// first becomes nothing, the second an array of the type that stands at the statement's head.
fn as_glslang_reads(hlsl: &str) -> String {
    let mut text = String::from(
        "#define NonUniformResourceIndex(x) (x)\n\
         SamplerState boundHeapStandard[2048] : register(s0, space1000);\n\
         SamplerComparisonState boundHeapComparison[2048] : register(s0, space1001);\n",
    );
    for line in hlsl.lines() {
        let kind = if line.contains("SamplerComparisonState") { "Comparison" } else { "Standard" };
        text.push_str(&line.replace("SamplerDescriptorHeap[", &format!("boundHeap{kind}[")));
        text.push('\n');
    }
    text
}
