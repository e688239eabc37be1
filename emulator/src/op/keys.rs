//! Numbers as integers in the same order, and the order of such keys.

use std::mem;

/// Returns the key of a number. Equal numbers have one, and NaN has the largest.
pub(super) fn key_of(number: f64) -> i64 {
    if number.is_nan() {
        return i64::MAX;
    }
    // CAST: bits. A sum with zero has no negative zero, and the bits of a negative number count down.
    let bits = (number + 0.0).to_bits() as i64;
    bits ^ ((bits >> 63) & i64::MAX)
}

/// Returns the positions of keys in their order; equal ones keep their order. Sorts by one byte after the other, the lowest first.
pub(super) fn ordered_keys(keys: &[i64]) -> Vec<usize> {
    let mut order = Vec::from_iter(0..keys.len());
    let mut next = order.clone();
    for shift in [0, 8, 16, 24, 32, 40, 48, 56] {
        // CAST: the byte. With its sign turned, a key is ordered as a number without a sign.
        let byte = |key: i64| ((key ^ i64::MIN) >> shift) as u8;
        let mut ends = [0_usize; 256];
        for key in keys {
            if let Some(count) = ends.get_mut(usize::from(byte(*key))) {
                *count += 1;
            }
        }
        if ends.contains(&keys.len()) {
            continue;
        }
        let mut end = 0;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        for position in order.iter().rev() {
            let key = keys.get(*position).copied().unwrap_or(0);
            if let Some(end) = ends.get_mut(usize::from(byte(key))) {
                *end -= 1;
                if let Some(place) = next.get_mut(*end) {
                    *place = *position;
                }
            }
        }
        mem::swap(&mut order, &mut next);
    }
    order
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "the positions of a test are there")]
mod tests {
    use super::ordered_keys;
    use crate::op::number::Number;
    use crate::sorted::ordered;

    /// In the order of the numbers that the keys are made of, too.
    #[test]
    fn keys_are_ordered_as_by_a_comparison() {
        let mut state = 1_u64;
        for count in [0, 1, 2, 300, 5000] {
            let draw = |_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                // Few and many bits, of either sign.
                (state as i64) >> (state % 61)
            };
            let keys = Vec::from_iter((0..count).map(draw));
            let expected = ordered(count, &|one, other| keys[one].cmp(&keys[other]));
            assert_eq!(ordered_keys(&keys), expected);
        }
        let nan = f64::NAN;
        let numbers = [
            1.0,
            -0.0,
            nan,
            f64::INFINITY,
            0.0,
            -2.5,
            f64::NEG_INFINITY,
            -nan,
            5e-324,
            1e300,
        ];
        let keys = numbers.map(Number::key);
        assert_eq!(ordered_keys(&keys), [6, 5, 1, 4, 8, 0, 9, 3, 2, 7]);
    }
}
