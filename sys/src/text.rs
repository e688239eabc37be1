//! Files of a program and of an installation: how long they may be.

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

/// The longest file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Returns the content of a file. A pipe is refused, because it could block for ever.
pub(crate) fn content(path: &Path) -> Result<Vec<u8>, Error> {
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_fifo(&path.metadata()?.file_type()) {
        return Err(Error::new(ErrorKind::InvalidInput, "it is a pipe"));
    }
    let mut content = Vec::new();
    let read = File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut content)?;
    if read as u64 > MAX_BYTES {
        let text = format!("it has more than {MAX_BYTES} bytes");
        return Err(Error::new(ErrorKind::FileTooLarge, text));
    }
    Ok(content)
}

/// Returns the text of a file. Its errors are those of [`content`] and of [`std::fs::read_to_string`].
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    String::from_utf8(content(path)?)
        .map_err(|_| Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::{MAX_BYTES, content, read};
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
        let why = content(Path::new("/dev/zero")).map_err(|error| error.to_string());
        assert_eq!(why, Err(format!("it has more than {MAX_BYTES} bytes")));
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_as_the_standard_library_does() {
        let file = std::env::temp_dir().join(format!("ascendcl-bytes-{}", std::process::id()));
        assert!(std::fs::write(&file, [0xff]).is_ok());
        let says = |error: std::io::Error| (error.kind(), error.to_string());
        let expected = std::fs::read_to_string(&file).map_err(says);
        assert_eq!(read(&file).map_err(says), expected);
        assert!(expected.is_err());
        assert!(std::fs::remove_file(&file).is_ok());
    }
}
