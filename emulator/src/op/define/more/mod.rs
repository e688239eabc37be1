//! Operators that fewer programs call. The feature `more-operators` has them.

mod coarse;
mod cumulate;
mod drawn;
mod elements;
mod experts;
mod largest;
mod layout;
mod matrices;
mod norms;
mod pad;
mod pairs;
mod product;
mod quantized;
mod resize;
mod routing;
mod sample;
mod scattered;
mod single;
mod statistics;
mod versions;

pub(in crate::op) use self::{
    coarse::*, cumulate::*, drawn::*, elements::*, experts::*, largest::*, layout::*, matrices::*,
    norms::*, pad::*, pairs::*, product::*, quantized::*, resize::*, routing::*, sample::*,
    scattered::*, single::*, statistics::*, versions::*,
};
