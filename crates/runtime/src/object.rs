//! What all objects have: a number, a name, a tag, their device.

use parking_lot::Mutex;

use crate::device::DeviceInner;
use crate::observer::{Call, ObjectId};

/// Name and tag. Most objects have neither: one word until the first is set.
#[derive(Default)]
pub(crate) struct Labels {
    set: Mutex<Option<Box<LabelTexts>>>,
}

#[derive(Default)]
struct LabelTexts {
    name: String,
    tag: String,
}

impl Labels {
    pub(crate) fn set_name(&self, device: &DeviceInner, object: ObjectId, name: &str) {
        name.clone_into(&mut self.set.lock().get_or_insert_default().name);
        device.observe(|| Call::SetName { object, name });
    }

    pub(crate) fn set_tag(&self, device: &DeviceInner, object: ObjectId, tag: &str) {
        tag.clone_into(&mut self.set.lock().get_or_insert_default().tag);
        device.observe(|| Call::SetTag { object, tag });
    }

    pub(crate) fn name(&self) -> String {
        self.set.lock().as_ref().map(|texts| texts.name.clone()).unwrap_or_default()
    }

    pub(crate) fn tag(&self) -> String {
        self.set.lock().as_ref().map(|texts| texts.tag.clone()).unwrap_or_default()
    }
}

/// ID3D12DeviceChild::GetDevice and ID3D12Object's names of `$object`, whose `id` and `labels` are fields of
/// `$inner`, and whose device is `$device`.
macro_rules! object {
    ($object:ident, $this:ident => $inner:expr, $device:expr) => {
        impl $object {
            /// The device it is of.
            #[must_use]
            pub fn device(&$this) -> $crate::Device {
                $crate::Device::of($device)
            }

            /// Its number on an observed device.
            #[must_use]
            pub fn id(&$this) -> $crate::ObjectId {
                $inner.id
            }

            /// ID3D12Object::SetName.
            pub fn set_name(&$this, name: &str) {
                $inner.labels.set_name($device, $inner.id, name);
            }

            /// The name, empty where none was set.
            #[must_use]
            pub fn name(&$this) -> String {
                $inner.labels.name()
            }

            /// Says what it is for, e.g. `streaming/mips`; observers hear it, and traces keep it.
            pub fn set_tag(&$this, tag: &str) {
                $inner.labels.set_tag($device, $inner.id, tag);
            }

            /// The tag, empty where none was set.
            #[must_use]
            pub fn tag(&$this) -> String {
                $inner.labels.tag()
            }
        }
    };
}

/// An [`object!`] that is a handle: two are equal where they are the same object.
macro_rules! shared_object {
    ($object:ident) => {
        $crate::object::shared_object!($object, self => &self.inner.device);
    };
    ($object:ident, $this:ident => $device:expr) => {
        $crate::object::object!($object, $this => $this.inner, $device);

        impl PartialEq for $object {
            /// Whether both are the same object.
            fn eq(&self, other: &$object) -> bool {
                std::sync::Arc::ptr_eq(&self.inner, &other.inner)
            }
        }

        impl Eq for $object {}
    };
}

pub(crate) use {object, shared_object};
