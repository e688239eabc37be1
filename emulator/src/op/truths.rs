//! Operators on truth values alone: a table has the result for each pair of them, and a loop of vectors chooses whole bytes
//! by it.

/// The results for two truth values: for both false, for only the first true, for only the second true, and for both true.
pub(super) type Table = [u8; 4];

/// The number of truth values that are read before their results are stored: two vectors.
const BLOCK: usize = 64;

type Block = [u8; BLOCK];

/// Stores the results for truth values next to each other. The second operand may be the first one, and the results may
/// replace an operand.
///
/// # Safety
///
/// - So many bytes are readable at the first two addresses and writable at the third one.
/// - No other thread writes the operands, or reads or writes the results, during the call.
pub(super) unsafe fn look_up(places: [*const u8; 2], to: *mut u8, count: usize, table: Table) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        unsafe fn wide(places: [*const u8; 2], to: *mut u8, count: usize, table: Table) {
            // SAFETY: the caller's contract.
            unsafe { blocks(places, to, count, table) };
        }
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the caller's contract, and the processor has AVX2.
            return unsafe { wide(places, to, count, table) };
        }
    }
    // SAFETY: the caller's contract.
    unsafe { blocks(places, to, count, table) };
}

/// Does what [`look_up`] does. It is inlined into code for several sets of instructions.
///
/// # Safety
///
/// - The contract of [`look_up`] holds.
#[inline(always)]
unsafe fn blocks(places: [*const u8; 2], to: *mut u8, count: usize, table: Table) {
    // Whole blocks have a loop of their own: their copies are loads and stores, and no calls.
    let whole = count - count % BLOCK;
    for start in (0..whole).step_by(BLOCK) {
        let [one, other] = places;
        // SAFETY: the caller's contract: the block ends in front of `count`.
        let one = unsafe { one.wrapping_add(start).cast::<Block>().read() };
        // SAFETY: as above.
        let other = unsafe { other.wrapping_add(start).cast::<Block>().read() };
        let to = to.wrapping_add(start).cast::<Block>();
        // SAFETY: as above.
        unsafe { to.write(chosen(&one, &other, table)) };
    }
    let mut ends = [[0; BLOCK]; 2];
    for (end, from) in ends.iter_mut().zip(places) {
        let from = from.wrapping_add(whole);
        // SAFETY: the caller's contract: fewer bytes than a block are left.
        unsafe { from.copy_to_nonoverlapping(end.as_mut_ptr(), count - whole) };
    }
    let results = chosen(&ends[0], &ends[1], table);
    let to = to.wrapping_add(whole);
    // SAFETY: as above.
    unsafe { to.copy_from_nonoverlapping(results.as_ptr(), count - whole) };
}

/// Returns the results of a block.
#[inline(always)]
fn chosen(ones: &Block, others: &Block, table: Table) -> Block {
    let [neither, first, second, both] = table;
    // The bit that one operand alone changes, the other one, and both together.
    let (of_one, of_other) = (neither ^ first, neither ^ second);
    let of_both = of_one ^ second ^ both;
    let mut results = [0; BLOCK];
    for index in 0..BLOCK {
        #[expect(clippy::indexing_slicing, reason = "all have the length of the loop")]
        let (result, one, other) = (&mut results[index], ones[index], others[index]);
        let (one, other) = (one.min(1), other.min(1));
        *result = neither ^ one & of_one ^ other & of_other ^ one & other & of_both;
    }
    results
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
