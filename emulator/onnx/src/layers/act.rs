//! Functions of one number, which follow a layer.

use rten_simd::SimdUnaryOp;
use rten_vecmath::{LeakyRelu, Sigmoid, Silu};

/// A function of one number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Act {
    /// Takes numbers below the first bound or above the second one to it.
    Bounds(f32, f32),
    Leaky(f32),
    Sigmoid,
    /// A number times its sigmoid.
    Silu,
    /// The number times the first one and plus the second one, between 0 and 1.
    HardSigmoid(f32, f32),
    /// A number times its hard sigmoid.
    HardSwish,
}

impl Act {
    pub(super) const NONE: Act = Act::Bounds(f32::NEG_INFINITY, f32::INFINITY);
    pub(super) const RELU: Act = Act::Bounds(0.0, f32::INFINITY);

    /// Returns the bounds, if they are all of it.
    pub(super) fn bounds(self) -> Option<(f32, f32)> {
        match self {
            Act::Bounds(low, high) => Some((low, high)),
            _ => None,
        }
    }

    /// Applies the function to numbers.
    pub(super) fn apply(self, data: &mut [f32]) {
        fn hard(one: f32, by: f32, plus: f32) -> f32 {
            (one * by + plus).clamp(0.0, 1.0)
        }
        match self {
            Act::NONE => {}
            Act::Bounds(low, high) => {
                for one in data {
                    // What is no number stays so.
                    *one = if *one < low { low } else { *one };
                    *one = if *one > high { high } else { *one };
                }
            }
            Act::Leaky(alpha) => LeakyRelu { alpha }.map_mut(data),
            Act::Sigmoid => Sigmoid {}.map_mut(data),
            Act::Silu => Silu {}.map_mut(data),
            Act::HardSigmoid(by, plus) => {
                data.iter_mut().for_each(|one| *one = hard(*one, by, plus));
            }
            Act::HardSwish => {
                let swish = |one: f32| one * hard(one, 1.0 / 6.0, 0.5);
                data.iter_mut().for_each(|one| *one = swish(*one));
            }
        }
    }
}
