//! `interfaces.tsv`, read.

use std::collections::BTreeMap;

/// A method, as its interface declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The interface that declares it.
    pub interface: String,
    /// Its place in the vtable.
    pub slot: usize,
    /// Its name.
    pub name: String,
    /// C++ types of the arguments.
    pub arguments: Vec<String>,
    /// C++ type of the result.
    pub result: String,
}

/// An interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Its name.
    pub name: String,
    /// What it extends; none of IUnknown.
    pub base: Option<String>,
    /// Its identifier, as 32 digits in 5 groups.
    pub iid: String,
    /// Those that it adds.
    pub methods: Vec<Method>,
}

/// All interfaces.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// By name.
    pub interfaces: BTreeMap<String, Interface>,
}

impl Description {
    /// Reads the format that the head of `interfaces.tsv` describes.
    ///
    /// # Errors
    /// Names the line that is wrong: an unknown base, a slot that does not follow the one before.
    pub fn parse(text: &str) -> Result<Description, String> {
        let mut description = Description::default();
        let mut current: Option<Interface> = None;
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#')) {
            let wrong = |what: &str| format!("interfaces.tsv:{number}: {what}: {line:?}");
            let fields: Vec<&str> = line.split('\t').collect();
            match *fields.as_slice() {
                ["interface", name, base, iid] => {
                    description.extend(current.take());
                    current = Some(Interface {
                        name: name.to_owned(),
                        base: (base != "-").then(|| base.to_owned()),
                        iid: iid.to_owned(),
                        methods: Vec::new(),
                    });
                }
                ["", slot, name, arguments, result] => {
                    let interface = current.as_mut().ok_or_else(|| wrong("a method before any interface"))?;
                    interface.methods.push(Method {
                        interface: interface.name.clone(),
                        slot: slot.parse().map_err(|_| wrong("a slot is a number"))?,
                        name: name.to_owned(),
                        arguments: arguments
                            .split(", ")
                            .filter(|argument| !argument.is_empty())
                            .map(str::to_owned)
                            .collect(),
                        result: result.to_owned(),
                    });
                }
                _ => return Err(wrong("neither an interface nor a method")),
            }
        }
        description.extend(current);
        for name in description.interfaces.keys() {
            let slots = description.methods(name)?;
            for (expected, method) in slots.iter().enumerate() {
                if method.slot != expected {
                    return Err(format!("{name}: {} has slot {}, not {expected}", method.name, method.slot));
                }
            }
        }
        Ok(description)
    }

    fn extend(&mut self, interface: Option<Interface>) {
        self.interfaces.extend(interface.map(|interface| (interface.name.clone(), interface)));
    }

    /// The interface and those it extends, IUnknown first.
    ///
    /// # Errors
    /// Where one is not described.
    pub fn chain(&self, name: &str) -> Result<Vec<&Interface>, String> {
        let mut chain = Vec::new();
        let mut next = Some(name);
        while let Some(name) = next {
            let interface = self.interfaces.get(name).ok_or_else(|| format!("{name} is not described"))?;
            chain.push(interface);
            next = interface.base.as_deref();
        }
        chain.reverse();
        Ok(chain)
    }

    /// All methods of the interface's vtable, in the order of their slots.
    ///
    /// # Errors
    /// As [`Description::chain`].
    pub fn methods(&self, name: &str) -> Result<Vec<&Method>, String> {
        Ok(self.chain(name)?.into_iter().flat_map(|interface| &interface.methods).collect())
    }
}
