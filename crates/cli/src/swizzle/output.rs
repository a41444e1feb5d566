//! Files that are there whole, or as they were before.

use std::fs::{File, Permissions};
use std::io::BufWriter;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::outputs;

/// What the system lets everybody do whom the user's mask does not exclude, as of any new file.
const MODE: u32 = 0o666;
/// Large writes, so that calls into the system cost nothing beside copying.
const WRITE_SIZE: usize = 1 << 18;

/// A file that takes its name when it is complete.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    target: PathBuf,
    file: NamedTempFile,
}

impl Output {
    /// A new file for `path`, beside it. It must be none of `inputs`.
    ///
    /// # Errors
    /// It is one of them, is there and no file, or cannot be made.
    pub(crate) fn create(path: &Path, inputs: &[&Path]) -> Result<Output, Failure> {
        if let Some(input) = inputs.iter().find(|input| outputs::same_file(path, input)) {
            return Err(Failure::new(format_args!("{} would overwrite {}", path.display(), input.display()))
                .with_remedy("give the name of another file"));
        }
        // What a link leads to is replaced, not the link.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if target.exists() && !target.is_file() {
            return Err(Failure::new(format_args!("cannot write {}: it is no file", path.display())));
        }
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = tempfile::Builder::new()
            .prefix(".heapstone-")
            .permissions(Permissions::from_mode(MODE))
            .tempfile_in(folder.unwrap_or(Path::new(".")))
            .map_err(|error| Failure::write(path, &plain(&error)))?;
        Ok(Output { path: path.to_owned(), target, file })
    }

    /// Where to write.
    pub(crate) fn writer(&self) -> BufWriter<&File> {
        BufWriter::with_capacity(WRITE_SIZE, self.file.as_file())
    }

    /// What a failure to write it is.
    pub(crate) fn failed(&self, error: &std::io::Error) -> Failure {
        Failure::write(&self.path, error)
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// It cannot have it.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        let Output { path, target, file } = self;
        file.persist(target).map(|_| ()).map_err(|error| Failure::write(&path, &error.error))
    }
}

/// The error without the name of a file that nobody asked for.
fn plain(error: &std::io::Error) -> std::io::Error {
    std::io::Error::from(error.kind())
}
