//! Operators that fewer programs call. The feature `more-operators` has them.

mod computed;
mod cumulate;
mod elements;
mod experts;
mod largest;
mod layout;
mod norms;
mod pad;
mod product;
mod quantized;
mod resize;
mod single;
mod statistics;
mod versions;

pub(in crate::op) use self::{
    cumulate::*, elements::*, experts::*, largest::*, layout::*, norms::*, pad::*, product::*,
    quantized::*, resize::*, single::*, statistics::*, versions::*,
};
