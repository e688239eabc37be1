//! JSON in the files of a program: how deep it may be.

use std::io::{Error, ErrorKind};
use std::path::Path;

use ascendcl_sys::config::content;
use tinyjson::JsonValue;

/// The deepest brackets. The parser takes as much of the stack as a text is deep, and the files of CANN nest five deep.
const DEEPEST: usize = 32;

/// Returns the text of a file.
pub(crate) fn load(path: &Path) -> Result<String, Error> {
    String::from_utf8(content(path)?).map_err(|error| Error::new(ErrorKind::InvalidData, error))
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
