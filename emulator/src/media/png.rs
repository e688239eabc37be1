//! The header of a PNG.

/// The header of a PNG.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Png {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) bits: u8,
    /// The number of C: 0 gray, 2 RGB, 3 palette, 4 gray with alpha, 6 RGB with alpha.
    pub(super) colour: u8,
}

/// The bytes in front of everything that a header needs; a file must have more.
const HEAD: usize = 29;

/// Reads the header of a PNG. The error says what is wrong.
pub(super) fn read(file: &[u8]) -> Result<Png, String> {
    if file.len() <= HEAD {
        return Err(format!(
            "it has {} bytes, and a PNG has more than {HEAD}",
            file.len()
        ));
    }
    if !file.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Err("it does not begin with the signature of a PNG".to_owned());
    }
    let number = |at: usize| {
        let bytes = file.get(at..at + 4).unwrap_or_default();
        bytes
            .iter()
            .fold(0, |number, byte| number << 8 | u32::from(*byte))
    };
    let byte = |at: usize| file.get(at).copied().unwrap_or(0);
    Ok(Png {
        width: number(16),
        height: number(20),
        bits: byte(24),
        colour: byte(25),
    })
}

impl Png {
    /// The number of components, `None` for a palette or an unknown kind.
    pub(super) fn components(self) -> Option<i32> {
        match self.colour {
            0 => Some(1),
            2 => Some(3),
            4 => Some(2),
            6 => Some(4),
            _ => None,
        }
    }
}
