//! The text of a family's module.

use core::fmt::Write as _;

use super::description::{Description, Interface, Method};
use super::types::{RustType, Types};

/// Interfaces whose methods every object has, whatever its class: `com::methods` implements them once.
const COMMON: &[&str] = &["IUnknown", "ID3D12Object", "ID3D12DeviceChild"];
/// Of IDXGIObject these.
const COMMON_OF_DXGI: &[&str] = &["SetPrivateData", "SetPrivateDataInterface", "GetPrivateData"];

const HEAD: &str = "\
//! Written by `cargo xtask codegen` from `interfaces.tsv`. Change that, not this.
";

struct Slot<'a> {
    method: &'a Method,
    arguments: Vec<RustType>,
    result: RustType,
    is_common: bool,
}

impl Slot<'_> {
    fn name(&self) -> &str {
        &self.method.name
    }

    fn parameters(&self) -> String {
        self.arguments.iter().enumerate().fold(String::new(), |mut text, (index, argument)| {
            let _ = write!(text, ", a{index}: {}", argument.text);
            text
        })
    }

    fn passed(&self) -> String {
        (0..self.arguments.len()).fold(String::new(), |mut text, index| {
            let _ = write!(text, ", a{index}");
            text
        })
    }

    fn returns(&self) -> String {
        if self.result.text == "()" { String::new() } else { format!(" -> {}", self.result.text) }
    }
}

/// The module of the family whose last interface is `name`.
pub(super) fn family(description: &Description, types: &Types, name: &str) -> Result<String, String> {
    let chain = description.chain(name)?;
    let slots: Vec<Slot<'_>> = description.methods(name)?.into_iter().map(|m| slot(types, m)).collect();
    let mut text = String::from(HEAD);
    text.push_str("\n#[allow(unused_imports, reason = \"families use what they need\")]\n");
    text.push_str("use core::ffi::{c_char, c_void};\n\n");
    text.push_str("#[allow(unused_imports, reason = \"families use what they need\")]\n");
    text.push_str(
        "use crate::com::{Class, Face, Object, StructReturn, Vtable, guard, methods, not_implemented};\n",
    );
    text.push_str(
        "#[allow(unused_imports, reason = \"families use what they need\")]\nuse crate::types::*;\n\n",
    );
    methods_trait(&mut text, name, &slots);
    vtable(&mut text, name, &chain, &slots);
    shims(&mut text, name, &slots);
    Ok(text)
}

fn slot<'a>(types: &Types, method: &'a Method) -> Slot<'a> {
    let is_common = COMMON.contains(&method.interface.as_str())
        || (method.interface == "IDXGIObject" && COMMON_OF_DXGI.contains(&method.name.as_str()));
    Slot {
        method,
        arguments: method.arguments.iter().map(|argument| types.rust(argument)).collect(),
        result: types.rust(&method.result),
        is_common,
    }
}

fn methods_trait(text: &mut String, name: &str, slots: &[Slot<'_>]) {
    let _ = writeln!(
        text,
        "/// What a class does for {name}; what it leaves out answers E_NOTIMPL and is reported once."
    );
    let _ = writeln!(text, "pub trait {name}: Class {{");
    for slot in slots.iter().filter(|slot| !slot.is_common) {
        let unused: String = (0..slot.arguments.len()).fold(String::new(), |mut text, index| {
            let _ = write!(text, ", _a{index}: {}", slot.arguments[index].text);
            text
        });
        let _ = writeln!(
            text,
            "    /// {}::{}, slot {}: ({}).\n    unsafe fn {}(this: &Object<Self>{unused}){} {{\n        \
             not_implemented(this, \"{}::{}\")\n    }}",
            slot.method.interface,
            slot.name(),
            slot.method.slot,
            slot.method.arguments.join(", ").replace('*', "\\*").replace('<', "\\<"),
            slot.name(),
            slot.returns(),
            slot.method.interface,
            slot.name(),
        );
    }
    text.push_str("}\n\n");
}

fn vtable(text: &mut String, name: &str, chain: &[&Interface], slots: &[Slot<'_>]) {
    let _ = writeln!(text, "/// The vtable of {name}.\n#[repr(C)]\npub struct {name}Vtbl {{");
    for slot in slots {
        let _ = if slot.result.is_struct {
            writeln!(text, "    pub {}: StructReturn,", slot.name())
        } else {
            let types: String = slot.arguments.iter().fold(String::new(), |mut text, argument| {
                let _ = write!(text, ", {}", argument.text);
                text
            });
            writeln!(
                text,
                "    pub {}: unsafe extern \"C\" fn(*mut c_void{types}){},",
                slot.name(),
                slot.returns()
            )
        };
    }
    text.push_str("}\n\n");
    let _ = writeln!(text, "impl<T: {name}, F: Face<T>> Vtable<T, F> for {name}Vtbl {{");
    let chain: Vec<&str> = chain.iter().map(|interface| interface.name.as_str()).collect();
    let _ = writeln!(
        text,
        "    const CHAIN: &'static [GUID] = &[{}];",
        chain.iter().map(|name| format!("super::IID_{name}")).collect::<Vec<_>>().join(", ")
    );
    for (constant, is_explicit) in [("LINUX", false), ("EXPLICIT_RETURN", true)] {
        let _ = writeln!(text, "    const {constant}: Self = {name}Vtbl {{");
        for slot in slots {
            let shim = match (slot.is_common, slot.result.is_struct, is_explicit) {
                (true, ..) => format!("methods::{}::<T, F>", slot.name()),
                (false, true, true) => {
                    format!("StructReturn::new(explicit_{}::<T, F> as *const ())", slot.name())
                }
                (false, true, false) => format!("StructReturn::new({}::<T, F> as *const ())", slot.name()),
                (false, false, _) => format!("{}::<T, F>", slot.name()),
            };
            let _ = writeln!(text, "        {}: {shim},", slot.name());
        }
        text.push_str("    };\n");
    }
    text.push_str("}\n");
}

fn shims(text: &mut String, name: &str, slots: &[Slot<'_>]) {
    for slot in slots.iter().filter(|slot| !slot.is_common) {
        let call = format!(
            "    // SAFETY: the client calls a method of `this`, which is alive, with arguments as D3D12 wants them.\n    \
             let this = unsafe {{ F::object(this) }};\n    \
             // SAFETY: as above.\n    \
             guard(this, || unsafe {{ T::{}(this{}) }})\n",
            slot.name(),
            slot.passed()
        );
        let _ = writeln!(
            text,
            "\nunsafe extern \"C\" fn {}<T: {name}, F: Face<T>>(this: *mut c_void{}){} {{\n{call}}}",
            slot.name(),
            slot.parameters(),
            slot.returns()
        );
        if slot.result.is_struct {
            let _ = writeln!(
                text,
                "\nunsafe extern \"C\" fn explicit_{0}<T: {name}, F: Face<T>>(this: *mut c_void, result: *mut {1}{2}) -> *mut {1} {{\n    \
                 // SAFETY: the arguments are the client's.\n    \
                 let value = unsafe {{ {0}::<T, F>(this{3}) }};\n    \
                 if !result.is_null() {{\n        \
                 // SAFETY: the client gives a place for the result.\n        \
                 unsafe {{ result.write(value) }};\n    }}\n    result\n}}",
                slot.name(),
                slot.result.text,
                slot.parameters(),
                slot.passed()
            );
        }
    }
}

/// `mod.rs`: the modules and the identifiers.
pub(super) fn root(description: &Description, families: &[(&str, &str)]) -> String {
    let mut text = String::from(HEAD);
    text.push_str(
        "#![allow(missing_docs, non_snake_case, non_upper_case_globals, reason = \"names are D3D12's, and so is their meaning\")]\n\
         #![allow(clippy::missing_safety_doc, reason = \"what D3D12 demands of a call's arguments\")]\n\
         #![allow(clippy::too_many_arguments, reason = \"as D3D12 has them\")]\n\n\
         use crate::types::GUID;\n\n",
    );
    for (_, module) in families {
        let _ = writeln!(text, "pub mod {module};");
    }
    text.push('\n');
    for (interface, module) in families {
        let _ = writeln!(text, "pub use {module}::{{{interface}, {interface}Vtbl}};");
    }
    text.push('\n');
    for interface in description.interfaces.values() {
        let _ =
            writeln!(text, "pub const IID_{}: GUID = GUID::parse(\"{}\");", interface.name, interface.iid);
    }
    text
}
