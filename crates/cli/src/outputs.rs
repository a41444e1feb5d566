//! Outputs that would overwrite an input or each other.

use std::fs::{File, Metadata};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use heapstone_spec::Profile;

use crate::args::ReplayArgs;
use crate::failure::Failure;

/// Links that are followed at most: as many as Linux does.
const LINKS_MAX: usize = 40;

/// What a path or a stream is, however it is spelled.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    /// A file that is there: its device and inode, which hard links share.
    Is { device: u64, inode: u64 },
    /// One that is not there yet: its folder without links, and its name.
    New(PathBuf),
}

impl Identity {
    /// `None` of what can be written twice and read beside it: terminals, `/dev/null`.
    fn of(metadata: &Metadata) -> Option<Identity> {
        let is_file = !metadata.file_type().is_char_device();
        is_file.then(|| Identity::Is { device: metadata.dev(), inode: metadata.ino() })
    }

    /// `None` also where nothing can be created, which is told when that is tried.
    fn of_path(path: &Path) -> Option<Identity> {
        if let Ok(metadata) = path.metadata() {
            return Identity::of(&metadata);
        }
        // A link to what is not there is created through the link.
        let mut path = path.to_owned();
        for _ in 0..LINKS_MAX {
            let Ok(target) = path.read_link() else { break };
            path = folder(&path).join(target);
        }
        Some(Identity::New(folder(&path).canonicalize().ok()?.join(path.file_name()?)))
    }

    fn of_stream(stream: &impl AsFd) -> Option<Identity> {
        let file = File::from(stream.as_fd().try_clone_to_owned().ok()?);
        // Pipes hand on what comes: nothing in them is overwritten.
        file.metadata().ok().filter(Metadata::is_file).and_then(|metadata| Identity::of(&metadata))
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// `-`: standard input or output.
pub(crate) fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether both name one file, there or not yet.
pub(crate) fn same_file(left: &Path, right: &Path) -> bool {
    let left = Identity::of_path(left);
    left.is_some() && left == Identity::of_path(right)
}

/// An output must not be an input, which would be emptied before it was read, nor another output. Nothing
/// is opened for writing here.
pub(crate) fn check(args: &ReplayArgs) -> Result<(), Failure> {
    if args.record.as_deref().is_some_and(is_stream) {
        return Err(Failure::new("--record cannot write to standard output, where the report goes")
            .with_remedy("give the name of a file"));
    }
    let trace = if is_stream(&args.file) {
        Identity::of_stream(&std::io::stdin())
    } else {
        Identity::of_path(&args.file)
    };
    let is_builtin = Profile::builtin(&args.device.profile).is_some();
    let profile = if is_builtin { None } else { Identity::of_path(Path::new(&args.device.profile)) };
    let mut taken = vec![
        (trace, "the trace itself".to_owned()),
        (profile, "the profile".to_owned()),
        (Identity::of_stream(&std::io::stdout()), "the same file as standard output".to_owned()),
    ];
    for (option, output) in [("--record", &args.record), ("--json", &args.json)] {
        let Some(output) = output.as_deref().filter(|output| !is_stream(output)) else { continue };
        let identity = Identity::of_path(output);
        if let Some((_, what)) = taken.iter().find(|(other, _)| other.is_some() && *other == identity) {
            let message = format_args!("{option} names {what}: {}", output.display()).to_string();
            return Err(Failure::new(message).with_remedy("give another file"));
        }
        taken.push((identity, format!("the same file as {option}")));
    }
    Ok(())
}
