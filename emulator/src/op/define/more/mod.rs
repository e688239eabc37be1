//! Operators that fewer programs call. The feature `more-operators` has them.

mod added;
mod caches;
mod coarse;
mod cumulate;
mod drawn;
mod elements;
mod experts;
mod feed;
mod further;
mod joint;
mod largest;
mod layered;
mod layout;
mod matrices;
mod merged;
mod norms;
mod packed;
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
mod shards;
mod single;
mod statistics;
mod stored;
mod streams;
mod versions;

pub(in crate::op) use self::{
    added::*, caches::*, coarse::*, cumulate::*, drawn::*, elements::*, experts::*, feed::*,
    further::*, joint::*, largest::*, layered::*, layout::*, matrices::*, merged::*, norms::*,
    packed::*, pad::*, pairs::*, plain::*, product::*, quantized::*, reduced::*, resize::*,
    routing::*, sample::*, scattered::*, shards::*, single::*, statistics::*, stored::*,
    streams::*, versions::*,
};
