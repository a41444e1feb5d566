//! Runs a tree.

use std::collections::{BTreeMap, BTreeSet};

use heapstone_samplers::SamplerKind;

use super::intrinsics;
use super::parse::numeric;
use super::syntax::{Case, Expression, Field, File, Function, Global, Place, Statement, Type};
use super::types::{Types, base_of, constructed};
use super::value::{Scalar, Value, binary};

/// What stands at a register.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    /// Descriptors of samplers from this one on: slots of the heap.
    Samplers(Vec<usize>),
    /// Bytes of a buffer, as dwords.
    Dwords(Vec<u32>),
    /// A texture.
    Texture,
}

/// An access of a texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sampled {
    /// The texture's register.
    pub(crate) texture: Place,
    /// The sampler's slot in the heap.
    pub(crate) slot: usize,
    /// How the shader used it.
    pub(crate) kind: SamplerKind,
}

/// What all sampled texels are.
const TEXEL: [f32; 4] = [0.25, 0.5, 0.75, 1.0];
/// Steps after which a shader is taken to loop for ever.
const STEPS: usize = 1_000_000;

enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
    Discard,
}

type Frame = BTreeMap<String, Value>;

/// A part of a variable.
#[derive(Clone)]
enum Step {
    Member(String),
    Index(usize),
}

/// A text, what is bound, and what happened so far.
pub(crate) struct Machine<'f> {
    file: &'f File,
    bound: BTreeMap<Place, Bound>,
    types: Types<'f>,
    globals: Frame,
    steps: usize,
    pub(crate) sampled: Vec<Sampled>,
    /// Numbers of the calls that sampled.
    pub(crate) sites: BTreeSet<usize>,
}

impl<'f> Machine<'f> {
    /// A machine in which all registers of the text hold something. Its bound heap has `heap_slots` samplers.
    pub(crate) fn new(file: &'f File, bound: BTreeMap<Place, Bound>, heap_slots: usize) -> Machine<'f> {
        let heap = Value::Array((0..heap_slots).map(Value::Descriptor).collect());
        let globals = Frame::from([("SamplerDescriptorHeap".to_owned(), heap)]);
        let mut machine = Machine {
            file,
            bound,
            types: Types(file),
            globals,
            steps: 0,
            sampled: Vec::new(),
            sites: BTreeSet::new(),
        };
        for global in &file.globals {
            machine.declare(global);
        }
        machine
    }

    fn declare(&mut self, global: &'f Global) {
        match global {
            Global::Bound { ty, name, place } => {
                let value = self.bound_value(ty, *place);
                self.globals.insert(name.clone(), value);
            }
            Global::Constants { fields, place } => {
                let dwords = self.dwords(*place);
                let Value::Struct(values) = self.types.laid_out(fields, &dwords, 0) else { unreachable!() };
                self.globals.extend(values);
            }
            Global::Static { ty, name, value } => {
                let mut frame = Frame::new();
                let value = match value {
                    Some(value) => {
                        let value = self.evaluate(&mut frame, value);
                        self.types.converted(ty, value)
                    }
                    None => self.types.zero(ty),
                };
                self.globals.insert(name.clone(), value);
            }
        }
    }

    fn dwords(&self, place: Place) -> Vec<u32> {
        match self.bound.get(&place) {
            Some(Bound::Dwords(dwords)) => dwords.clone(),
            other => panic!("{place:?} holds {other:?}, which is no buffer"),
        }
    }

    fn bound_value(&self, ty: &Type, place: Place) -> Value {
        let kind = match ty.name.as_str() {
            "SamplerState" => Some(SamplerKind::Standard),
            "SamplerComparisonState" => Some(SamplerKind::Comparison),
            _ => None,
        };
        if let Some(kind) = kind {
            assert_eq!(place.class, 's', "samplers have registers of class s");
            let Some(Bound::Samplers(slots)) = self.bound.get(&place) else {
                panic!("no samplers at {place:?}")
            };
            let samplers = slots.iter().map(|slot| Value::Sampler(kind, *slot));
            return match ty.lengths.as_slice() {
                [] => Value::Sampler(kind, slots[0]),
                [length] => {
                    assert!(slots.len() >= *length, "{} samplers for an array of {length}", slots.len());
                    Value::Array(samplers.take(*length).collect())
                }
                more => panic!("samplers in an array of {more:?}"),
            };
        }
        if ty.name == "StructuredBuffer" {
            assert_eq!((place.class, ty.of.as_deref()), ('t', Some("uint")));
            return Value::Array(self.dwords(place).into_iter().map(Value::uint).collect());
        }
        if ty.name == "ConstantBuffer" {
            let name = ty.of.clone().expect("a constant buffer has a type");
            let of = Type { name, of: None, lengths: Vec::new() };
            return self.types.read(&of, &self.dwords(place), 0);
        }
        if ty.name.ends_with("ByteAddressBuffer") {
            return Value::Bytes(place);
        }
        assert!(ty.name.contains("Texture"), "{ty:?} is bound");
        let of = ty.of.clone().unwrap_or_else(|| "float4".to_owned());
        let one = |at: usize| {
            let register = place.register + u32::try_from(at).expect("a register");
            let place = Place { register, ..place };
            assert!(matches!(self.bound.get(&place), Some(Bound::Texture)), "no texture at {place:?}");
            Value::Texture(place, of.clone())
        };
        match ty.lengths.as_slice() {
            [] => one(0),
            [length] => Value::Array((0..*length).map(one).collect()),
            more => panic!("textures in an array of {more:?}"),
        }
    }

    /// Runs a function of the text with arguments by semantic, e.g. `SV_VertexID`.
    pub(crate) fn run(&mut self, entry: &str, inputs: &BTreeMap<String, u32>) {
        let function = self.function(entry).expect("the entry point is in the text");
        let arguments = function
            .parameters
            .iter()
            .map(|parameter| self.input(&parameter.field, inputs))
            .collect::<Vec<_>>();
        self.call(function, arguments);
    }

    fn input(&self, field: &Field, inputs: &BTreeMap<String, u32>) -> Value {
        if let Some((_, fields)) = self.file.structs.iter().find(|(name, _)| *name == field.ty.name) {
            let all = fields.iter().map(|field| (field.name.clone(), self.input(field, inputs)));
            return Value::Struct(all.collect());
        }
        let given = field.semantic.as_ref().and_then(|semantic| inputs.get(semantic)).copied().unwrap_or(0);
        self.types.zero(&field.ty).map(|zero| Scalar::Uint(given).to(zero.base()))
    }

    fn function(&self, name: &str) -> Option<&'f Function> {
        self.file.functions.iter().find(|function| function.name == name)
    }

    /// Calls a function; the last values of its parameters come with its result.
    fn call(&mut self, function: &'f Function, arguments: Vec<Value>) -> (Value, Frame) {
        assert_eq!(arguments.len(), function.parameters.len(), "arguments of {}", function.name);
        let mut frame = Frame::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let value = self.types.converted(&parameter.field.ty, argument);
            frame.insert(parameter.field.name.clone(), value);
        }
        let value = match self.block(&mut frame, &function.body) {
            Flow::Return(value) if function.result.name != "void" => {
                self.types.converted(&function.result, value)
            }
            _ => Value::Void,
        };
        (value, frame)
    }

    fn block(&mut self, frame: &mut Frame, body: &'f [Statement]) -> Flow {
        for statement in body {
            match self.statement(frame, statement) {
                Flow::Next => {}
                other => return other,
            }
        }
        Flow::Next
    }

    fn statement(&mut self, frame: &mut Frame, statement: &'f Statement) -> Flow {
        self.steps += 1;
        assert!(self.steps < STEPS, "the shader does not end");
        match statement {
            Statement::Declare { ty, name, value } => {
                let value = match value {
                    Some(value) => {
                        let value = self.evaluate(frame, value);
                        self.types.converted(ty, value)
                    }
                    None => self.types.zero(ty),
                };
                frame.insert(name.clone(), value);
            }
            Statement::Evaluate(expression) => {
                self.evaluate(frame, expression);
            }
            Statement::If { condition, then, otherwise } => {
                let taken = if self.evaluate(frame, condition).truth() { then } else { otherwise };
                return self.block(frame, taken);
            }
            Statement::While { condition, body } => {
                while self.evaluate(frame, condition).truth() {
                    match self.block(frame, body) {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break,
                        other => return other,
                    }
                }
            }
            Statement::DoWhile { condition, body } => loop {
                match self.block(frame, body) {
                    Flow::Next | Flow::Continue => {}
                    Flow::Break => break,
                    other => return other,
                }
                if !self.evaluate(frame, condition).truth() {
                    break;
                }
            },
            Statement::Switch { selector, cases } => return self.switch(frame, selector, cases),
            Statement::Block(body) => return self.block(frame, body),
            Statement::Break => return Flow::Break,
            Statement::Continue => return Flow::Continue,
            Statement::Discard => return Flow::Discard,
            Statement::Return(value) => {
                let value = value.as_ref().map_or(Value::Void, |value| self.evaluate(frame, value));
                return Flow::Return(value);
            }
        }
        Flow::Next
    }

    fn switch(&mut self, frame: &mut Frame, selector: &'f Expression, cases: &'f [Case]) -> Flow {
        let selector = self.evaluate(frame, selector).scalar().bits();
        let mut chosen = None;
        for (at, case) in cases.iter().enumerate() {
            for label in case.labels.iter().flatten() {
                if self.evaluate(frame, label).scalar().bits() == selector {
                    chosen = chosen.or(Some(at));
                }
            }
        }
        let default = cases.iter().position(|case| case.labels.iter().any(Option::is_none));
        let Some(first) = chosen.or(default) else { return Flow::Next };
        for case in &cases[first..] {
            match self.block(frame, &case.body) {
                Flow::Next => {}
                Flow::Break => return Flow::Next,
                other => return other,
            }
        }
        Flow::Next
    }

    fn evaluate(&mut self, frame: &mut Frame, expression: &'f Expression) -> Value {
        match expression {
            Expression::Number(number) => Value::Scalar(*number),
            Expression::Name(name) => self.variable(frame, name).clone(),
            Expression::Call { name, arguments } => self.called(frame, name, arguments),
            Expression::Method { object, name, arguments, site } => {
                self.method(frame, object, name, arguments, *site)
            }
            Expression::Member { object, name } => member(&self.evaluate(frame, object), name),
            Expression::Index { object, index } => {
                let index = self.evaluate(frame, index);
                // The heap is long: its elements are read where it stands.
                if let Expression::Name(name) = &**object
                    && let Value::Array(items) = self.variable(frame, name)
                {
                    return element_of(items, index.index());
                }
                let object = self.evaluate(frame, object);
                // Texels of storage textures are 0 here; their coordinates are vectors.
                if let Value::Texture(_, of) = object {
                    return self.types.zero(&Type { name: of, of: None, lengths: Vec::new() });
                }
                element(&object, index.index())
            }
            Expression::Unary { operator, operand } => {
                let operand = self.evaluate(frame, operand);
                operand.map(|x| match (operator, x) {
                    ('-', Scalar::Float(x)) => Scalar::Float(-x),
                    ('-', x) => Scalar::of_bits(x.base(), x.bits().wrapping_neg()),
                    ('!', x) => Scalar::Bool(!x.truth()),
                    ('~', x) => Scalar::of_bits(x.base(), !x.bits()),
                    (_, x) => x,
                })
            }
            Expression::Binary { operator, left, right } => {
                let left = self.evaluate(frame, left);
                // What is right of these must not run where the left decides.
                match operator.as_str() {
                    "&&" if matches!(left, Value::Scalar(_)) && !left.truth() => return left,
                    "||" if matches!(left, Value::Scalar(_)) && left.truth() => return left,
                    _ => {}
                }
                let right = self.evaluate(frame, right);
                left.zip(&right, |a, b| binary(operator, a, b))
            }
            Expression::Conditional { condition, then, otherwise } => {
                let condition = self.evaluate(frame, condition);
                let taken = if condition.truth() { then } else { otherwise };
                self.evaluate(frame, taken)
            }
            Expression::Assign { operator, target, value } => {
                let value = self.evaluate(frame, value);
                let value = match operator.strip_suffix('=') {
                    Some("") | None => value,
                    Some(operator) => {
                        let before = self.evaluate(frame, target);
                        before.zip(&value, |a, b| binary(operator, a, b))
                    }
                };
                self.assign(frame, target, value.clone());
                value
            }
            Expression::Cast { ty, operand } => {
                let value = self.evaluate(frame, operand);
                // `(S)0` is a structure of zeros.
                if matches!(value, Value::Scalar(_))
                    && (numeric(&ty.name).is_none() || !ty.lengths.is_empty())
                {
                    return self.types.zero(ty);
                }
                self.types.converted(ty, value)
            }
            Expression::List(items) => {
                Value::Array(items.iter().map(|item| self.evaluate(frame, item)).collect())
            }
        }
    }

    fn variable<'a>(&'a self, frame: &'a Frame, name: &str) -> &'a Value {
        let value = frame.get(name).or_else(|| self.globals.get(name));
        value.unwrap_or_else(|| panic!("{name} is not declared"))
    }

    /// Sets a variable or a part of one. What is stored to textures is not kept.
    fn assign(&mut self, frame: &mut Frame, target: &'f Expression, value: Value) {
        let mut path = Vec::new();
        let mut at = target;
        let name = loop {
            match at {
                Expression::Name(name) => break name,
                Expression::Member { object, name } => {
                    path.push(Step::Member(name.clone()));
                    at = object;
                }
                Expression::Index { object, index } => {
                    if let Value::Texture(..) = self.evaluate(frame, object) {
                        return;
                    }
                    path.push(Step::Index(self.evaluate(frame, index).index()));
                    at = object;
                }
                other => panic!("{other:?} is assigned to"),
            }
        };
        path.reverse();
        let slot = match frame.get_mut(name) {
            Some(slot) => slot,
            None => self.globals.get_mut(name).unwrap_or_else(|| panic!("{name} is not declared")),
        };
        store(slot, &path, value);
    }

    fn called(&mut self, frame: &mut Frame, name: &str, arguments: &'f [Expression]) -> Value {
        let values: Vec<Value> = arguments.iter().map(|argument| self.evaluate(frame, argument)).collect();
        if let Some(function) = self.function_for(name, &values) {
            let (result, after) = self.call(function, values);
            for (parameter, argument) in function.parameters.iter().zip(arguments) {
                if parameter.written_back {
                    self.assign(frame, argument, after[&parameter.field.name].clone());
                }
            }
            return result;
        }
        if let Some((base, rows, columns)) = numeric(name) {
            return constructed(base_of(base), rows, columns, &values);
        }
        intrinsics::call(name, &values)
    }

    /// The overload whose parameters have as many components as the arguments.
    fn function_for(&self, name: &str, values: &[Value]) -> Option<&'f Function> {
        let overloads: Vec<&'f Function> = self
            .file
            .functions
            .iter()
            .filter(|function| function.name == name && function.parameters.len() == values.len())
            .collect();
        let fits = |function: &&&'f Function| {
            function.parameters.iter().zip(values).all(|(parameter, value)| {
                match (numeric(&parameter.field.ty.name), value) {
                    (Some((base, _, columns)), Value::Scalar(x)) => columns <= 1 && x.base() == base_of(base),
                    (Some((base, _, columns)), Value::Vector(x)) => {
                        columns == x.len() && x[0].base() == base_of(base)
                    }
                    _ => true,
                }
            })
        };
        overloads.iter().find(fits).or(overloads.first()).copied()
    }

    fn method(
        &mut self,
        frame: &mut Frame,
        object: &'f Expression,
        name: &str,
        arguments: &'f [Expression],
        site: Option<usize>,
    ) -> Value {
        match self.evaluate(frame, object) {
            Value::Bytes(place) => self.bytes(frame, place, name, arguments),
            Value::Texture(place, of) => {
                if name == "GetDimensions" {
                    for target in arguments.iter().skip(usize::from(arguments.len() > 2)) {
                        self.assign(frame, target, Value::uint(16));
                    }
                    return Value::Void;
                }
                let values: Vec<Value> =
                    arguments.iter().map(|argument| self.evaluate(frame, argument)).collect();
                let of = Type { name: of, of: None, lengths: Vec::new() };
                let Some(site) = site else { return self.types.zero(&of) };
                let Value::Sampler(kind, slot) = values[0] else { panic!("{name} without a sampler") };
                let compares = name.contains("Cmp");
                assert_eq!(kind == SamplerKind::Comparison, compares, "{name} with a {kind:?} sampler");
                self.sampled.push(Sampled { texture: place, slot, kind });
                self.sites.insert(site);
                let of = match (name.starts_with("Gather"), compares) {
                    (true, _) => "float4",
                    (false, true) => "float",
                    (false, false) => &of.name,
                };
                let (base, _, count) = numeric(of).expect("texels are numbers");
                let texel = TEXEL.map(|x| Scalar::Float(x).to(base_of(base)));
                if count == 0 { Value::Scalar(texel[0]) } else { Value::Vector(texel[..count].to_vec()) }
            }
            other => panic!("{other:?} has no method {name}"),
        }
    }

    /// Loads of byte buffers; what is stored is not kept.
    fn bytes(&mut self, frame: &mut Frame, place: Place, name: &str, arguments: &'f [Expression]) -> Value {
        let dwords = self.dwords(place);
        if name == "GetDimensions" {
            let bytes = u32::try_from(dwords.len() * 4).expect("a small buffer");
            self.assign(frame, &arguments[0], Value::uint(bytes));
            return Value::Void;
        }
        let values: Vec<Value> = arguments.iter().map(|argument| self.evaluate(frame, argument)).collect();
        let count = match name {
            "Load" => 1,
            "Load2" => 2,
            "Load3" => 3,
            "Load4" => 4,
            _ if name.starts_with("Store") => return Value::Void,
            _ => panic!("the interpreter has no {name} of a buffer"),
        };
        let first = values[0].index() / 4;
        let loaded: Vec<Scalar> =
            (first..first + count).map(|at| Scalar::Uint(dwords.get(at).copied().unwrap_or(0))).collect();
        if count == 1 { Value::Scalar(loaded[0]) } else { Value::Vector(loaded) }
    }
}

fn swizzle(name: &str) -> Vec<usize> {
    name.chars().map(|c| "xyzw".find(c).or("rgba".find(c)).unwrap_or_else(|| panic!(".{name}"))).collect()
}

fn member(object: &Value, name: &str) -> Value {
    if let Value::Struct(fields) = object {
        return fields.get(name).unwrap_or_else(|| panic!("no member {name}")).clone();
    }
    let components = object.components();
    let picked: Vec<Scalar> = swizzle(name).into_iter().map(|at| components[at]).collect();
    if picked.len() == 1 { Value::Scalar(picked[0]) } else { Value::Vector(picked) }
}

fn element(object: &Value, index: usize) -> Value {
    match object {
        Value::Array(items) => element_of(items, index),
        Value::Vector(components) => Value::Scalar(components[index]),
        Value::Matrix(rows) => Value::Vector(rows[index].clone()),
        other => panic!("{other:?} is indexed"),
    }
}

fn element_of(items: &[Value], index: usize) -> Value {
    items.get(index).unwrap_or_else(|| panic!("element {index} of {}", items.len())).clone()
}

fn store(slot: &mut Value, path: &[Step], value: Value) {
    let Some((step, rest)) = path.split_first() else {
        *slot = match (&*slot, value) {
            (Value::Scalar(old), Value::Scalar(new)) => Value::Scalar(new.to(old.base())),
            (Value::Vector(old), Value::Scalar(new)) => Value::Vector(vec![new.to(old[0].base()); old.len()]),
            (_, new) => new,
        };
        return;
    };
    match (slot, step) {
        (Value::Struct(fields), Step::Member(name)) => {
            store(fields.get_mut(name).unwrap_or_else(|| panic!("no member {name}")), rest, value);
        }
        (Value::Array(items), Step::Index(index)) => store(&mut items[*index], rest, value),
        (Value::Matrix(rows), Step::Index(index)) => {
            let mut row = Value::Vector(rows[*index].clone());
            store(&mut row, rest, value);
            rows[*index] = row.components();
        }
        (Value::Vector(components), Step::Index(index)) => {
            components[*index] = value.scalar().to(components[*index].base());
        }
        (Value::Vector(components), Step::Member(name)) => {
            let values = value.components();
            for (n, at) in swizzle(name).into_iter().enumerate() {
                components[at] = values[n % values.len()].to(components[at].base());
            }
        }
        (slot, _) => panic!("a part of {slot:?} is assigned to"),
    }
}
