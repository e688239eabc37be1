//! The form of numbers and texts in the messages between processes.
//!
//! Both ends are the emulator on one machine, so numbers have the order of bytes of this machine.

use crate::results::list_of;
use std::io::{self, Error, ErrorKind, Read};

/// The longest head of a message.
const MOST: usize = 64 << 20;

/// Writes the fields of a message one after the other.
#[derive(Debug, Default)]
pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn byte(mut self, number: u8) -> Writer {
        self.0.push(number);
        self
    }

    pub(super) fn long(mut self, number: u64) -> Writer {
        self.0.extend(number.to_ne_bytes());
        self
    }

    pub(super) fn bytes(self, bytes: &[u8]) -> Writer {
        let mut writer = self.long(bytes.len() as u64);
        writer.0.extend(bytes);
        writer
    }

    pub(super) fn longs(self, numbers: impl ExactSizeIterator<Item = u64>) -> Writer {
        let writer = self.long(numbers.len() as u64);
        numbers.fold(writer, Writer::long)
    }

    /// Returns the message with its length in front, and the number of bytes that follow it.
    pub(super) fn end(self, following: usize) -> Vec<u8> {
        let head = Writer::default().long(self.0.len() as u64);
        let mut message = head.long(following as u64).0;
        message.extend(self.0);
        message
    }
}

/// Reads the fields of a message one after the other.
#[derive(Debug)]
pub(super) struct Reader<'a>(&'a [u8]);

/// The error of a message with another form.
pub(super) fn malformed() -> Error {
    Error::from(ErrorKind::InvalidData)
}

impl<'a> Reader<'a> {
    pub(super) fn new(message: &'a [u8]) -> Reader<'a> {
        Reader(message)
    }

    fn take(&mut self, len: usize) -> io::Result<&'a [u8]> {
        let (field, rest) = self.0.split_at_checked(len).ok_or_else(malformed)?;
        self.0 = rest;
        Ok(field)
    }

    pub(super) fn byte(&mut self) -> io::Result<u8> {
        self.take(1)?.first().copied().ok_or_else(malformed)
    }

    pub(super) fn long(&mut self) -> io::Result<u64> {
        let field = self.take(8)?.first_chunk().ok_or_else(malformed)?;
        Ok(u64::from_ne_bytes(*field))
    }

    /// Reads a number of a smaller type.
    pub(super) fn number<T: TryFrom<u64>>(&mut self) -> io::Result<T> {
        T::try_from(self.long()?).map_err(|_| malformed())
    }

    pub(super) fn bytes(&mut self) -> io::Result<&'a [u8]> {
        let len = self.number()?;
        self.take(len)
    }

    pub(super) fn text(&mut self) -> io::Result<String> {
        let text = std::str::from_utf8(self.bytes()?).map_err(|_| malformed())?;
        Ok(text.to_owned())
    }

    pub(super) fn longs(&mut self) -> io::Result<Vec<u64>> {
        let count: usize = self.number()?;
        let bytes = count.checked_mul(8).ok_or_else(malformed)?;
        let (numbers, _) = self.take(bytes)?.as_chunks();
        Ok(list_of(numbers.iter().copied().map(u64::from_ne_bytes)))
    }
}

/// Reads a message, and the bytes that follow it.
pub(super) fn read(from: &mut impl Read) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (head, following) = lengths(from)?;
    if head > MOST {
        return Err(malformed());
    }
    Ok((exactly(from, head as u64)?, exactly(from, following)?))
}

/// The longest greeting.
const MOST_OF_GREETING: usize = 1 << 20;

/// Reads a message of somebody who may be no rank. No bytes follow it.
pub(super) fn greeting(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let (head, following) = lengths(from)?;
    if head > MOST_OF_GREETING || following > 0 {
        return Err(malformed());
    }
    exactly(from, head as u64)
}

fn lengths(from: &mut impl Read) -> io::Result<(usize, u64)> {
    let mut lengths = [0; 16];
    from.read_exact(&mut lengths)?;
    let mut lengths = Reader::new(&lengths);
    Ok((lengths.number()?, lengths.long()?))
}

/// The most memory that is allocated before any byte has come.
const FIRST: u64 = 1 << 20;

/// Reads so many bytes. The memory grows as they come, so a wrong length allocates little.
fn exactly(from: &mut impl Read, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(len.min(FIRST) as usize);
    from.take(len).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == len {
        Ok(bytes)
    } else {
        Err(Error::from(ErrorKind::UnexpectedEof))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let writer = Writer::default().byte(7).bytes(b"name").long(1 << 40);
        let mut sent = writer.longs([3, 4].into_iter()).end(2);
        sent.extend(b"xy");
        let (head, rest) = read(&mut sent.as_slice()).unwrap();
        assert_eq!(rest, b"xy");
        let mut head = Reader::new(&head);
        assert_eq!(
            (head.byte().unwrap(), head.text().unwrap()),
            (7, "name".to_owned())
        );
        assert!(head.number::<u32>().is_err(), "too large");
        assert_eq!(head.longs().unwrap(), [3, 4]);
        assert!(head.byte().is_err(), "over");
    }

    #[test]
    fn short_and_wrong_messages_are_refused() {
        let sent = Writer::default().bytes(b"name").end(5);
        for len in 0..sent.len() {
            assert!(read(&mut sent.get(..len).unwrap()).is_err(), "{len}");
        }
        let long = Writer::default().long(u64::MAX).0;
        assert!(Reader::new(&long).bytes().is_err());
        assert!(Reader::new(&long).longs().is_err());
        assert!(read(&mut [0xff; 64].as_slice()).is_err());
        assert!(greeting(&mut sent.as_slice()).is_err(), "bytes follow");
        let sent = Writer::default().bytes(b"name").end(0);
        assert!(greeting(&mut sent.as_slice()).is_ok());
    }
}
