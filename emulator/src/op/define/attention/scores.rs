//! The computation of attention: the scores of some queries at a time, their softmax, and the sums of values.

use ascendcl_sys::ACL_FLOAT;

use super::{Attention, Band, Heads};
use crate::op::call::{Input, Output};
use crate::op::normal::powers;
use crate::op::product::{Factor, Matrix, MatrixMut, multiply_alone};
use crate::op::rule::at;
use crate::op::shape::Dims;
use crate::op::sums::maximum;
use crate::op::view::{Readers, Views};
use crate::sync::cores::fill;

/// The statistics of a row of scores: the largest, and the sum of the exponentials.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row {
    pub(super) most: f64,
    pub(super) sum: f64,
}

/// Some queries of a head, and the place of their results.
struct Block<'a> {
    batch: usize,
    head: usize,
    first: usize,
    out: &'a mut [f32],
    rows: &'a mut [Row],
}

/// The number of queries whose scores are computed together.
const QUERIES: usize = 64;

/// The number of keys of half precision that are converted together: they stay in the caches.
const KEYS: usize = 256;

/// The number of multiplications for which another thread is worth its start.
const GRAIN: usize = 2 << 20;

impl Attention {
    /// Computes the results, and returns the statistics of each row. Products are computed in single precision, and sums of
    /// exponentials in double precision.
    pub(super) fn run(&self, views: &Views<'_>, out: &Output, heads: Heads) -> Vec<Row> {
        let (query, key) = (&self.query.1, &self.key.1);
        let (positions, width) = (query.positions.max(1), heads.width.max(1));
        let count = query.batches * query.heads * positions;
        let mut results = vec![0.0; count * width];
        let mut rows = vec![Row::default(); count];
        let mut blocks = Vec::new();
        let of_heads = results
            .chunks_mut(positions * width)
            .zip(rows.chunks_mut(positions));
        for (number, (results, rows)) in of_heads.enumerate() {
            let parts = results
                .chunks_mut(QUERIES * width)
                .zip(rows.chunks_mut(QUERIES));
            for (index, (out, rows)) in parts.enumerate() {
                blocks.push(Block {
                    batch: number / query.heads,
                    head: number % query.heads,
                    first: index * QUERIES,
                    out,
                    rows,
                });
            }
        }
        let readers = views.shared();
        let each = QUERIES.min(positions) * key.positions * (query.width + width);
        fill(&mut blocks, GRAIN / each.max(1), &|_, blocks| {
            blocks
                .iter_mut()
                .for_each(|block| self.block(&readers, block));
        });
        let mut to = views.output(out);
        let [of_batch, of_head, of_position, element] = heads.steps(&out.tensor);
        for (number, row) in results.chunks(width).enumerate() {
            let (head, position) = (number / positions, number % positions);
            let (batch, head) = (head / query.heads, head % query.heads);
            let first = batch * of_batch + head * of_head + position * of_position;
            to.write(first, element, row);
        }
        rows
    }

    /// Computes the results of some queries of a head.
    fn block(&self, readers: &Readers<'_>, block: &mut Block<'_>) {
        let ((query, of_query), (key, of_key), (value, of_value)) =
            (&self.query, &self.key, &self.value);
        let (size, width) = (block.rows.len(), of_value.width);
        let limit = |lengths: &[i64], size: usize| match lengths {
            [] => size,
            [one] => usize::try_from(*one).unwrap_or(0).min(size),
            _ => usize::try_from(at(lengths, block.batch))
                .unwrap_or(0)
                .min(size),
        };
        let counts = limit(&self.lengths[1], of_key.positions);
        let queries_that_count = limit(&self.lengths[0], of_query.positions);
        if counts == 0 {
            for row in &mut *block.rows {
                row.most = f64::NEG_INFINITY;
            }
            return;
        }
        let group = of_query.heads / of_key.heads.max(1);
        // The place of a part of a head, and the distances of its positions and elements.
        let part = |(input, heads): (&Input, &Heads), head: usize, first: usize| {
            let [of_batch, of_head, of_position, element] = heads.steps(&input.tensor);
            let start = block.batch * of_batch + head * of_head + first * of_position;
            (start, [of_position, element])
        };
        let most = if query.dtype() == ACL_FLOAT {
            counts
        } else {
            KEYS
        };
        let (start, steps) = part((query, of_query), block.head, block.first);
        let view = readers.input(query);
        let queries = Factor::new(&view, start, [size, of_query.width], steps);
        let mut scores = vec![0.0; size * counts];
        let (keys, values) = (readers.input(key), readers.input(value));
        for first in (0..counts).step_by(most) {
            let len = most.min(counts - first);
            let (start, steps) = part((key, of_key), block.head / group, first);
            let keys = Factor::new(&keys, start, [len, of_key.width], steps);
            let scores = MatrixMut::new(&mut scores, [size, counts]);
            let scores = scores.and_then(|scores| scores.columns(first..first + len));
            if let (Some(queries), Some(keys), Some(mut scores)) =
                (queries.matrix(), keys.matrix(), scores)
            {
                multiply_alone(queries, keys.transposed(), &mut scores, false);
            }
        }
        let mut room = vec![0.0; counts];
        for ((row, scores), index) in block
            .rows
            .iter_mut()
            .zip(scores.chunks_mut(counts))
            .zip(block.first..)
        {
            self.limit(
                readers,
                [block.batch, block.head, index],
                (queries_that_count, scores),
                &mut room,
            );
            let most = maximum(scores);
            let sum = powers(scores, most);
            *row = Row {
                most: most.into(),
                sum,
            };
            // A row without scores, and a query that does not count, has the result 0.
            if most == f32::NEG_INFINITY || index >= queries_that_count {
                scores.fill(0.0);
            }
        }
        for first in (0..counts).step_by(most) {
            let len = most.min(counts - first);
            let (start, steps) = part((value, of_value), block.head / group, first);
            let values = Factor::new(&values, start, [len, width], steps);
            let powers = Matrix::new(&scores, [size, counts]);
            let powers = powers.and_then(|powers| powers.columns(first..first + len));
            let out = MatrixMut::new(block.out, [size, width]);
            if let (Some(powers), Some(values), Some(mut out)) = (powers, values.matrix(), out) {
                multiply_alone(powers, values, &mut out, first > 0);
            }
        }
        for ((row, out), index) in block
            .rows
            .iter()
            .zip(block.out.chunks_mut(width.max(1)))
            .zip(block.first..)
        {
            if row.most == f64::NEG_INFINITY || index >= queries_that_count {
                out.fill(0.0);
            }
            // CAST: rounded.
            let factor = (1.0 / row.sum) as f32;
            if row.sum > 0.0 {
                out.iter_mut().for_each(|one| *one *= factor);
            }
        }
    }

    /// Multiplies a row of scores by the scale, adds the shift, and hides what the mask and the band hide.
    fn limit(
        &self,
        readers: &Readers<'_>,
        [batch, head, index]: [usize; 3],
        (queries, scores): (usize, &mut [f32]),
        room: &mut [f32],
    ) {
        let (query, key) = (&self.query.1, &self.key.1);
        // CAST: rounded.
        let scale = self.scale as f32;
        scores.iter_mut().for_each(|one| *one *= scale);
        let whole = [query.batches, query.heads, query.positions, key.positions];
        let whole = Dims::new(whole).unwrap_or_default();
        let read = |input: &Input, room: &mut [f32]| {
            let strides = input.tensor.strides_in(&whole);
            let step = |dim| at(strides.as_slice(), dim);
            let first = batch * step(0) + head * step(1) + index * step(2);
            readers.input(input).read(first, step(3), room);
        };
        if let Some(shift) = &self.shift {
            read(shift, room);
            // CAST: rounded.
            let factor = self.shift_scale as f32;
            for (one, shift) in scores.iter_mut().zip(&*room) {
                *one += factor * shift;
            }
        }
        if let Some(mask) = &self.mask {
            read(mask, room);
            for (one, mask) in scores.iter_mut().zip(&*room) {
                *one = if *mask == 0.0 {
                    *one
                } else {
                    f32::NEG_INFINITY
                };
            }
        }
        let keys = scores.len();
        let is_hidden = |other| self.hides(index, other, queries, keys);
        if !matches!(self.band, Band::None) {
            for (one, _) in scores
                .iter_mut()
                .zip(0..)
                .filter(|(_, other)| is_hidden(*other))
            {
                *one = f32::NEG_INFINITY;
            }
        }
    }

    /// Returns whether a query may not see a key, where so many queries and keys of the batch count.
    fn hides(&self, query: usize, key: usize, queries: usize, keys: usize) -> bool {
        // CAST: positions in a tensor.
        let distance = key as i64 - query as i64;
        let shifted = distance - (keys as i64 - queries as i64);
        match self.band {
            Band::None => false,
            Band::FromStart => distance > 0,
            Band::FromEnd(before, behind) => shifted > behind || shifted < -before,
        }
    }
}
