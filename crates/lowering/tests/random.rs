//! Shaders made from a seed: those that are right must reach the samplers that they were made to reach, and those
//! that are broken must be refused, not panicked about.

mod case;
mod interpreter;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use case::Case;
use heapstone_lowering::{Source, lower};
use heapstone_samplers::plan::Strategy;

/// Steele's SplitMix64: numbers from a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Below `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("usize has at most 64 bits");
        usize::try_from(self.next() % end).expect("below a usize")
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// A sampler of a made shader.
#[derive(Clone)]
struct Sampler {
    at: (usize, usize),
    name: String,
    comparison: bool,
    count: Option<usize>,
}

/// A shader with a texture and a depth texture in each group, some samplers, and a table of indices; its body
/// samples in a row, in blocks, in loops of one turn, and through functions.
fn made(random: &mut Random) -> String {
    let mut declarations = Vec::new();
    let mut samplers = Vec::new();
    let mut textures = Vec::new();
    let groups: BTreeSet<usize> = (0..=random.below(4)).map(|_| random.below(14)).collect();
    for group in &groups {
        let mut free: Vec<usize> = (0..24).collect();
        let mut binding = |random: &mut Random| free.swap_remove(random.below(free.len()));
        let (color, depth) = (binding(random), binding(random));
        textures.push((*group, color, depth));
        declarations.push(format!("@group({group}) @binding({color}) var color_{group}: texture_2d<f32>;"));
        declarations.push(format!("@group({group}) @binding({depth}) var depth_{group}: texture_depth_2d;"));
        for _ in 0..random.below(6) {
            let at = (*group, binding(random));
            let comparison = random.chance(3);
            let count = random.chance(2).then(|| 1 + random.below(5));
            let name = format!("s{}_{}", group, samplers.len());
            let kind = if comparison { "sampler_comparison" } else { "sampler" };
            let ty = count.map_or(kind.to_owned(), |count| format!("binding_array<{kind}, {count}>"));
            declarations.push(format!("@group({group}) @binding({}) var {name}: {ty};", at.1));
            samplers.push(Sampler { at, name, comparison, count });
        }
    }
    // Declared in any order.
    for at in (1..declarations.len()).rev() {
        declarations.swap(at, random.below(at + 1));
    }
    let table: Vec<usize> =
        (0..8).map(|_| if random.chance(5) { 4_000_000_000 } else { random.below(6) }).collect();
    let (body, expected) = body(random, &samplers, &textures, &table);
    let words: Vec<String> = table.iter().map(ToString::to_string).collect();
    format!(
        "enable wgpu_binding_array;\n\
         //@ data 15.0: {}\n\
         //@ run main -> {}\n\
         {}\n\
         struct Table {{ low: vec4<u32>, high: vec4<u32> }}\n\
         @group(15) @binding(0) var<uniform> table: Table;\n\
         fn color(t: texture_2d<f32>, s: sampler, uv: vec2<f32>) -> f32 {{\n\
             return textureSampleLevel(t, s, uv, 0.0).x;\n\
         }}\n\
         fn depth(uv: vec2<f32>, c: sampler_comparison, t: texture_depth_2d) -> f32 {{\n\
             return textureSampleCompareLevel(t, c, uv, 0.5);\n\
         }}\n\
         @fragment fn main(@location(0) uv: vec2<f32>) -> @location(0) f32 {{\n\
             var sum = 0.0;\n{body}    return sum;\n}}\n",
        words.join(" "),
        expected.join(" "),
        declarations.join("\n"),
    )
}

/// Statements, and the accesses that they make.
fn body(
    random: &mut Random,
    samplers: &[Sampler],
    textures: &[(usize, usize, usize)],
    table: &[usize],
) -> (String, Vec<String>) {
    let mut body = String::new();
    let mut expected = Vec::new();
    for turn in 0..random.below(12) {
        let Some(sampler) = samplers.get(random.below(samplers.len().max(1))) else { break };
        let (group, color, depth) = *random.pick(textures);
        let mut element = String::new();
        let mut expression = sampler.name.clone();
        if let Some(count) = sampler.count {
            let (index, value) = index(random, table, count);
            expression = format!("{expression}[{index}]");
            element = format!("[{}]", value.min(count - 1));
        }
        let by_function = random.chance(2);
        let call = match (sampler.comparison, by_function) {
            (false, true) => format!("color(color_{group}, {expression}, uv)"),
            (true, true) => format!("depth(uv, {expression}, depth_{group})"),
            (false, false) => format!("textureSampleLevel(color_{group}, {expression}, uv, 0.0).y"),
            (true, false) => format!("textureSampleCompareLevel(depth_{group}, {expression}, uv, 0.25)"),
        };
        let texture = if sampler.comparison { depth } else { color };
        expected.push(format!("{group}.{texture}@{}.{}{element}", sampler.at.0, sampler.at.1));
        let statement = match random.below(4) {
            0 => format!("{{ let x{turn} = {call}; sum += x{turn}; }}"),
            1 => format!("for (var i = 0u; i < 1u; i++) {{ sum += {call}; }}"),
            2 => format!("if sum > -1.0 {{ sum += {call}; }} else {{ sum = 0.0; }}"),
            _ => format!("sum += {call};"),
        };
        body.push_str(&format!("    {statement}\n"));
    }
    (body, expected)
}

/// An index in WGSL, and its value: constants within the array, others anywhere.
fn index(random: &mut Random, table: &[usize], count: usize) -> (String, usize) {
    let place = random.below(8);
    let word = format!("table.{}[{}]", if place < 4 { "low" } else { "high" }, place % 4);
    match random.below(4) {
        0 => {
            let constant = random.below(count);
            (format!("{constant}"), constant)
        }
        1 => (format!("({word} & 3u) * 2u"), (table[place] & 3) * 2),
        2 => (format!("min({word}, 2u)"), table[place].min(2)),
        _ => (word, table[place]),
    }
}

#[test]
fn made_shaders_reach_their_samplers() {
    let mut accesses = 0;
    for seed in 0..120 {
        let mut random = Random(seed);
        let wgsl = made(&mut random);
        let case = Case::read(&format!("seed {seed}"), &wgsl);
        accesses += case.runs[0].expected.len();
        for strategy in Strategy::ALL {
            let plan = case.plan(strategy);
            let lowered = lower(Source::Wgsl(&wgsl), &plan, &case.options(strategy))
                .unwrap_or_else(|error| panic!("seed {seed}, {strategy}: {error}\n{wgsl}"));
            case.prove(&plan, &lowered);
        }
    }
    assert!(accesses > 400, "{accesses} accesses of textures are few");
}

/// Words, numbers and marks of a text.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// The text with some pieces gone, doubled, exchanged or replaced by those of another text.
fn broken(random: &mut Random, text: &str, other: &str) -> String {
    let mut pieces = pieces(text);
    let others = self::pieces(other);
    for _ in 0..=random.below(4) {
        let (a, b) = (random.below(pieces.len()), random.below(pieces.len()));
        match random.below(6) {
            0 => drop(pieces.remove(a)),
            1 => pieces.insert(a, pieces[b]),
            2 => pieces.swap(a, b),
            3 => pieces[a] = *random.pick(&others),
            4 => pieces[a] = *random.pick(&["4294967295", "0", "9999999999", "-1", "[", "}", "sampler"]),
            _ => {
                let end = (a + 1 + random.below(12)).min(pieces.len());
                pieces.drain(a..end);
            }
        }
        if pieces.len() < 2 {
            break;
        }
    }
    pieces.concat()
}

#[test]
fn broken_shaders_are_lowered_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut texts = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the corpus is there") {
        let path = entry.expect("an entry of a folder").path();
        let text = std::fs::read_to_string(&path).expect("a shader is text");
        texts.insert(path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned(), text);
    }
    let all: Vec<&String> = texts.values().collect();
    let mut ends = BTreeMap::<&str, usize>::new();
    for (number, (name, text)) in texts.iter().enumerate() {
        let case = Case::read(name, text);
        for turn in 0..24 {
            let mut random = Random(u64::try_from(number << 32 | turn).expect("usize has at most 64 bits"));
            let wgsl = broken(&mut random, text, all[(turn * 7) % all.len()]);
            let strategy = Strategy::ALL[random.below(Strategy::ALL.len())];
            let plan = case.plan(strategy);
            let end = match lower(Source::Wgsl(&wgsl), &plan, &case.options(strategy)) {
                Ok(lowered) => {
                    assert!(!lowered.hlsl.contains("space255"), "a mark is left\n{}", lowered.hlsl);
                    "lowered"
                }
                Err(error) => {
                    assert!(error.to_string().starts_with("lowering."), "{error}");
                    "refused"
                }
            };
            *ends.entry(end).or_default() += 1;
        }
    }
    assert!(ends.len() == 2 && ends.values().all(|count| *count > 50), "both ends are met: {ends:?}");
}
