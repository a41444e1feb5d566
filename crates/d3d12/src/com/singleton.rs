//! Objects of which there is one at a time, known and not held.

use core::ptr::{self, NonNull};

use parking_lot::Mutex;

use super::held::Held;
use super::object::{Class, Convention, Object};

/// The place of the one object of its kind, for each convention; a new one is made once clients have let go of the last.
pub struct Singleton<T: Class>(Mutex<[Option<Known<T>>; 2]>);

struct Known<T: Class>(NonNull<Object<T>>);

// SAFETY: it is read under the lock, which an object takes to be forgotten before its memory goes.
unsafe impl<T: Class> Send for Known<T> {}

impl<T: Class> Singleton<T> {
    /// Of none yet.
    #[must_use]
    pub const fn new() -> Singleton<T> {
        Singleton(Mutex::new([None, None]))
    }

    /// The object, or a new one. `create` must not ask for it.
    ///
    /// # Errors
    /// Those of `create`.
    pub fn get<E>(
        &self,
        convention: Convention,
        create: impl FnOnce() -> Result<Held<T>, E>,
    ) -> Result<Held<T>, E> {
        let mut known = self.0.lock();
        let known = &mut known[convention as usize];
        if let Some(Known(object)) = known {
            // SAFETY: an object is forgotten, under this lock, before its memory goes.
            let object = unsafe { object.as_ref() };
            if object.header().try_add_public() {
                return Ok(Held::adopt(object));
            }
        }
        let object = create()?;
        *known = Some(Known(NonNull::from(&*object)));
        Ok(object)
    }

    /// The object goes: to be called by `Class::released`.
    pub fn forget(&self, object: &Object<T>) {
        for known in self.0.lock().iter_mut() {
            if known.as_ref().is_some_and(|Known(known)| ptr::eq(known.as_ptr(), object)) {
                *known = None;
            }
        }
    }
}

impl<T: Class> Default for Singleton<T> {
    fn default() -> Singleton<T> {
        Singleton::new()
    }
}
