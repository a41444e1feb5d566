//! The corpus: each shader is lowered by each strategy, compiled, and run until each `textureSample` of it has
//! reached the sampler that the bind group named.

mod case;
mod glslang;
mod interpreter;

use std::collections::BTreeSet;
use std::path::Path;

use case::Case;
use heapstone_lowering::naga::Expression;
use heapstone_lowering::{Lowered, Source, lower};
use heapstone_samplers::plan::{IndexBufferBinding, Strategy};

/// The texts of the corpus by ascending name.
fn corpus() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the corpus is there") {
        let path = entry.expect("an entry of a folder").path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        cases.push(Case::read(&name, &std::fs::read_to_string(&path).expect("a shader is text")));
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(cases.len() >= 40, "{} shaders", cases.len());
    cases
}

fn lowered(case: &Case, strategy: Strategy) -> Lowered {
    lower(Source::Wgsl(&case.wgsl), &case.plan(strategy), &case.options(strategy))
        .unwrap_or_else(|error| panic!("{}, {strategy}: {error}", case.name))
}

#[test]
fn every_sample_reaches_the_sampler_that_its_bind_group_named() {
    for case in corpus() {
        assert!(!case.runs.is_empty(), "{} says not what it does", case.name);
        for strategy in Strategy::ALL {
            let (met, all) = case.prove(&case.plan(strategy), &lowered(&case, strategy));
            assert_eq!(met, all, "{}, {strategy}: the runs meet some of the text's accesses", case.name);
        }
    }
}

#[test]
fn index_buffers_as_root_descriptors_are_reached_too() {
    for case in corpus() {
        let plan = case.plan_where(Strategy::IndexBuffers, IndexBufferBinding::RootDescriptor);
        // Where the dwords suffice: a descriptor takes two.
        if let Ok(lowered) = lower(Source::Wgsl(&case.wgsl), &plan, &case.options(Strategy::IndexBuffers)) {
            case.prove(&plan, &lowered);
        }
    }
}

/// The interpreter saw all accesses: HLSL has one for each of the source.
#[test]
fn the_text_samples_as_often_as_the_source() {
    use heapstone_lowering::naga;
    for case in corpus() {
        let module = naga::front::wgsl::parse_str(&case.wgsl).expect("the corpus is WGSL");
        let functions = module.functions.iter().map(|(_, function)| function);
        let functions = functions.chain(module.entry_points.iter().map(|entry| &entry.function));
        let mut sites = 0;
        let mut clamps = false;
        for (_, expression) in functions.flat_map(|function| function.expressions.iter()) {
            if let Expression::ImageSample { clamp_to_edge, .. } = expression {
                // These call one function of naga's, in which is the one access.
                clamps |= clamp_to_edge;
                sites += usize::from(!clamp_to_edge);
            }
        }
        let text = lowered(&case, Strategy::IndexBuffers).hlsl;
        let found = interpreter::parse(&text).sample_sites;
        assert_eq!(found, sites + usize::from(clamps), "{}\n{text}", case.name);
    }
}

#[test]
fn every_output_compiles() {
    let Some(compiler) = glslang::compiler() else { return };
    let cases = corpus();
    let half = cases.len().div_ceil(2);
    std::thread::scope(|scope| {
        for part in cases.chunks(half) {
            let compiler = &compiler;
            scope.spawn(move || {
                for case in part {
                    let mut seen = BTreeSet::new();
                    for strategy in Strategy::ALL {
                        let lowered = lowered(case, strategy);
                        // Two strategies may come to the same text.
                        if seen.insert(lowered.hlsl.clone()) {
                            compiler.compiles(&format!("{}, {strategy}", case.name), &lowered);
                        }
                    }
                }
            });
        }
    });
}

#[test]
fn lowering_is_repeatable() {
    for case in corpus() {
        for strategy in [Strategy::IndexBuffers, Strategy::DirectConstants] {
            assert_eq!(lowered(&case, strategy), lowered(&case, strategy), "{}", case.name);
        }
    }
}
