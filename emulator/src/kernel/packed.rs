//! Packed arguments: the bytes of all arguments, each at the offset where the kernel looks for it.

use std::ops::Range;
use std::slice;

use super::registered::Kernel;
use crate::results::{every, list_of};

/// The bytes of a word.
const WORD: usize = size_of::<u64>();

/// The largest number of bytes of arguments with the data of their placeholders. That of the runtime is not known; arguments
/// are small, and a larger number is a mistake.
pub(super) const MOST: usize = 1 << 20;

/// Bytes at an address that every argument is aligned to.
#[derive(Debug, Clone)]
pub(super) struct Packed {
    words: Vec<u64>,
    /// The number of bytes that have a meaning.
    len: usize,
}

/// A pointer among the arguments whose data lie behind them.
#[derive(Debug, Clone)]
pub(super) struct Placeholder {
    /// The number of the parameter.
    pub(super) parameter: usize,
    /// The bytes of the data.
    pub(super) data: Range<usize>,
}

impl Packed {
    /// Makes room for arguments, all of them 0.
    pub(super) fn new(len: usize) -> Packed {
        Packed {
            words: vec![0; len.div_ceil(WORD)],
            len,
        }
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Packed {
        let mut packed = Packed::new(bytes.len());
        packed.put(0, bytes);
        packed
    }

    pub(super) fn bytes(&self) -> &[u8] {
        let all = self.words.as_ptr().cast::<u8>();
        // SAFETY: the words have these bytes (`new`), all of them initialised, and live as long as the result.
        unsafe { slice::from_raw_parts(all, self.len) }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        let all = self.words.as_mut_ptr().cast::<u8>();
        // SAFETY: the words have these bytes (`new`), all of them initialised; nobody else has access meanwhile.
        unsafe { slice::from_raw_parts_mut(all, self.len) }
    }

    /// Stores bytes at an offset. Nothing is stored beyond the end.
    pub(super) fn put(&mut self, offset: usize, bytes: &[u8]) {
        let room = self.bytes_mut().get_mut(offset..offset + bytes.len());
        if let Some(room) = room {
            room.copy_from_slice(bytes);
        }
    }

    /// Returns the word at an offset, as an address; 0 beyond the end.
    pub(super) fn word(&self, offset: usize) -> usize {
        let bytes = self.bytes().get(offset..offset + WORD);
        let word = bytes.and_then(|bytes| bytes.try_into().ok());
        word.map_or(0, usize::from_ne_bytes)
    }

    /// Returns the place of a byte. It is valid for reads and writes up to the end of the arguments, as long as they are
    /// neither moved nor used otherwise.
    pub(super) fn pointer(&mut self, offset: usize) -> *mut u8 {
        self.words.as_mut_ptr().cast::<u8>().wrapping_add(offset)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// Checks a number of bytes, before anything is read.
pub(super) fn check_size(bytes: usize) -> Result<(), String> {
    if bytes <= MOST {
        return Ok(());
    }
    Err(format!(
        "the arguments shall have {bytes} bytes, and at most {MOST} are taken; pass large data in device memory"
    ))
}

/// Checks the size of packed arguments, and finds the parameters of their placeholders. `places` has the offset of each
/// pointer with that of its data.
pub(super) fn check(
    kernel: &Kernel,
    packed: &Packed,
    places: &[(usize, usize)],
) -> Result<Vec<Placeholder>, String> {
    let (name, len) = (&kernel.name, packed.len());
    let starts = list_of(places.iter().map(|(_, data)| *data));
    if let Some(start) = starts.iter().find(|start| **start > len) {
        return Err(format!(
            "the data of a placeholder of {name} begin at byte {start}, behind the end of {len} bytes"
        ));
    }
    let end = starts.iter().copied().min().unwrap_or(len);
    // A structure of C is padded to the alignment of its members.
    let most = kernel.end.next_multiple_of(WORD).max(WORD);
    if end < kernel.end || end > most {
        let count = kernel.parameters.len();
        let behind = if places.is_empty() {
            ""
        } else {
            " in front of the data of placeholders"
        };
        return Err(format!(
            "{name} has {count} parameters in {} bytes, and the launch passes {end} bytes{behind}; pass each argument at \
             the offset of its parameter (aclrtFunctionGetParamInfo)",
            kernel.end
        ));
    }
    let placed = places.iter().map(|(offset, start)| {
        let parameter = kernel
            .pointers()
            .find(|(_, one)| one.offset == *offset)
            .map(|(number, _)| number);
        let Some(parameter) = parameter else {
            return Err(format!(
                "a placeholder is at byte {offset} of the arguments of {name}, where no pointer is"
            ));
        };
        // The data of a placeholder end where those of another one begin.
        let next = starts.iter().filter(|next| *next > start).min();
        Ok(Placeholder {
            parameter,
            data: *start..next.copied().unwrap_or(len),
        })
    });
    every(placed)
}
