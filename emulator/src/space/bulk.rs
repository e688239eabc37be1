//! Copying bytes: small ranges with the C library, large ranges with stores that bypass the caches.
//!
//! A range that does not fit into the caches is read from memory and written to memory. Ordinary stores read each
//! line of the destination before they write it; this is a third of the traffic, for nothing. The C library avoids it
//! above a threshold, but it takes the threshold from the cache size that the processor reports. A virtual machine
//! may report ten times the cache that it has.

/// The number of bytes from which on a copy bypasses the caches. Measured with a cache of 32 MiB: at this size both
/// methods are equal, and below it ordinary stores are up to twice as fast.
const STREAM_FROM: usize = 16 << 20;

/// Copies bytes between ranges that may overlap.
///
/// # Safety
///
/// - `from` is valid for reads and `to` for writes of `count` bytes.
#[inline]
pub(crate) unsafe fn copy(to: *mut u8, from: *const u8, count: usize) {
    if count >= STREAM_FROM && from.addr().abs_diff(to.addr()) >= count {
        // SAFETY: the caller's contract; the distance of the ranges is at least their length.
        return unsafe { copy_large(to, from, count) };
    }
    // SAFETY: the caller's contract.
    unsafe { from.copy_to(to, count) };
}

/// # Safety
///
/// - The contract of [`copy`] holds, and the ranges do not overlap.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn copy_large(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: the caller's contract.
    unsafe { from.copy_to_nonoverlapping(to, count) };
}

/// # Safety
///
/// - The contract of [`copy`] holds, and the ranges do not overlap.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
unsafe fn copy_large(to: *mut u8, from: *const u8, count: usize) {
    use std::arch::x86_64::__m128i;
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch, _mm_sfence, _mm_stream_si128};

    /// The bytes of a step: a cache line.
    const LINE: usize = 64;
    /// The bytes in which the processor fetches ahead by itself.
    const PAGE: usize = 4096;
    /// The bytes of pages that are copied together, line by line: several are read at once, which is up to twice as fast as one
    /// behind the other.
    const BLOCK: usize = 4 * PAGE;

    // Stores that bypass the caches write whole lines.
    let head = to.align_offset(LINE).min(count);
    // SAFETY: these are the first `head` bytes of both ranges.
    unsafe { from.copy_to_nonoverlapping(to, head) };
    let blocks = (count - head) / BLOCK;
    for block in 0..blocks {
        for line in 0..PAGE / LINE {
            for page in 0..BLOCK / PAGE {
                let offset = head + block * BLOCK + page * PAGE + line * LINE;
                let (from, to) = (from.wrapping_add(offset), to.wrapping_add(offset));
                // SAFETY: a prefetch does not access memory, so its address may be beyond the end.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add(BLOCK).cast()) };
                // SAFETY: the block of the source has this line; all bit patterns are valid vectors.
                let bytes = unsafe { from.cast::<[__m128i; 4]>().read_unaligned() };
                for (part, bytes) in bytes.into_iter().enumerate() {
                    let to = to.cast::<__m128i>().wrapping_add(part);
                    // SAFETY: the block of the destination has this line, and it is aligned, because the head was
                    // copied before.
                    unsafe { _mm_stream_si128(to, bytes) };
                }
            }
        }
    }
    // The copy is complete before all later stores.
    // SAFETY: SSE belongs to the baseline of x86-64.
    unsafe { _mm_sfence() };
    let done = head + blocks * BLOCK;
    // SAFETY: these are the remaining bytes of both ranges.
    unsafe {
        from.wrapping_add(done)
            .copy_to_nonoverlapping(to.wrapping_add(done), count - done);
    }
}

/// Fills memory with a word.
///
/// # Safety
///
/// - `count` words at `to` are valid for writes. They may be unaligned.
pub(crate) unsafe fn fill_words(to: *mut u8, value: u32, count: usize) {
    for index in 0..count {
        // SAFETY: inside the range, by the caller's contract.
        let word = unsafe { to.add(index * size_of::<u32>()) };
        // SAFETY: inside the range, by the caller's contract.
        unsafe { word.cast::<u32>().write_unaligned(value) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns bytes without a short period, so that a misplaced copy is noticed.
    fn pattern(len: usize) -> Vec<u8> {
        let mut bytes = (0..251).collect::<Vec<u8>>().repeat(len / 251 + 1);
        bytes.truncate(len);
        bytes
    }

    #[test]
    fn a_large_copy_is_whole_at_any_alignment() {
        let from = pattern(STREAM_FROM + 300);
        for (to_offset, from_offset, len) in [
            (0, 0, STREAM_FROM),
            (1, 0, STREAM_FROM + 63),
            (63, 17, STREAM_FROM + 130),
        ] {
            let mut to = vec![0xff; STREAM_FROM + 300];
            let start = to.as_mut_ptr().wrapping_add(to_offset);
            // SAFETY: inside both vectors.
            unsafe { copy(start, from.as_ptr().wrapping_add(from_offset), len) };
            let end = to_offset + len;
            let copied = from.get(from_offset..from_offset + len);
            assert!(copied.is_some() && to.get(to_offset..end) == copied);
            let beside = to
                .iter()
                .take(to_offset)
                .chain(to.get(end..).unwrap_or_default());
            assert!(beside.copied().all(|byte| byte == 0xff), "wrote beside");
        }
    }

    #[test]
    fn a_large_copy_onto_itself_is_whole() {
        let expected = pattern(STREAM_FROM);
        for shift in [1, 64, 4096] {
            let mut bytes = expected.clone();
            bytes.resize(STREAM_FROM + shift, 0);
            let start = bytes.as_mut_ptr();
            // SAFETY: both ranges lie in the vector.
            unsafe { copy(start.wrapping_add(shift), start, STREAM_FROM) };
            assert!(bytes.ends_with(&expected));
            // SAFETY: both ranges lie in the vector.
            unsafe { copy(start, start.wrapping_add(shift), STREAM_FROM) };
            assert!(bytes.starts_with(&expected));
        }
    }
}
