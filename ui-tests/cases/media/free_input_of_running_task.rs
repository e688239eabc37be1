//! Takes the input of a task back while the task may still read it.

//~ instead: use std::sync::Arc;

use ascendcl::media::{Nv12, Picture, Processor, Scaling};
use ascendcl::memory::{DvppV2, Uninit};
use ascendcl::{Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    processor: &Processor<'_, 'd, D>,
    input: Picture<'d, DvppV2<D>, Nv12>, //~ mistake
    //~ instead: input: Arc<Picture<'d, DvppV2<D>, Nv12>>,
    output: Picture<'d, DvppV2<D>, Nv12, Uninit>,
) -> Result<()> {
    let task = processor.resize(&input, output, Scaling::Bilinear)?;
    drop(input);
    task.wait().map(drop)
}
