//! The profiles that are built in, and finding one by name or path.

use super::Profile;
use super::error::{Problem, ProblemKind, ProfileError};
use crate::nearest::nearest;

macro_rules! builtin {
    ($($name:literal),* $(,)?) => {
        /// Name and text, the default first.
        const BUILTIN: &[(&str, &str)] =
            &[$( ($name, include_str!(concat!("../../profiles/", $name, ".toml"))) ),*];
    };
}

builtin!(
    "discrete-8g",
    "discrete-tier1-2g",
    "integrated-uma",
    "cache-coherent-uma",
    "discrete-no-msaa64k",
    "discrete-256k-images",
    "limited-va",
    "linked-two-nodes",
    "software",
);

impl Profile {
    /// The built-in profile to take where the user names none: a discrete card that can do everything.
    pub const DEFAULT_NAME: &'static str = BUILTIN[0].0;

    /// The names of the built-in profiles, the default first.
    #[must_use]
    pub fn builtin_names() -> Vec<&'static str> {
        BUILTIN.iter().map(|(name, _)| *name).collect()
    }

    /// The built-in profile called `name`, or `None` where there is none.
    #[must_use]
    pub fn builtin(name: &str) -> Option<Profile> {
        let (name, text) = BUILTIN.iter().find(|(known, _)| *known == name)?;
        Some(
            Profile::parse(text, name)
                .expect("invariant: the built-in profiles are legal, a test parses each"),
        )
    }

    /// A built-in profile's name, or the path of a file: a text with a path separator or that ends in
    /// `.toml` is a path.
    ///
    /// # Errors
    /// As [`Profile::load`]; an unknown name lists the names there are.
    pub fn find(name_or_path: &str) -> Result<Profile, ProfileError> {
        let is_path =
            name_or_path.contains(['/', std::path::MAIN_SEPARATOR]) || name_or_path.ends_with(".toml");
        if is_path {
            return Profile::load(name_or_path);
        }
        Profile::builtin(name_or_path).ok_or_else(|| {
            let names = Profile::builtin_names();
            let hint = nearest(name_or_path, names.iter().copied());
            let hint = hint.map_or_else(String::new, |nearest| format!(" (did you mean {nearest}?)"));
            ProfileError {
                file: String::new(),
                problems: vec![Problem {
                    kind: ProblemKind::UnknownProfile,
                    position: None,
                    key: String::new(),
                    given: format!("{name_or_path:?}"),
                    allowed: format!(
                        "{}{hint}, or the path of a file: with a `/` or ending in .toml",
                        names.join(", ")
                    ),
                }],
            }
        })
    }
}
