//! JSON in the files of a program: how long and how deep it may be.

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use tinyjson::JsonValue;

/// The longest file.
const MOST: u64 = 64 << 20;

/// The deepest brackets. The parser takes as much of the stack as a text is deep, and the files of CANN nest five deep.
const DEEPEST: usize = 32;

/// Returns the text of a file. A pipe could block for ever.
pub(crate) fn load(path: &Path) -> Result<String, Error> {
    if path.metadata()?.file_type().is_fifo() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is a pipe"));
    }
    let mut text = String::new();
    let read = File::open(path)?.take(MOST + 1).read_to_string(&mut text)?;
    if read as u64 > MOST {
        return Err(Error::new(
            ErrorKind::FileTooLarge,
            format!("it has more than {MOST} bytes"),
        ));
    }
    Ok(text)
}

/// Reads a text. The error is the reason why it is no JSON.
pub(crate) fn parse(text: &str) -> Result<JsonValue, String> {
    if depth(text) > DEEPEST {
        return Err(format!("it nests more than {DEEPEST} deep"));
    }
    text.parse()
        .map_err(|error| format!("it is not JSON: {error}"))
}

/// How deep the brackets nest; those in strings count, too.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for letter in text.bytes() {
        match letter {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
