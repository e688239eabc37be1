//! The rotation of queries and keys by their positions.

use ascendcl_sys::ACLNN_ERR_INNER_TILING_ERROR;

use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::SINGLE;
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at};
use crate::op::view::{Views, rows};
use crate::wide::wide;

definitions! {
    aclnnRotaryPositionEmbedding = rotate;
    aclnnApplyRotaryPosEmb = |call: &Call| rotate_both(call, Some(128), Pairs::Halves);
    aclnnApplyRotaryPosEmbV2 = rotate_by_mode;
}

/// The elements that are rotated together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pairs {
    /// An element of the first half, and that of the second half.
    Halves,
    /// Two neighbours.
    Neighbours,
}

impl Pairs {
    /// Returns the partner of an element, and its sign.
    pub(super) fn partner(self, index: usize, width: usize) -> (usize, f64) {
        match self {
            Pairs::Halves if index < width / 2 => (index + width / 2, -1.0),
            Pairs::Halves => (index - width / 2, 1.0),
            Pairs::Neighbours if index.is_multiple_of(2) => (index + 1, -1.0),
            Pairs::Neighbours => (index - 1, 1.0),
        }
    }

    /// Writes the rotated rows of a tensor. The angles are broadcast.
    pub(super) fn rotate(
        self,
        views: &Views<'_>,
        input: &Input,
        angles: [&Input; 2],
        out: &Output,
    ) {
        let (mut places, (_, step)) = rows(&out.tensor.shape, &out.tensor.strides);
        let mut out = views.output(out);
        self.rotated(views, input, angles, &mut |row| {
            if let Some(place) = places.next() {
                out.write(place, step, row);
            }
        });
    }

    /// Calls a function with each rotated row of a tensor. The angles are broadcast. All is read before the first call.
    fn rotated(
        self,
        views: &Views<'_>,
        input: &Input,
        [cos, sin]: [&Input; 2],
        store: &mut dyn FnMut(&[f64]),
    ) {
        let elements = views.input(input).all::<f32>();
        let (cosines, sines) = (views.input(cos).all::<f32>(), views.input(sin).all::<f32>());
        let width = input.shape().last().copied().unwrap_or(1).max(1);
        let own = cos.tensor.shape;
        let strides = own
            .contiguous_strides()
            .stretched(&own, &input.tensor.shape);
        let (angles, _) = rows(&input.tensor.shape, &strides);
        let (mut partners, mut results) = (vec![0.0_f32; width], vec![0.0; width]);
        for (row, angle) in elements.chunks_exact(width).zip(angles) {
            let angles = angle..angle + width;
            let (Some(cosines), Some(sines)) = (cosines.get(angles.clone()), sines.get(angles))
            else {
                continue;
            };
            for (index, one) in partners.iter_mut().enumerate() {
                let (partner, sign) = self.partner(index, width);
                // CAST: 1 or -1.
                *one = at(row, partner) * sign as f32;
            }
            turn(&mut results, [row, cosines], [&partners, sines]);
            store(&results);
        }
    }
}

wide! {
    /// Stores the sums of the products of two pairs of numbers.
    fn turn(results: &mut [f64], first: [&[f32]; 2], second: [&[f32]; 2]) {
        for (result, (one, other)) in results.iter_mut().zip(first[0].iter().zip(first[1])) {
            *result = f64::from(*one) * f64::from(*other);
        }
        for (result, (one, other)) in results.iter_mut().zip(second[0].iter().zip(second[1])) {
            *result += f64::from(*one) * f64::from(*other);
        }
    }
}

/// `aclnnRotaryPositionEmbedding(x, cos, sin, mode, out)`: wrong shapes and modes are errors of the tiling.
fn rotate(call: &Call) -> Result<Plan, Refusal> {
    let input = call.input("x").of(SINGLE)?;
    let factor = |name| call.input(name).of(SINGLE).like(&input);
    let (cos, sin) = (factor("cos")?, factor("sin")?);
    let out = call.output("out").like(&input)?;
    let tiling = |text: core::fmt::Arguments<'_>| Refusal::new(ACLNN_ERR_INNER_TILING_ERROR, text);
    let pairs = match call.whole("mode")? {
        0 => Pairs::Halves,
        1 => Pairs::Neighbours,
        mode => return Err(tiling(format_args!("mode is {mode}; it is 0 or 1"))),
    };
    let fits = cos.shape().len() == 4
        && sin.shape() == cos.shape()
        && input.shape().len() == 4
        && out.shape() == input.shape()
        && cos
            .shape()
            .iter()
            .zip(input.shape())
            .all(|(one, size)| *one == 1 || one == size)
        && at(cos.shape(), 3) == at(input.shape(), 3)
        && at(input.shape(), 3).is_multiple_of(2);
    if !fits {
        return Err(tiling(format_args!(
            "cos {:?}, sin {:?} and out {:?} do not fit x {:?}",
            cos.shape(),
            sin.shape(),
            out.shape(),
            input.shape()
        )));
    }
    let out = out.shaped(input.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| pairs.rotate(views, &input, [&cos, &sin], &out))
}

/// `aclnnApplyRotaryPosEmbV2(queryRef, keyRef, cos, sin, layout, rotaryMode)`
fn rotate_by_mode(call: &Call) -> Result<Plan, Refusal> {
    let pairs = match call.text("rotaryMode")? {
        Some("half") => Pairs::Halves,
        Some("interleave") => Pairs::Neighbours,
        None => return Err(Refusal::null("rotaryMode")),
        Some(other) => {
            return Err(Refusal::invalid(format_args!(
                "rotaryMode is {other:?}; it is \"half\" or \"interleave\""
            )));
        }
    };
    rotate_both(call, None, pairs)
}

/// `aclnnApplyRotaryPosEmb(queryRef, keyRef, cos, sin, layout)`
fn rotate_both(call: &Call, width: Option<usize>, pairs: Pairs) -> Result<Plan, Refusal> {
    let query = call.input("queryRef").of(SINGLE)?;
    let tensor = |name| call.input(name).like(&query);
    let (key, cos, sin) = (tensor("keyRef")?, tensor("cos")?, tensor("sin")?);
    let outs = [call.output("queryRef")?, call.output("keyRef")?];
    let layout = call.whole("layout")?;
    if layout != 1 {
        return Err(Refusal::invalid(format_args!(
            "layout is {layout}; it is 1"
        )));
    }
    let fits = |one: &Input| {
        let [batch, len, _, size] = *one.shape() else {
            return false;
        };
        cos.shape() == [batch, len, 1, size]
            && size.is_multiple_of(2)
            && width.is_none_or(|width| width == size)
    };
    if !fits(&query) || !fits(&key) || sin.shape() != cos.shape() {
        return Err(Refusal::invalid(format_args!(
            "queryRef {:?}, keyRef {:?}, cos {:?} and sin {:?} do not go together",
            query.shape(),
            key.shape(),
            cos.shape(),
            sin.shape()
        )));
    }
    call.plan(move |views| {
        let rotated = |input: &Input| {
            let mut all = Vec::with_capacity(input.elements());
            let mut add = |row: &[f64]| all.extend_from_slice(row);
            pairs.rotated(views, input, [&cos, &sin], &mut add);
            all
        };
        let results = [rotated(&query), rotated(&key)];
        for (out, results) in outs.iter().zip(&results) {
            views.output(out).put_all(results);
        }
    })
}
