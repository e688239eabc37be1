//! Reads the output of a task whose result was not collected.

use std::sync::Arc;

use ascendcl::media::{Nv12, Picture, Processor, Scaling};
use ascendcl::memory::{DvppV2, Uninit};
use ascendcl::{Current, Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    current: Current<'_, 'd, D>,
    processor: &Processor<'_, 'd, D>,
    input: &Arc<Picture<'d, DvppV2<D>, Nv12>>,
    output: Picture<'d, DvppV2<D>, Nv12, Uninit>,
) -> Result<Vec<u8>> {
    let task = processor.resize(input, output, Scaling::Bilinear)?;
    task.read(current) //~ mistake
    //~ instead: task.wait()?.read(current)
}
