//! Operators that fewer programs call. The feature `more-operators` has them.

mod cumulate;
mod elements;
mod experts;
mod largest;
mod layout;
mod matrices;
mod norms;
mod pad;
mod product;
mod quantized;
mod resize;
mod sample;
mod single;
mod statistics;
mod versions;

pub(in crate::op) use self::{
    cumulate::*, elements::*, experts::*, largest::*, layout::*, matrices::*, norms::*, pad::*,
    product::*, quantized::*, resize::*, sample::*, single::*, statistics::*, versions::*,
};
