//! Adapter profiles: the built-in ones, files of a user's own, and what is said about wrong ones.

use heapstone_spec::caps::{CrossNodeSharingTier, ResourceHeapTier, TightAlignmentTier};
use heapstone_spec::profile::{Position, ProblemKind, ProfileError, SwizzleFamily};
use heapstone_spec::{MemoryPool, Profile, SegmentGroup};

fn builtin(name: &str) -> Profile {
    Profile::builtin(name).expect("a built-in name")
}

#[test]
fn every_builtin_profile_parses_under_its_name() {
    for name in Profile::builtin_names() {
        let profile = builtin(name);
        assert_eq!(profile.name, name);
        assert_eq!(profile.check(), Ok(()), "{name}");
        assert_eq!(Profile::find(name).as_ref(), Ok(&profile), "{name}");
    }
    assert_eq!(Profile::builtin("discrete"), None);
    assert_eq!(Profile::DEFAULT_NAME, "discrete-8g");
}

#[test]
fn every_value_of_a_builtin_profile_says_where_it_comes_from() {
    for name in Profile::builtin_names() {
        for (key, _, source) in builtin(name).entries() {
            // Names and the sentence for a list are ours, not a device's.
            let label = key == "name" || key == "description" || key.ends_with(".name");
            let source = source.unwrap_or_default();
            assert!(label || source.len() > 3, "{name}: {key} has no source");
            assert!(
                !source.contains("chosen")
                    || source.contains("chosen, because")
                    || source.contains("chosen, so that"),
                "{name}: {key}: {source}"
            );
        }
    }
}

#[test]
fn toml_round_trips_with_sources() {
    for name in Profile::builtin_names() {
        let profile = builtin(name);
        let text = profile.to_toml();
        assert_eq!(Profile::parse(&text, "x.toml").as_ref(), Ok(&profile), "{name}");
        let mut bare = profile.clone();
        bare.sources.clear();
        assert_eq!(Profile::parse(&bare.to_toml(), "x.toml"), Ok(bare), "{name}");
    }
}

#[test]
fn text_that_toml_must_escape_round_trips() {
    let mut profile = builtin("software");
    profile.description = "a \"quoted\" word, a \\ and\na line\ttab \u{7f} é 日本".to_owned();
    profile.identity.description = "'''".to_owned();
    profile.sources.insert("gpu_va.bits_per_process".to_owned(), "\"\"\"\n\\".to_owned());
    profile.limits.heap_size_max = Some(u64::MAX);
    assert_eq!(Profile::parse(&profile.to_toml(), "x.toml"), Ok(profile));
}

/// What the profiles are for, typed from their descriptions.
#[test]
fn the_builtin_profiles_differ_where_they_must() {
    const GIB: u64 = 1 << 30;
    let all = builtin("discrete-8g");
    assert_eq!(all.caps.resource_heap_tier, ResourceHeapTier::Tier2);
    assert_eq!(all.caps.tight_alignment_tier, TightAlignmentTier::Tier1);
    assert_eq!(all.layout.tight_buffer_alignment, 256);
    assert_eq!(all.memory.segments[0].size, 8 * GIB);
    assert_eq!(
        (all.memory.segments[1].group, all.memory.segments[1].size),
        (SegmentGroup::NonLocal, 16 * GIB)
    );
    assert!(all.caps.msaa_64kb_aligned_texture && all.caps.gpu_upload_heap && all.caps.standard_swizzle_64kb);

    let tier1 = builtin("discrete-tier1-2g");
    assert_eq!(tier1.caps.resource_heap_tier, ResourceHeapTier::Tier1);
    assert_eq!((tier1.identity.vendor_id, tier1.identity.device_id), (0x10de, 0x1c81));
    assert_eq!((tier1.memory.segments[0].size, tier1.gpu_va.bits_per_process), (2 * GIB, 40));
    assert_eq!(tier1.caps.tight_alignment_tier, TightAlignmentTier::NotSupported);

    let (uma, coherent) = (builtin("integrated-uma"), builtin("cache-coherent-uma"));
    assert!(uma.architecture.uma && !uma.architecture.cache_coherent_uma);
    assert!(coherent.architecture.uma && coherent.architecture.cache_coherent_uma);
    assert_eq!(uma.layout.unknown_pattern, SwizzleFamily::Tile4);
    assert!(uma.memory.segments.iter().all(|s| s.pool == MemoryPool::L0 && s.group == SegmentGroup::Local));

    let no_msaa = builtin("discrete-no-msaa64k");
    assert!(!no_msaa.caps.msaa_64kb_aligned_texture);
    assert_eq!(no_msaa.caps.tight_alignment_tier, TightAlignmentTier::NotSupported);

    let large = builtin("discrete-256k-images");
    assert_eq!(
        (large.layout.image_alignment, large.layout.unknown_pattern),
        (262_144, SwizzleFamily::Amd256Kb)
    );

    let limited = builtin("limited-va");
    assert_eq!((limited.gpu_va.bits_per_process, limited.gpu_va.bits_per_resource), (31, 31));

    let linked = builtin("linked-two-nodes");
    assert_eq!(linked.memory.node_count, 2);
    assert_eq!(linked.caps.cross_node_sharing_tier, CrossNodeSharingTier::Tier3);
    assert!(linked.caps.cross_node_atomic_shader_instructions);
    assert_eq!(linked.memory.segments.iter().map(|s| s.node).collect::<Vec<_>>(), [Some(0), Some(1), None]);
    // spec/2-resource-heaps.txt 1465: 64 MB on a 2 GB adapter.
    assert_eq!(linked.memory.segments[0].size, 2 * GIB);
    assert_eq!(linked.memory.shader_atomics_heap_bytes_max, 67_108_864);

    let software = builtin("software");
    assert_eq!((software.identity.vendor_id, software.identity.device_id), (0x1414, 0x8c));
    assert_eq!(software.limits.heap_size_max, Some(4 * GIB));
    assert_eq!(software.layout.unknown_pattern, SwizzleFamily::Linear);
}

#[test]
fn entries_are_flat_and_readable() {
    let entries = builtin("linked-two-nodes").entries();
    for (key, value) in [
        ("name", "linked-two-nodes"),
        ("identity.vendor_id", "0x1af4"),
        ("architecture.uma", "false"),
        ("caps.cross_node_sharing_tier", "3"),
        ("memory.shader_atomics_heap_bytes_max", "64 MiB"),
        ("memory.segments.1.node", "1"),
        ("memory.segments.2.node", "all"),
        ("memory.segments.2.group", "NON_LOCAL"),
        ("memory.segments.0.size", "2 GiB"),
        ("layout.unknown_pattern", "block_linear"),
        ("layout.tight_buffer_alignment", "256 B"),
        ("limits.heap_size_max", "none"),
    ] {
        let found: Vec<&str> =
            entries.iter().filter(|entry| entry.0 == key).map(|entry| entry.1.as_str()).collect();
        assert_eq!(found, [value], "{key}");
    }
}

/// The problems of a text, as (kind, key).
fn problems(text: &str) -> Vec<(ProblemKind, String)> {
    match Profile::parse(text, "mine.toml") {
        Ok(_) => Vec::new(),
        Err(error) => error.problems.into_iter().map(|problem| (problem.kind, problem.key)).collect(),
    }
}

/// `base` with the one occurrence of `from` replaced.
fn with(base: &str, from: &str, to: &str) -> String {
    assert_eq!(base.matches(from).count(), 1, "{from:?} must occur once");
    base.replace(from, to)
}

/// discrete-8g without sources: short lines to change.
fn bare(name: &str) -> String {
    let mut profile = builtin(name);
    profile.sources.clear();
    profile.to_toml()
}

#[test]
fn a_wrong_value_names_its_key_and_what_is_allowed() {
    use ProblemKind::{Contradiction, OutOfRange, WrongType};
    let base = bare("discrete-8g");
    for (from, to, kind, key, allowed) in [
        ("name = \"discrete-8g\"", "name = \"a/b\"", OutOfRange, "name", "letters"),
        ("name = \"discrete-8g\"", "name = 5", WrongType, "name", "text in quotes"),
        ("vendor_id = 0x1af4", "vendor_id = 0x100000000", OutOfRange, "identity.vendor_id", "0xffffffff"),
        ("vendor_id = 0x1af4", "vendor_id = -1", OutOfRange, "identity.vendor_id", "0xffffffff"),
        ("vendor_id = 0x1af4", "vendor_id = 1.0", WrongType, "identity.vendor_id", "integer"),
        ("\numa = false", "\numa = 0", WrongType, "architecture.uma", "true or false"),
        (
            "cache_coherent_uma = false",
            "cache_coherent_uma = true",
            Contradiction,
            "architecture.cache_coherent_uma",
            "architecture.uma = true",
        ),
        (
            "resource_heap_tier = 2",
            "resource_heap_tier = 3",
            WrongType,
            "caps.resource_heap_tier",
            "one of 1, 2",
        ),
        (
            "sampler_feedback_tier = 100",
            "sampler_feedback_tier = 91",
            WrongType,
            "caps.sampler_feedback_tier",
            "one of 0, 90, 100",
        ),
        (
            "cross_node_sharing_tier = 0",
            "cross_node_sharing_tier = 1",
            Contradiction,
            "caps.cross_node_sharing_tier",
            "memory.node_count above 1",
        ),
        (
            "instructions = false",
            "instructions = true",
            Contradiction,
            "caps.cross_node_atomic_shader_instructions",
            "2 or above",
        ),
        (
            "sample_count_max = 16",
            "sample_count_max = 3",
            OutOfRange,
            "caps.sample_count_max",
            "1, 2, 4, 8 or 16",
        ),
        (
            "sample_count_max = 16",
            "sample_count_max = 32",
            OutOfRange,
            "caps.sample_count_max",
            "1, 2, 4, 8 or 16",
        ),
        (
            "sampler_heap_descriptors_max = 2048",
            "sampler_heap_descriptors_max = 2047",
            OutOfRange,
            "caps.sampler_heap_descriptors_max",
            "2048, which every adapter has, to 1000000",
        ),
        (
            "programmable_sample_positions_tier = 2",
            "programmable_sample_positions_tier = 3",
            WrongType,
            "caps.programmable_sample_positions_tier",
            "one of 0, 1, 2",
        ),
        (
            "\"DIRECT | BUNDLE | COMPUTE | COPY\"",
            "\"DIRECT | 0x80\"",
            WrongType,
            "caps.write_buffer_immediate",
            "some of DIRECT, BUNDLE, COMPUTE, COPY",
        ),
        ("node_count = 1", "node_count = 0", OutOfRange, "memory.node_count", "1 to 32"),
        ("node_count = 1", "node_count = 33", OutOfRange, "memory.node_count", "1 to 32"),
        ("node_count = 1", "node_count = 2", Contradiction, "memory.segments", "LOCAL for node 1"),
        ("budget_permille = 950", "budget_permille = 0", OutOfRange, "memory.budget_permille", "1 to 1000"),
        (
            "budget_permille = 950",
            "budget_permille = 1001",
            OutOfRange,
            "memory.budget_permille",
            "1 to 1000",
        ),
        (
            "name = \"video\"",
            "name = \"system\"",
            Contradiction,
            "memory.segments.1.name",
            "no other segment",
        ),
        ("name = \"video\"", "name = \"\"", OutOfRange, "memory.segments.0.name", "a name"),
        ("node = 0", "node = 1", OutOfRange, "memory.segments.0.node", "below memory.node_count, 1"),
        ("node = 0", "node = \"none\"", WrongType, "memory.segments.0.node", "\"all\""),
        ("group = \"LOCAL\"", "group = \"NEAR\"", WrongType, "memory.segments.0.group", "LOCAL, NON_LOCAL"),
        ("group = \"LOCAL\"", "group = \"NON_LOCAL\"", Contradiction, "memory.segments.0.pool", "L0"),
        ("pool = \"L1\"", "pool = \"L0\"", Contradiction, "memory.segments.0.pool", "L1 in the LOCAL group"),
        ("pool = \"L1\"", "pool = \"UNKNOWN\"", OutOfRange, "memory.segments.0.pool", "L0 or L1"),
        ("\nsize = \"8 GiB\"", "\nsize = 0", OutOfRange, "memory.segments.0.size", "above 0"),
        (
            "\nsize = \"8 GiB\"",
            "\nsize = 8589934593",
            OutOfRange,
            "memory.segments.0.size",
            "multiple of 64 KiB",
        ),
        ("node_count = 1", "node_count = 4294967296", OutOfRange, "memory.node_count", "from 1 to 32"),
        ("node_count = 1", "node_count = -1", OutOfRange, "memory.node_count", "from 1 to 32"),
        ("node = 0", "node = -1", OutOfRange, "memory.segments.0.node", "a node's index"),
        ("\nsize = \"8 GiB\"", "\nsize = \"16 EiB\"", OutOfRange, "memory.segments.0.size", "PiB, EiB"),
        ("\nsize = \"8 GiB\"", "\nsize = -1", OutOfRange, "memory.segments.0.size", "from 0 to"),
        (
            "sample_count_max = 16",
            "sample_count_max = 4294967296",
            OutOfRange,
            "caps.sample_count_max",
            "1, 2, 4, 8 or 16",
        ),
        ("\nsize = \"8 GiB\"", "\nsize = \"8 GB\"", WrongType, "memory.segments.0.size", "KiB"),
        (
            "\nsize = \"8 GiB\"",
            "\nsize = \"4 GiB\"",
            OutOfRange,
            "memory.segments.0.cpu_visible_size",
            "up to the segment's size, 4 GiB",
        ),
        ("\nsize = \"8 GiB\"", "\nsize = \"4 PiB\"", OutOfRange, "memory.segments", "4 PiB at most"),
        (
            "cpu_visible_size = \"16 GiB\"",
            "cpu_visible_size = \"8 GiB\"",
            Contradiction,
            "memory.segments.1.cpu_visible_size",
            "L0 is system memory",
        ),
        (
            "cpu_visible_size = \"8 GiB\"",
            "cpu_visible_size = 0",
            Contradiction,
            "caps.gpu_upload_heap",
            "cpu_visible_size above 0",
        ),
        ("= 448000000000", "= 0", OutOfRange, "memory.segments.0.bandwidth_bytes_per_second", "1 to"),
        ("bits_per_process = 44", "bits_per_process = 30", OutOfRange, "gpu_va.bits_per_process", "31 to 57"),
        (
            "bits_per_resource = 40",
            "bits_per_resource = 58",
            OutOfRange,
            "gpu_va.bits_per_resource",
            "31 to 57",
        ),
        (
            "\"standard_4kb\"",
            "\"standard_8kb\"",
            WrongType,
            "layout.unknown_pattern",
            "standard_64kb, standard_4kb, block_linear",
        ),
        (
            "image_alignment = \"64 KiB\"",
            "image_alignment = \"32 KiB\"",
            OutOfRange,
            "layout.image_alignment",
            "from 64 KiB to 4 MiB",
        ),
        (
            "image_alignment = \"64 KiB\"",
            "image_alignment = \"96 KiB\"",
            OutOfRange,
            "layout.image_alignment",
            "power of two",
        ),
        (
            "tight_buffer_alignment = 256",
            "tight_buffer_alignment = 4",
            OutOfRange,
            "layout.tight_buffer_alignment",
            "from 8 B to 256 B",
        ),
        (
            "tight_buffer_alignment = 256",
            "tight_buffer_alignment = 512",
            OutOfRange,
            "layout.tight_buffer_alignment",
            "from 8 B to 256 B",
        ),
        (
            "tight_texture_alignment = \"4 KiB\"",
            "tight_texture_alignment = 24",
            OutOfRange,
            "layout.tight_texture_alignment",
            "power of two",
        ),
        (
            "heap_size_max = \"none\"",
            "heap_size_max = 1",
            OutOfRange,
            "limits.heap_size_max",
            "64 KiB or more",
        ),
        (
            "heap_size_max = \"none\"",
            "heap_size_max = \"all\"",
            WrongType,
            "limits.heap_size_max",
            "or \"none\"",
        ),
        (
            "heap_size_max = \"none\"",
            "heap_size_max = { value = 1979-05-27 }",
            WrongType,
            "limits.heap_size_max",
            "bytes",
        ),
        (
            "heap_size_max = \"none\"",
            "heap_size_max = { value = \"none\", source = 5 }",
            WrongType,
            "limits.heap_size_max.source",
            "text in quotes",
        ),
    ] {
        let error = Profile::parse(&with(&base, from, to), "mine.toml").expect_err(to);
        let found = error.problems.iter().find(|problem| (problem.kind, problem.key.as_str()) == (kind, key));
        let problem = found.unwrap_or_else(|| panic!("{to}: {error}"));
        assert!(problem.allowed.contains(allowed), "{to}: {error}");
        assert!(problem.position.is_some(), "{to}: {error}");
    }
}

#[test]
fn uma_has_no_video_memory() {
    let base = bare("integrated-uma");
    for (from, to, key) in [
        ("group = \"LOCAL\"", "group = \"NON_LOCAL\"", "memory.segments.0.group"),
        ("pool = \"L0\"", "pool = \"L1\"", "memory.segments.0.pool"),
        ("\numa = true", "\numa = false", "memory.segments.0.pool"),
    ] {
        let found = problems(&with(&base, from, to));
        assert!(found.contains(&(ProblemKind::Contradiction, key.to_owned())), "{to}: {found:?}");
    }
    // GPU upload heaps need no aperture there.
    assert!(builtin("integrated-uma").caps.gpu_upload_heap);
}

#[test]
fn nodes_have_their_own_video_memory() {
    let base = bare("linked-two-nodes");
    let found = problems(&base.replacen("node = 1", "node = \"all\"", 1));
    assert_eq!(found, [(ProblemKind::Contradiction, "memory.segments.1.node".to_owned())]);
    let found = problems(&base.replacen("node = 1", "node = 2", 1));
    assert_eq!(found[0], (ProblemKind::Contradiction, "memory.segments".to_owned()));
    assert_eq!(found[1], (ProblemKind::OutOfRange, "memory.segments.1.node".to_owned()));
    let found = problems(&with(
        &base,
        "shader_atomics_heap_bytes_max = \"64 MiB\"",
        "shader_atomics_heap_bytes_max = 0",
    ));
    assert_eq!(found, [(ProblemKind::Contradiction, "memory.shader_atomics_heap_bytes_max".to_owned())]);
}

#[test]
fn unknown_and_missing_keys_are_named_with_the_nearest() {
    let base = bare("discrete-8g");
    let error = Profile::parse(&with(&base, "node_count", "node_cout"), "mine.toml").unwrap_err();
    let text = error.to_string();
    assert_eq!(error.problems.len(), 2, "{text}");
    assert_eq!(error.problems[0].kind, ProblemKind::MissingKey);
    assert_eq!(error.problems[0].key, "memory.node_count");
    assert_eq!(error.problems[1].kind, ProblemKind::UnknownKey);
    assert!(text.contains("unknown key `memory.node_cout`"), "{text}");
    assert!(text.contains("did you mean node_count?"), "{text}");
    assert!(text.contains("budget_permille"), "{text}");

    for (from, to, key) in [
        ("[limits]\nheap_size_max = \"none\"\n", "", "limits"),
        ("[limits]\nheap_size_max = \"none\"\n", "[limits]\n", "limits.heap_size_max"),
        ("heap_size_max = \"none\"", "heap_size_max = { source = \"x\" }", "limits.heap_size_max.value"),
    ] {
        assert_eq!(problems(&with(&base, from, to)), [(ProblemKind::MissingKey, key.to_owned())]);
    }
    let (head, _) = base.split_once("[[memory.segments]]").unwrap();
    assert!(problems(head).contains(&(ProblemKind::MissingKey, "memory.segments".to_owned())));
    let text = format!("{base}\n[extra]\n");
    assert_eq!(problems(&text), [(ProblemKind::UnknownKey, "extra".to_owned())]);
    let text = with(&base, "heap_size_max = \"none\"", "heap_size_max = { value = \"none\", sorce = \"x\" }");
    assert_eq!(problems(&text), [(ProblemKind::UnknownKey, "limits.heap_size_max.sorce".to_owned())]);
    assert_eq!(problems("segments = 1").len(), 11, "2 keys, 8 tables and the unknown one");
}

#[test]
fn problems_come_with_line_and_column_and_all_at_once() {
    let base = bare("discrete-8g");
    let text = with(&base, "resource_heap_tier = 2", "resource_heap_tier = 3");
    let text = with(&text, "bits_per_process = 44", "bits_per_process = true");
    let error = Profile::parse(&text, "my.toml").unwrap_err();
    let line = |needle: &str| text.lines().position(|line| line.starts_with(needle)).unwrap() + 1;
    let first = Position { line: line("resource_heap_tier"), column: 22 };
    assert_eq!(error.problems.len(), 2);
    assert_eq!(error.problems[0].position, Some(first));
    let second = Position { line: line("bits_per_process"), column: 20 };
    assert_eq!(error.problems[1].position, Some(second));
    assert_eq!(
        error.to_string(),
        format!(
            "my.toml:{}:22: wrong type `caps.resource_heap_tier`: given 3; allowed: one of 1, 2\n\
             my.toml:{}:20: wrong type `gpu_va.bits_per_process`: given true; allowed: an integer from 31 to 57",
            first.line, second.line
        )
    );
}

#[test]
fn a_text_that_is_no_toml_is_told_where_it_stops() {
    let error = Profile::parse("name = \"x\"\n[identity\n", "bad.toml").unwrap_err();
    assert_eq!(error.problems.len(), 1);
    assert_eq!(error.problems[0].kind, ProblemKind::Syntax);
    assert_eq!(error.problems[0].position.unwrap().line, 2);
    let error = Profile::parse("name = \"x\"\nname = \"y\"\n", "bad.toml").unwrap_err();
    assert_eq!(error.problems[0].kind, ProblemKind::Syntax);
    assert!(error.problems[0].given.contains("name: duplicate key"), "{error}");
    assert!(!error.problems[0].allowed.contains("duplicate"), "{error}");
}

#[test]
fn profiles_are_found_by_name_or_path() {
    let error = Profile::find("discrete-8").unwrap_err();
    assert_eq!(error.problems[0].kind, ProblemKind::UnknownProfile);
    let text = error.to_string();
    assert!(text.contains("did you mean discrete-8g?"), "{text}");
    for name in Profile::builtin_names() {
        assert!(text.contains(name), "{text}");
    }

    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("mine.toml");
    std::fs::write(&path, builtin("software").to_toml()).unwrap();
    assert_eq!(Profile::find(path.to_str().unwrap()), Ok(builtin("software")));
    assert_eq!(Profile::load(&path), Ok(builtin("software")));

    let unreadable = |error: ProfileError| {
        assert_eq!(error.problems[0].kind, ProblemKind::Unreadable, "{error}");
        assert!(error.to_string().contains("1 MiB"), "{error}");
    };
    unreadable(Profile::find("no-such-file.toml").unwrap_err());
    unreadable(Profile::load(directory.path()).unwrap_err());
    std::fs::write(&path, [b'#', 0xff, b'\n']).unwrap();
    unreadable(Profile::load(&path).unwrap_err());
    std::fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
    unreadable(Profile::load(&path).unwrap_err());
}

#[test]
fn profiles_built_in_code_are_checked_as_files_are() {
    let mut profile = builtin("discrete-8g");
    profile.memory.segments.clear();
    profile.layout.image_alignment = 0;
    profile.sources.insert("layout.colour".to_owned(), "nowhere".to_owned());
    let error = profile.check().unwrap_err();
    let keys: Vec<&str> = error.problems.iter().map(|problem| problem.key.as_str()).collect();
    assert!(keys.contains(&"memory.segments"), "{error}");
    assert!(keys.contains(&"layout.image_alignment"), "{error}");
    assert!(keys.contains(&"sources"), "{error}");
    assert!(error.to_string().starts_with("profile: "), "{error}");

    let mut profile = builtin("discrete-8g");
    profile.memory.segments[0].size = !0xffff;
    profile.memory.segments[1].size = !0xffff;
    profile.memory.node_count = u32::MAX;
    assert!(profile.check().unwrap_err().to_string().contains("more than 64 bits hold"));
}

#[test]
fn a_hostile_file_gets_a_short_answer() {
    let many: String = (0..50_000).map(|index| format!("k{index} = 1\n")).collect();
    let error = Profile::parse(&many, "many.toml").unwrap_err();
    assert!(error.problems.len() > 50_000);
    assert_eq!(error.to_string().lines().count(), 21);
    let deep = format!("a = {}", "[".repeat(100_000));
    assert_eq!(Profile::parse(&deep, "deep.toml").unwrap_err().problems[0].kind, ProblemKind::Syntax);
    let long = format!("{} = 1", "x".repeat(500_000));
    assert!(Profile::parse(&long, "long.toml").unwrap_err().to_string().len() < 4096);
}
