//! Operators on truth values alone: a table has the result for each pair of them, and a loop of vectors chooses whole bytes
//! by it.

use crate::wide::wide;

/// The results for two truth values: for both false, for only the first true, for only the second true, and for both true.
pub(super) type Table = [u8; 4];

/// The number of truth values that are read before their results are stored.
const BLOCK: usize = 512;

type Block = [u8; BLOCK];

/// Stores the results for truth values next to each other. The second operand may be the first one, and the results may
/// replace an operand.
///
/// # Safety
///
/// - So many bytes are readable at the first two addresses and writable at the third one.
/// - No other thread writes the operands, or reads or writes the results, during the call.
pub(super) unsafe fn look_up(
    [ones, others]: [*const u8; 2],
    to: *mut u8,
    count: usize,
    table: Table,
) {
    for first in (0..count).step_by(BLOCK) {
        let len = BLOCK.min(count - first);
        let (mut one, mut other) = ([0; BLOCK], [0; BLOCK]);
        for (block, from) in [(&mut one, ones), (&mut other, others)] {
            let from = from.wrapping_add(first);
            // SAFETY: the caller's contract: `first + len` is at most the count. A block has at least `len` bytes.
            unsafe { from.copy_to_nonoverlapping(block.as_mut_ptr(), len) };
        }
        choose(&mut one, &other, table);
        // SAFETY: as above.
        unsafe {
            to.wrapping_add(first)
                .copy_from_nonoverlapping(one.as_ptr(), len)
        };
    }
}

wide! {
    /// Replaces truth values by their results with others.
    fn choose(ones: &mut Block, others: &Block, table: Table) {
        let [neither, first, second, both] = table;
        for (one, other) in ones.iter_mut().zip(others) {
            let without = if *one == 0 { neither } else { first };
            let with = if *one == 0 { second } else { both };
            *one = if *other == 0 { without } else { with };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_the_result_of_its_table() {
        const COUNT: usize = BLOCK + 300;
        // CAST: a byte; any but 0 is true.
        let bytes = |factor: usize| (0..COUNT).map(move |index| (index * factor % 5) as u8 / 2);
        let (ones, others): (Vec<_>, Vec<_>) = (bytes(1).collect(), bytes(3).collect());
        for table in [[0, 0, 0, 1], [1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 1]] {
            for len in [0, 1, BLOCK, COUNT] {
                let mut results = ones.clone();
                let to = results.as_mut_ptr();
                // SAFETY: the vectors have these bytes. The first operand is replaced.
                unsafe { look_up([to.cast_const(), others.as_ptr()], to, len, table) };
                for (index, (one, other)) in ones.iter().zip(&others).enumerate() {
                    let place = usize::from(*one != 0) + 2 * usize::from(*other != 0);
                    let expected = if index < len {
                        table.get(place)
                    } else {
                        Some(one)
                    };
                    assert_eq!(results.get(index), expected);
                }
            }
        }
    }
}
