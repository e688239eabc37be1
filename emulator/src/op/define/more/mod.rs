//! Operators that fewer programs call. The feature `more-operators` has them.

mod added;
mod coarse;
mod cumulate;
mod drawn;
mod elements;
mod experts;
mod joint;
mod largest;
mod layout;
mod matrices;
mod norms;
mod pad;
mod pairs;
mod plain;
mod product;
mod quantized;
mod reduced;
mod resize;
mod routing;
mod sample;
mod scattered;
mod single;
mod statistics;
mod versions;

pub(in crate::op) use self::{
    added::*, coarse::*, cumulate::*, drawn::*, elements::*, experts::*, joint::*, largest::*,
    layout::*, matrices::*, norms::*, pad::*, pairs::*, plain::*, product::*, quantized::*,
    reduced::*, resize::*, routing::*, sample::*, scattered::*, single::*, statistics::*,
    versions::*,
};
