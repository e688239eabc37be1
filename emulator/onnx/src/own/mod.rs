//! Operators of our own: every one of ONNX that AscendCL has the element types for.
//!
//! They are written for right results, in 64 or 128 bits for each element, and not for speed. Networks of `float` run on
//! the engine rten, and these operators do what it lacks or does wrongly (`plan.rs`).

#![expect(
    clippy::indexing_slicing,
    reason = "indices come from shapes that were compared; the panic of a mistake fails the run (`guarded`)"
)]

mod attention;
pub(crate) mod call;
pub(crate) mod control;
mod conv;
mod deform;
mod index;
mod layout;
mod linear;
mod math;
mod norm;
mod pool;
mod quantize;
mod random;
mod recurrent;
mod reduce;
mod resize;
mod signal;
mod table;
mod train;

pub(crate) use conv::window;
pub(crate) use table::{compute, refuse};
