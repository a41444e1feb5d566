//! Names of shared handles: symbolic links in a folder that only the user can enter.
//!
//! A link says which process has the handle, as which descriptor, and which file that is (its inode). It is stale once the
//! process or its handle is gone: as natively, a name lasts as long as a handle. Stale links are removed whenever the
//! folder is used. What the folder holds is changed under a lock of it, which dies with its owner.

use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, OFlags, flock, fstat, mkdir, open, readlinkat, symlinkat, unlinkat};
use rustix::io::Errno;
use rustix::process::getuid;

use crate::configuration;
use crate::failure::Failure;
use crate::types::{DXGI_ERROR_NAME_ALREADY_EXISTS, E_ACCESSDENIED, E_FAIL, E_FILE_NOT_FOUND, E_INVALIDARG};

/// Bytes of a file's name at most, on Linux.
const LENGTH_MAX: usize = 255;

/// Enters a name for a handle of this process.
///
/// # Errors
/// DXGI_ERROR_NAME_ALREADY_EXISTS; E_INVALIDARG of a name that is empty or too long; E_ACCESSDENIED where the folder is
/// somebody else's.
pub(super) fn enter(name: &str, file: &OwnedFd) -> Result<(), Failure> {
    let link = link_name(name)?;
    let folder = Folder::lock()?;
    folder.sweep();
    let inode = fstat(file).map_err(|_| E_FAIL)?.st_ino;
    let target = format!("{}:{}:{inode}", std::process::id(), file.as_raw_fd());
    match symlinkat(&target, &folder.0, &link) {
        Ok(()) => Ok(()),
        Err(Errno::EXIST) => Err(DXGI_ERROR_NAME_ALREADY_EXISTS.into()),
        Err(_) => Err(E_FAIL.into()),
    }
}

/// A handle of what has the name.
///
/// # Errors
/// ERROR_FILE_NOT_FOUND as an HRESULT; E_INVALIDARG of a name that is empty or too long; E_ACCESSDENIED where the folder
/// is somebody else's.
pub(super) fn find(name: &str) -> Result<OwnedFd, Failure> {
    let link = link_name(name)?;
    let folder = Folder::lock()?;
    folder.sweep();
    folder.open(&link).ok_or_else(|| E_FILE_NOT_FOUND.into())
}

/// The folder, locked until it is dropped.
struct Folder(OwnedFd, PathBuf);

impl Folder {
    fn lock() -> Result<Folder, Failure> {
        let user = getuid().as_raw();
        let path = configuration::runtime_folder(user);
        match mkdir(&path, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(_) => return Err(E_ACCESSDENIED.into()),
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = open(&path, flags, Mode::empty()).map_err(|_| E_ACCESSDENIED)?;
        let status = fstat(&folder).map_err(|_| E_ACCESSDENIED)?;
        // Others could put links there that name what they like.
        if status.st_uid != user || status.st_mode & 0o077 != 0 {
            return Err(E_ACCESSDENIED.into());
        }
        flock(&folder, FlockOperation::LockExclusive).map_err(|_| E_ACCESSDENIED)?;
        Ok(Folder(folder, path))
    }

    /// Removes links whose handle is gone.
    fn sweep(&self) {
        let Ok(entries) = std::fs::read_dir(&self.1) else { return };
        for name in entries.flatten().map(|entry| entry.file_name()) {
            if name.to_str().is_none_or(|name| self.open(name).is_none()) {
                let _ = unlinkat(&self.0, &name, rustix::fs::AtFlags::empty());
            }
        }
    }

    /// A handle of what the link says, if it is still that.
    fn open(&self, link: &str) -> Option<OwnedFd> {
        let target = readlinkat(&self.0, link, Vec::new()).ok()?.into_string().ok()?;
        let mut words = target.split(':').map(str::parse::<u64>);
        let (process, descriptor, inode) = (words.next()?.ok()?, words.next()?.ok()?, words.next()?.ok()?);
        let path = format!("/proc/{process}/fd/{descriptor}");
        // Only a file in memory is opened: to open a device or a pipe does something.
        let seen = std::fs::read_link(&path).ok()?;
        if !seen.to_string_lossy().starts_with("/memfd:heapstone") {
            return None;
        }
        let file = open(Path::new(&path), OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()).ok()?;
        (fstat(&file).ok()?.st_ino == inode).then_some(file)
    }
}

/// The name as a file's: `Global\` and `Local\` are the same here; what a file's name cannot hold is written in hexadecimal.
fn link_name(name: &str) -> Result<String, Failure> {
    let name = name.strip_prefix(r"Global\").or_else(|| name.strip_prefix(r"Local\")).unwrap_or(name);
    let mut link = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => link.push(char::from(byte)),
            other => link.push_str(&format!("%{other:02x}")),
        }
    }
    if (1..=LENGTH_MAX).contains(&link.len()) { Ok(link) } else { Err(E_INVALIDARG.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_files_names() {
        for (name, link) in [
            (r"Global\heap", "heap"),
            (r"Local\a-b_C9", "a-b_C9"),
            ("../x", "%2e%2e%2fx"),
            ("ö", "%c3%b6"),
            (r"Global\Local\x", "Local%5cx"),
        ] {
            assert_eq!(link_name(name).unwrap(), link);
        }
        for refused in ["", r"Global\", &"n".repeat(256)] {
            assert_eq!(link_name(refused).unwrap_err().code(), E_INVALIDARG);
        }
    }
}
