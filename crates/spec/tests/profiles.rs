//! Adapter profiles: the built-in ones, files of a user's own, and what is said about wrong ones.

use heapstone_spec::Profile;

#[test]
fn every_builtin_profile_parses_under_its_name() {
    for name in Profile::builtin_names() {
        let profile = Profile::builtin(name).unwrap();
        assert_eq!(profile.name, name);
        assert_eq!(profile.check(), Ok(()), "{name}");
        assert_eq!(Profile::parse(&profile.to_toml(), "x.toml").as_ref(), Ok(&profile), "{name}");
    }
}
