//! Spans of kernels that lie in several mappings of the program, each with physical memory of its own.
//!
//! A kernel takes memory that is adjacent. So it gets a copy of such a span. What it changes there is written back.

use std::ptr;
use std::sync::{Arc, PoisonError};

use crate::engine::kernel::{Kernel, Mapped, Span};
use crate::space::{first_mapping, space};

/// The alignment of the copies: that of the memory of a device.
const ALIGNMENT: usize = 4096;

/// Returns the pieces of spans, and how many pieces each span has. `None` if each of them is in one allocation.
pub(crate) fn cut(spans: &[Span]) -> Option<(Vec<Span>, Vec<usize>)> {
    let (window, size) = space().window();
    let is_any = |span: &Span| span.address.wrapping_sub(window) < size;
    spans.iter().any(is_any).then(|| cut_mapped(spans))?
}

#[cold]
fn cut_mapped(spans: &[Span]) -> Option<(Vec<Span>, Vec<usize>)> {
    let mappings = space().mappings().read();
    let mappings = mappings.unwrap_or_else(PoisonError::into_inner);
    let (mut pieces, mut counts) = (Vec::new(), Vec::new());
    for span in spans {
        let (before, mut done) = (pieces.len(), 0);
        loop {
            let (address, left) = (span.address.wrapping_add(done), span.len - done);
            // What no mapping covers is one piece, whose lookup fails.
            let len = first_mapping(&mappings, address, left).unwrap_or(left);
            pieces.push(Span {
                address,
                len,
                ..*span
            });
            done += len;
            if done >= span.len {
                break;
            }
        }
        counts.push(pieces.len() - before);
    }
    (pieces.len() > spans.len()).then_some((pieces, counts))
}

/// Makes a kernel for pieces of a kernel for whole spans.
pub(crate) fn gathered(counts: Vec<usize>, kernel: Kernel) -> Kernel {
    Arc::new(move |pieces: &[Mapped]| {
        let mut rest = pieces;
        let mut copies = Vec::new();
        let mut spans = Vec::with_capacity(counts.len());
        for count in &counts {
            let Some((these, others)) = rest.split_at_checked(*count) else {
                return;
            };
            rest = others;
            let (pointer, len) = match these {
                [one] => (one.pointer, one.len),
                several => {
                    let mut copy = Copied::of(several);
                    let whole = (copy.now(), copy.before.len());
                    copies.push((copy, several));
                    whole
                }
            };
            spans.push(Mapped { pointer, len });
        }
        kernel(&spans);
        for (copy, to) in &mut copies {
            copy.write_back(to);
        }
    })
}

/// A copy of a span.
struct Copied {
    before: Vec<u8>,
    /// The copy that the kernel gets, and what is in front of it for its alignment.
    now: Vec<u8>,
    start: usize,
}

impl Copied {
    fn of(pieces: &[Mapped]) -> Copied {
        let mut before = Vec::new();
        for piece in pieces {
            let start = before.len();
            before.resize(start + piece.len, 0);
            // SAFETY: the piece is valid for reads of `len` bytes (the invariant of `Mapped`), and the list has room for them.
            unsafe {
                ptr::copy_nonoverlapping(
                    piece.pointer,
                    before.as_mut_ptr().wrapping_add(start),
                    piece.len,
                );
            };
        }
        let mut now = vec![0; before.len() + ALIGNMENT];
        // The copy is aligned as the span is.
        let first = pieces.first().map_or(0, |piece| piece.pointer.addr());
        let start = first.wrapping_sub(now.as_ptr().addr()) % ALIGNMENT;
        if let Some(to) = now.get_mut(start..start + before.len()) {
            to.copy_from_slice(&before);
        }
        Copied { before, now, start }
    }

    fn now(&mut self) -> *mut u8 {
        self.now.as_mut_ptr().wrapping_add(self.start)
    }

    /// Writes the bytes that the kernel has changed. Others may be elements of another operand.
    fn write_back(&self, pieces: &[Mapped]) {
        let mut place = 0;
        for piece in pieces {
            for index in 0..piece.len {
                let bytes = self.now.get(self.start + place).zip(self.before.get(place));
                place += 1;
                if let Some((now, before)) = bytes
                    && now != before
                {
                    // SAFETY: a byte of the piece, which is valid for writes (the invariant of `Mapped`).
                    unsafe { piece.pointer.wrapping_add(index).write(*now) };
                }
            }
        }
    }
}
