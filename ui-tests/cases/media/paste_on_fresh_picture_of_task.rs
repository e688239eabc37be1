//! Pastes a region to a picture of the second interface that nothing has written.

use std::sync::Arc;

use ascendcl::media::{Nv12, Picture, Processor, Region, Scaling};
use ascendcl::memory::{DvppV2, Uninit};
use ascendcl::{Current, Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    processor: &Processor<'_, 'd, D>,
    current: Current<'_, 'd, D>,
    input: &Arc<Picture<'d, DvppV2<D>, Nv12>>,
    fresh: Picture<'d, DvppV2<D>, Nv12, Uninit>,
) -> Result<()> {
    let region = Region { left: 0, top: 0, width: 32, height: 32 };
    let place = (fresh, region); //~ mistake
    //~ instead: let place = (fresh.fill(current, 128)?, region);
    let task = processor.crop_resize_paste(input, region, place, Scaling::Bilinear)?;
    task.wait()?;
    Ok(())
}
