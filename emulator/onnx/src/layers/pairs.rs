//! Sums and products of images, and other layers that compute each number by itself.

use super::act::Act;
use super::map::{Map, Room, lines};
use super::product::LANES;

/// A function of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pair {
    Sum,
    Product,
}

/// The numbers of a line that is computed at a time.
const LINE: usize = 1 << 12;

/// Applies a function to images.
pub(super) fn act(map: &mut Map, act: Act) {
    if act != Act::NONE {
        lines(map.all_mut(), LINE, 4, &|_, line| act.apply(line));
    }
}

/// Returns the same images.
pub(super) fn copy(room: &mut Room, from: &Map) -> Map {
    let mut data = room.take(from.all().len());
    data[..from.all().len()].copy_from_slice(from.all());
    Map { data, ..*from }
}

/// Multiplies each channel by a number and adds another one.
pub(super) fn scale(room: &mut Room, from: &Map, by: &[f32], plus: &[f32]) -> Result<Map, String> {
    let channels = from.shape[3];
    let whole = |all: &[f32]| match all {
        [one] => Ok(vec![*one; channels]),
        all if all.len() == channels => Ok(all.to_vec()),
        all => Err(format!(
            "{} numbers are not those of {channels} channels",
            all.len()
        )),
    };
    let (by, plus) = (whole(by)?, whole(plus)?);
    let mut result = Map::new(room, from.shape, from.rank);
    let (step, width) = (result.step, from.step);
    lines(result.all_mut(), step, 2, &|pixel, to| {
        let from = &from.all()[pixel * width..][..channels];
        for (at, to) in to[..channels].iter_mut().enumerate() {
            *to = from[at] * by[at] + plus[at];
        }
    });
    Ok(result)
}

/// Computes each number of two images, of which one can be repeated along dimensions of size 1.
pub(super) fn pair(room: &mut Room, pair: Pair, left: &Map, right: &Map) -> Result<Map, String> {
    let mut shape = [0; 4];
    for (at, to) in shape.iter_mut().enumerate() {
        *to = match (left.shape[at], right.shape[at]) {
            (a, b) if a == b || b == 1 => a,
            (1, b) => b,
            _ => {
                return Err(format!(
                    "its operands have the shapes {:?} and {:?}",
                    left.shape, right.shape
                ));
            }
        };
    }
    if left.rank != right.rank {
        return Err(format!(
            "its operands have {} and {} dimensions",
            left.rank, right.rank
        ));
    }
    let one = |a: f32, b: f32| match pair {
        Pair::Sum => a + b,
        Pair::Product => a * b,
    };
    let mut result = Map::new(room, shape, left.rank);
    if left.shape == right.shape && [left.step, right.step] == [result.step; 2] {
        lines(result.all_mut(), LINE, 1, &|number, to| {
            let both = left.all()[number * LINE..]
                .iter()
                .zip(&right.all()[number * LINE..]);
            for (to, (a, b)) in to.iter_mut().zip(both) {
                *to = one(*a, *b);
            }
        });
        return Ok(result);
    }
    let [_, h, w, c] = shape;
    let step = result.step;
    lines(result.all_mut(), step, 2, &|pixel, to| {
        let (n, y, x) = (pixel / (h * w), pixel / w % h, pixel % w);
        let of = |map: &Map| {
            let [images, rows, columns, channels] = map.shape;
            let at = |at: usize, size: usize| if size == 1 { 0 } else { at };
            let pixel = (at(n, images) * rows + at(y, rows)) * columns + at(x, columns);
            (pixel * map.step, usize::from(channels > 1))
        };
        let ((a, by_a), (b, by_b)) = (of(left), of(right));
        let (a, b) = (&left.all()[a..], &right.all()[b..]);
        if by_a == 1 && by_b == 1 {
            for ((to, a), b) in to[..c].iter_mut().zip(a).zip(b) {
                *to = one(*a, *b);
            }
        } else {
            for (at, to) in to[..c].iter_mut().enumerate() {
                *to = one(a[at * by_a], b[at * by_b]);
            }
        }
    });
    Ok(result)
}

/// Joins images along their channels.
pub(super) fn concat(room: &mut Room, all: &[&Map]) -> Result<Map, String> {
    let Some(first) = all.first() else {
        return Err("it has no operands".to_owned());
    };
    let [n, h, w, _] = first.shape;
    if all
        .iter()
        .any(|one| one.shape[..3] != [n, h, w] || one.rank != first.rank)
    {
        let shapes: Vec<_> = all.iter().map(|one| one.shape).collect();
        return Err(format!("its operands have the shapes {shapes:?}"));
    }
    let channels: usize = all.iter().map(|one| one.shape[3]).sum();
    let mut result = Map::new(room, [n, h, w, channels], first.rank);
    debug_assert!(result.step.is_multiple_of(LANES));
    let step = result.step;
    lines(result.all_mut(), step, 1, &|pixel, to| {
        let mut rest = to;
        for one in all {
            let (part, others) = rest.split_at_mut(one.shape[3]);
            part.copy_from_slice(&one.all()[pixel * one.step..][..part.len()]);
            rest = others;
        }
    });
    Ok(result)
}
