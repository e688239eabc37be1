//! Text files of a program and of an installation: how long they may be.

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

/// The longest file, in bytes.
pub const MAX_BYTES: u64 = 64 << 20;

/// Returns the text of a file. A pipe is refused, because it could block for ever.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_fifo(&path.metadata()?.file_type()) {
        return Err(Error::new(ErrorKind::InvalidInput, "it is a pipe"));
    }
    let mut text = String::new();
    let read = File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_string(&mut text)?;
    if read as u64 > MAX_BYTES {
        let text = format!("it has more than {MAX_BYTES} bytes");
        return Err(Error::new(ErrorKind::FileTooLarge, text));
    }
    Ok(text)
}

#[cfg(all(test, unix))]
mod tests {
    use super::{MAX_BYTES, read};
    use std::path::Path;
    use std::process::Command;

    #[test]
    fn a_pipe_and_a_file_without_an_end_are_refused() {
        let pipe = std::env::temp_dir().join(format!("ascendcl-text-{}", std::process::id()));
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()));
        let why = read(&pipe).map_err(|error| error.to_string());
        assert_eq!(why, Err("it is a pipe".to_owned()));
        assert!(std::fs::remove_file(&pipe).is_ok());
        let why = read(Path::new("/dev/zero")).map_err(|error| error.to_string());
        assert_eq!(why, Err(format!("it has more than {MAX_BYTES} bytes")));
    }
}
