//! Destroys a channel of the second interface while a task of it runs.

use std::sync::Arc;

use ascendcl::media::{Nv12, Picture, Processor};
use ascendcl::memory::DvppV2;
use ascendcl::{Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    processor: Processor<'_, 'd, D>,
    input: &Arc<Picture<'d, DvppV2<D>, Nv12>>,
) -> Result<()> {
    let task = processor.histogram(input)?;
    processor.destroy()?; //~ mistake
    task.wait()?;
    //~ instead: processor.destroy()?;
    Ok(())
}
