//! The JSON file that `aclInit` takes: the parts that both sides of the call read.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tinyjson::JsonValue;

use crate::text;

/// Returns the content of a file of a program or of an installation.
///
/// # Errors
///
/// A file of more than 64 MiB is refused, and a pipe, because it could block for ever.
pub fn content(path: &Path) -> io::Result<Vec<u8>> {
    text::content(path)
}

/// The settings of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Config {
    /// `defaultDevice.default_device`: the device of threads that choose none.
    pub default_device: Option<i32>,
}

/// How deep braces may nest, and brackets.
const MAX_DEPTH: usize = 10;

/// Why the file is no configuration.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The message of the system.
        reason: String,
    },
    /// The file is not JSON.
    NotJson {
        /// The file.
        path: PathBuf,
        /// The fault that the parser found, and its place.
        reason: String,
    },
    /// Its braces or its brackets nest deeper than AscendCL reads.
    Nested {
        /// The file.
        path: PathBuf,
    },
    /// It asks for more than one kind of dump, which exclude each other.
    Dumps {
        /// The file.
        path: PathBuf,
        /// The members of `dump` that ask for one each.
        members: Vec<&'static str>,
    },
    /// `default_device` is neither a number nor a string of one.
    DefaultDevice {
        /// The file.
        path: PathBuf,
        /// The value in the file.
        value: String,
    },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::Unreadable { path, reason } => {
                write!(
                    f,
                    "the configuration {} cannot be read: {reason}",
                    path.display()
                )
            }
            ConfigError::NotJson { path, reason } => {
                write!(
                    f,
                    "the configuration {} is not JSON: {reason}",
                    path.display()
                )
            }
            ConfigError::Nested { path } => write!(
                f,
                "the configuration {} nests braces or brackets more than {MAX_DEPTH} deep",
                path.display()
            ),
            ConfigError::Dumps { path, members } => write!(
                f,
                "the configuration {} asks for dumps by {}, which exclude each other: keep one of them",
                path.display(),
                members.join(" and ")
            ),
            ConfigError::DefaultDevice { path, value } => write!(
                f,
                "the configuration {} names the default device {value}; write a device id, as in \
                 {{\"defaultDevice\": {{\"default_device\": \"0\"}}}}",
                path.display()
            ),
        }
    }
}

/// A `main` that returns the error prints this text.
impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Reads the file. An empty file and an empty object, as CANN's samples have them, are valid configurations.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] names the file and the fault.
    pub fn read(path: &Path) -> Result<Config, ConfigError> {
        let text = text::read(path).map_err(|error| ConfigError::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        if text.is_empty() {
            return Ok(Config::default());
        }
        // Before the parser, which takes as much of the stack as the text is deep.
        if depth(&text, '{', '}').max(depth(&text, '[', ']')) > MAX_DEPTH {
            return Err(ConfigError::Nested {
                path: path.to_owned(),
            });
        }
        let json: JsonValue =
            text.parse()
                .map_err(|error: tinyjson::JsonParseError| ConfigError::NotJson {
                    path: path.to_owned(),
                    reason: reason(&error.to_string()),
                })?;
        let members = dumps(&json);
        if members.len() > 1 {
            return Err(ConfigError::Dumps {
                path: path.to_owned(),
                members,
            });
        }
        let default_device = match member(&json, "defaultDevice")
            .and_then(|device| member(device, "default_device"))
        {
            None => None,
            Some(value) => Some(device_id(value).ok_or_else(|| ConfigError::DefaultDevice {
                path: path.to_owned(),
                value: value.stringify().unwrap_or_default(),
            })?),
        };
        Ok(Config { default_device })
    }
}

/// The members of `dump` that ask for a kind of dump each: of failures or watched operators, of overflows, of operators.
fn dumps(json: &JsonValue) -> Vec<&'static str> {
    let asks = |name: &str| match member(json, "dump").and_then(|dump| member(dump, name)) {
        Some(JsonValue::String(value)) if name == "dump_scene" => !value.is_empty(),
        Some(JsonValue::String(value)) => value == "on",
        _ => false,
    };
    let mut members = vec!["dump_scene", "dump_debug", "dump_op_switch"];
    members.retain(|name| asks(name));
    members
}

/// The longest text of a fault.
const MAX_REASON: usize = 200;

/// The text of a fault without the values that the parser shows: it shows members in the order of a hash map, and all
/// of them.
fn reason(text: &str) -> String {
    for (shown, kind) in [("found Object(", "an object"), ("found Array(", "an array")] {
        if let Some((before, _)) = text.split_once(shown) {
            return format!("{before}found {kind}");
        }
    }
    text.chars().take(MAX_REASON).collect()
}

/// How deep a pair of characters nests; in strings, too, as the runtime counts.
fn depth(text: &str, open: char, close: char) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for letter in text.chars() {
        if letter == open {
            depth += 1;
            deepest = deepest.max(depth);
        } else if letter == close {
            depth = depth.saturating_sub(1);
        }
    }
    deepest
}

fn member<'a>(json: &'a JsonValue, name: &str) -> Option<&'a JsonValue> {
    match json {
        JsonValue::Object(members) => members.get(name),
        _ => None,
    }
}

/// CANN writes the id as a string; a plain number is understood too.
fn device_id(value: &JsonValue) -> Option<i32> {
    match value {
        JsonValue::String(text) => text.trim().parse().ok(),
        JsonValue::Number(number) if number.fract() == 0.0 => Some(*number as i32),
        _ => None,
    }
}
