//! Uses the output of a task while the task may still run.

use std::sync::Arc;

use ascendcl::media::{Nv12, Picture, Processor, Scaling};
use ascendcl::memory::{DvppV2, Uninit};
use ascendcl::{Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    processor: &Processor<'_, 'd, D>,
    input: &Arc<Picture<'d, DvppV2<D>, Nv12>>,
    output: Picture<'d, DvppV2<D>, Nv12, Uninit>,
) -> Result<u32> {
    let task = processor.resize(input, output, Scaling::Bilinear)?;
    //~ instead: let output = task.wait()?;
    let width = output.width(); //~ mistake
    drop(task); //~ mistake
    //~ instead: let width = output.width();
    Ok(width)
}
