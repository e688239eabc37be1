//! The bytes of Protocol Buffers, in which ONNX files are written.

use ascendcl_emulator::model::Unreadable;

/// The length-delimited kind of a field.
const BYTES: u64 = 2;

/// A field of a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Field<'a> {
    pub(crate) number: u64,
    pub(crate) content: Content<'a>,
}

/// The content of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Content<'a> {
    Number(u64),
    Four([u8; 4]),
    Eight([u8; 8]),
    Bytes(&'a [u8]),
}

/// Calls `each` with the fields of a message.
pub(crate) fn fields<'a>(
    message: &'a [u8],
    mut each: impl FnMut(Field<'a>) -> Result<(), Unreadable>,
) -> Result<(), Unreadable> {
    let mut rest = message;
    while !rest.is_empty() {
        let at = message.len() - rest.len();
        let field = field(&mut rest).ok_or_else(|| {
            Unreadable::Damaged(format!(
                "no field begins at byte {at} of a message of {} bytes",
                message.len()
            ))
        })?;
        each(field)?;
    }
    Ok(())
}

/// Takes the next field from the front.
fn field<'a>(rest: &mut &'a [u8]) -> Option<Field<'a>> {
    let key = number(rest)?;
    let content = match key & 7 {
        0 => Content::Number(number(rest)?),
        1 => Content::Eight(take(rest, 8)?.try_into().ok()?),
        BYTES => {
            let len = usize::try_from(number(rest)?).ok()?;
            Content::Bytes(take(rest, len)?)
        }
        5 => Content::Four(take(rest, 4)?.try_into().ok()?),
        _ => return None,
    };
    let number = key >> 3;
    (number != 0).then_some(Field { number, content })
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (front, behind) = rest.split_at_checked(len)?;
    *rest = behind;
    Some(front)
}

/// Takes a number of variable length from the front.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        value |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(value);
        }
    }
    None
}

impl<'a> Content<'a> {
    /// Returns the bytes, or none for a field of another kind.
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Content::Bytes(bytes) => bytes,
            _ => &[],
        }
    }

    /// Returns the text.
    pub(crate) fn text(self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    /// Returns the whole number.
    pub(crate) fn whole(self) -> i64 {
        match self {
            Content::Number(number) => number.cast_signed(),
            _ => 0,
        }
    }

    /// Appends whole numbers: one, or a packed list of them.
    pub(crate) fn wholes(self, to: &mut Vec<i64>) -> Result<(), Unreadable> {
        let Content::Bytes(mut list) = self else {
            to.push(self.whole());
            return Ok(());
        };
        while !list.is_empty() {
            let one = number(&mut list)
                .ok_or_else(|| Unreadable::Damaged("a list of numbers ends inside one".into()))?;
            to.push(one.cast_signed());
        }
        Ok(())
    }

    /// Appends the bytes of numbers of a fixed size: one, or a packed list of them.
    pub(crate) fn fixed(self, to: &mut Vec<u8>) {
        match self {
            Content::Four(bytes) => to.extend_from_slice(&bytes),
            Content::Eight(bytes) => to.extend_from_slice(&bytes),
            Content::Bytes(bytes) => to.extend_from_slice(bytes),
            Content::Number(_) => {}
        }
    }
}

/// Appends a number of variable length.
fn put_number(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// Appends a field with this content.
pub(crate) fn put(to: &mut Vec<u8>, field: u64, content: &[u8]) {
    put_number(to, field << 3 | BYTES);
    put_number(to, content.len() as u64);
    to.extend_from_slice(content);
}

/// Appends a field with a whole number.
pub(crate) fn put_int(to: &mut Vec<u8>, field: u64, value: i64) {
    put_number(to, field << 3);
    put_number(to, value.cast_unsigned());
}

/// Appends a field with a number of single precision.
pub(crate) fn put_float(to: &mut Vec<u8>, field: u64, value: f32) {
    put_number(to, field << 3 | 5);
    to.extend_from_slice(&value.to_le_bytes());
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_refused() {
        for bytes in [
            &[0xff][..],
            &[0x3a, 0xff],
            &[0x3a, 2, 0x0a],
            &[0x0b],
            &[0x02, 0],
        ] {
            assert!(fields(bytes, |_| Ok(())).is_err(), "{bytes:?}");
        }
        assert!(fields(&[], |_| Ok(())).is_ok());
    }

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = Vec::new();
        put(&mut bytes, 5, b"text");
        put_int(&mut bytes, 3, -2);
        put_float(&mut bytes, 2, 0.5);
        let mut seen = Vec::new();
        fields(&bytes, |field| {
            seen.push((field.number, field.content));
            Ok(())
        })
        .unwrap();
        assert_eq!(seen[0], (5, Content::Bytes(b"text")));
        assert_eq!((seen[1].0, seen[1].1.whole()), (3, -2));
        assert_eq!(seen[2], (2, Content::Four(0.5_f32.to_le_bytes())));
    }

    #[test]
    fn a_list_that_ends_inside_a_number_is_refused() {
        let mut all = Vec::new();
        assert!(Content::Bytes(&[1, 0x80]).wholes(&mut all).is_err());
        assert!(Content::Bytes(&[1, 0x80, 1]).wholes(&mut all).is_ok());
        assert_eq!(all, [1, 1, 128]);
    }
}
