//! Scales by the number that the first interface has for a filter.

use std::sync::Arc;

use ascendcl::media::{Interpolation, Nv12, Picture, Processor}; //~ mistake
//~ instead: use ascendcl::media::{Nv12, Picture, Processor, Scaling};
use ascendcl::memory::{DvppV2, Uninit};
use ascendcl::{Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    processor: &Processor<'_, 'd, D>,
    input: &Arc<Picture<'d, DvppV2<D>, Nv12>>,
    output: Picture<'d, DvppV2<D>, Nv12, Uninit>,
) -> Result<()> {
    let task = processor.resize(input, output, Interpolation::Nearest)?; //~ mistake
    //~ instead: let task = processor.resize(input, output, Scaling::Nearest)?;
    task.wait().map(drop)
}
