//! Operators that fewer programs call. The feature `more-operators` has them.

mod cumulate;
mod elements;
mod layout;
mod pad;
mod product;

pub(in crate::op) use self::{cumulate::*, elements::*, layout::*, pad::*, product::*};
