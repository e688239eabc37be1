//! Passes a picture of the first interface to a channel of the second.

use std::sync::Arc;

use ascendcl::media::{Nv12, Picture, Processor};
use ascendcl::memory::Dvpp; //~ mistake
//~ instead: use ascendcl::memory::DvppV2;
use ascendcl::{Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    processor: &Processor<'_, 'd, D>,
    input: &Arc<Picture<'d, Dvpp<D>, Nv12>>, //~ mistake
    //~ instead: input: &Arc<Picture<'d, DvppV2<D>, Nv12>>,
) -> Result<()> {
    processor.histogram(input)?.wait().map(drop)
}
