//! Sums of elements with weights along dimensions, one after the other: images of other sizes, means of windows, and their
//! gradients.

use ascendcl_sys::{ACL_DOUBLE, ACL_FLOAT};

use crate::op::call::{Input, Output};
use crate::op::rule::{at, put};
use crate::op::stored::rounded_to_odd;
use crate::op::view::Views;
use crate::wide::wide;

/// The places along a dimension of the elements that become one, with their weights.
pub(super) type Taps = Vec<(usize, f64)>;

/// How the elements of a result come from those along one dimension of an operand.
pub(super) struct Sums {
    /// The size of the operand.
    size: usize,
    /// The places of all elements of the result, one after the other, and the number of them up to the end of each element.
    near: Taps,
    ends: Vec<usize>,
    /// Whether each element has two places.
    are_pairs: bool,
    /// Parts of the result, one after the other.
    parts: Vec<Part>,
}

/// The number of lines that get their sums together: the places and weights are read once for all of them.
const LINES: usize = 4;

/// So many elements of a result that follow each other. If each is one of the operand, all with the same weight, the first place and
/// the weight are here.
struct Part {
    len: usize,
    run: Option<(usize, f64)>,
}

impl Sums {
    /// Makes the sums of an operand of this size.
    pub(super) fn new(size: usize, taps: &[Taps]) -> Self {
        let (mut near, mut ends) = (Vec::new(), Vec::with_capacity(taps.len()));
        let mut parts: Vec<Part> = Vec::new();
        for taps in taps {
            near.extend_from_slice(taps);
            ends.push(near.len());
            let run = match taps.as_slice() {
                [one] => Some(*one),
                _ => None,
            };
            let goes_on = |part: &Part| match (part.run, run) {
                (None, None) => true,
                (Some((first, own)), Some((place, weight))) => {
                    first + part.len == place && own == weight
                }
                _ => false,
            };
            match parts.last_mut() {
                Some(part) if goes_on(part) => part.len += 1,
                _ => parts.push(Part { len: 1, run }),
            }
        }
        Self {
            size,
            near,
            ends,
            are_pairs: taps.iter().all(|taps| taps.len() == 2),
            parts,
        }
    }

    /// Makes the sums for the gradient of an operand of this size, whose elements went to a result as the lists say.
    #[cfg(feature = "training")]
    pub(super) fn back(size: usize, taps: &[Taps]) -> Self {
        let mut near = vec![Taps::new(); size];
        for (index, taps) in taps.iter().enumerate() {
            for (place, weight) in taps {
                if let Some(near) = near.get_mut(*place) {
                    near.push((index, *weight));
                }
            }
        }
        Self::new(taps.len(), &near)
    }

    /// Returns the sums, where `inner` numbers belong to each element.
    fn of(&self, numbers: &[f64], inner: usize) -> Vec<f64> {
        let (from, to) = ((self.size * inner).max(1), self.ends.len() * inner);
        let mut results = vec![0.0; numbers.len() / from * to];
        if inner == 1 && self.are_pairs {
            let (pairs, _) = self.near.as_chunks::<2>();
            let groups = numbers.chunks(LINES * from);
            for (numbers, results) in groups.zip(results.chunks_mut((LINES * to).max(1))) {
                store_pairs(results, numbers, pairs, from);
            }
            return results;
        }
        let blocks = numbers.chunks(from).zip(results.chunks_mut(to.max(1)));
        for (numbers, results) in blocks {
            if inner == 1 {
                self.store_line(results, numbers);
                continue;
            }
            let mut begin = 0;
            for (results, end) in results.chunks_mut(inner).zip(&self.ends) {
                let line = |place: usize| numbers.get(place * inner..(place + 1) * inner);
                for (place, weight) in self.near.get(begin..*end).unwrap_or_default() {
                    add_weighted(results, line(*place).unwrap_or_default(), *weight);
                }
                begin = *end;
            }
        }
        results
    }

    /// Stores the sums of a line.
    fn store_line(&self, mut results: &mut [f64], numbers: &[f64]) {
        let mut done = 0;
        for part in &self.parts {
            let Some((own, behind)) = results.split_at_mut_checked(part.len) else {
                return;
            };
            results = behind;
            if let Some((place, weight)) = part.run {
                let numbers = numbers.get(place..place + part.len);
                add_weighted(own, numbers.unwrap_or_default(), weight);
            } else {
                let ends = self.ends.get(done..done + part.len).unwrap_or_default();
                let begin = done.checked_sub(1).and_then(|one| self.ends.get(one));
                singles(own, numbers, &self.near, ends, begin.copied().unwrap_or(0));
            }
            done += part.len;
        }
    }
}

wide! {
    /// Stores the sum of each element, whose places end at these of `near`.
    fn singles(results: &mut [f64], numbers: &[f64], near: &[(usize, f64)], ends: &[usize], first: usize) {
        let mut begin = first;
        for (result, end) in results.iter_mut().zip(ends) {
            let number = |(place, weight): &(usize, f64)| {
                numbers.get(*place).copied().unwrap_or(0.0) * weight
            };
            // Without a loop the processor begins with the next sum before this one is there.
            *result = match near.get(begin..*end).unwrap_or_default() {
                [a] => number(a),
                [a, b] => number(a) + number(b),
                [a, b, c, d] => number(a) + number(b) + number(c) + number(d),
                // The sum of nothing would be -0.
                near => near.iter().map(number).fold(0.0, |sum, one| sum + one),
            };
            begin = *end;
        }
    }

    /// Stores the sums of a few lines, which have `size` numbers each. Each sum has two terms.
    fn store_pairs(results: &mut [f64], numbers: &[f64], pairs: &[[(usize, f64); 2]], size: usize) {
        let mut lines = numbers.chunks(size);
        let mut results = results.chunks_mut(pairs.len().max(1));
        let mut next = || (lines.next().unwrap_or_default(), results.next().unwrap_or_default());
        let (one, two, three, four) = (next(), next(), next(), next());
        for (index, [first, second]) in pairs.iter().enumerate() {
            // A line that is not there has no place for its sum.
            let sum = |line: &[f64]| at(line, first.0) * first.1 + at(line, second.0) * second.1;
            put(one.1, index, sum(one.0));
            put(two.1, index, sum(two.0));
            put(three.1, index, sum(three.0));
            put(four.1, index, sum(four.0));
        }
    }

    /// Adds numbers, each times a weight.
    fn add_weighted(sums: &mut [f64], numbers: &[f64], weight: f64) {
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += weight * number;
        }
    }

    /// Stores numbers in single precision. Those that become halves are rounded then.
    pub(super) fn store(results: &mut [f32], numbers: &[f64], are_halves: bool) {
        let pairs = results.iter_mut().zip(numbers);
        if are_halves {
            for (result, one) in pairs {
                *result = rounded_to_odd(*one);
            }
            return;
        }
        for (result, one) in pairs {
            // CAST: rounded once.
            *result = *one as f32;
        }
    }
}

/// Stores the sums along the last dimensions, divided by a number. An image is computed before the next one, so that it stays in
/// the caches.
pub(super) fn store_sums(
    views: &Views<'_>,
    (input, out): (&Input, &Output),
    axes: &[Sums],
    divisor: f64,
) {
    let sums = |mut numbers: Vec<f64>| {
        for (index, axis) in axes.iter().enumerate() {
            let behind = axes.iter().skip(index + 1).map(|axis| axis.size);
            numbers = axis.of(&numbers, behind.product());
        }
        if divisor != 1.0 {
            numbers.iter_mut().for_each(|one| *one /= divisor);
        }
        numbers
    };
    let view = views.input(input);
    if out.dtype() == ACL_DOUBLE {
        let mut results = sums(view.all());
        results.resize(out.elements(), 0.0);
        return views.output(out).put_all(&results);
    }
    // SAFETY: `fill_singles` writes where no operand has memory, or behind the last use of these elements.
    let numbers = unsafe { view.numbers::<f32>() };
    let from: usize = axes.iter().map(|axis| axis.size).product();
    let to: usize = axes.iter().map(|axis| axis.ends.len()).product();
    let are_halves = out.dtype() != ACL_FLOAT;
    // Lines are computed together.
    let count = if axes.len() == 1 { LINES } else { 1 };
    fill_singles(views, out, &[input.slot], |results| {
        let mut images = numbers.chunks((from * count).max(1));
        for results in results.chunks_mut((to * count).max(1)) {
            let Some(image) = images.next() else {
                results.fill(0.0);
                continue;
            };
            let image = Vec::from_iter(image.iter().map(|one| f64::from(*one)));
            store(results, &sums(image), are_halves);
        }
    });
}

/// Calls a function that stores all elements of an output: where they lie if they are of single precision and no operand has this
/// memory.
pub(super) fn fill_singles(
    views: &Views<'_>,
    out: &Output,
    operands: &[usize],
    compute: impl FnOnce(&mut [f32]),
) {
    let mut to = views.output(out);
    let is_alone = views.is_alone(out.slot, operands);
    // SAFETY: no operand has this memory, and the output has one view.
    let own = is_alone.then(|| unsafe { to.own() }).flatten();
    if let Some(results) = own {
        return compute(results);
    }
    let mut results = vec![0.0; out.elements()];
    compute(&mut results);
    to.put_all(&results);
}

#[cfg(test)]
mod tests {
    use super::Sums;

    #[test]
    fn an_element_without_places_is_zero_and_not_less() {
        let sums = Sums::new(
            2,
            &[vec![(0, 1.0), (1, 1.0), (0, 1.0)], vec![], vec![(1, 2.0)]],
        );
        let results = sums.of(&[1.0, 2.0], 1);
        assert_eq!(
            results.iter().map(|one| one.to_bits()).collect::<Vec<_>>(),
            [4.0_f64, 0.0, 4.0].map(f64::to_bits)
        );
    }
}
