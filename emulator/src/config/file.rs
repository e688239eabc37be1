//! Files of a program and of an installation: how long they may be.

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use ascendcl_sys::config::MAX_BYTES;

/// Returns the content of a file. A pipe could block for ever.
pub(crate) fn content(path: &Path) -> Result<Vec<u8>, Error> {
    if path.metadata()?.file_type().is_fifo() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is a pipe"));
    }
    let mut content = Vec::new();
    let read = File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut content)?;
    if read as u64 > MAX_BYTES {
        return Err(Error::new(
            ErrorKind::FileTooLarge,
            format!("it has more than {MAX_BYTES} bytes"),
        ));
    }
    Ok(content)
}
