//! Reads a canvas while a task of the second interface pastes to it.

use std::sync::Arc;

use ascendcl::media::{Nv12, Picture, Processor, Region, Scaling};
use ascendcl::memory::DvppV2;
use ascendcl::{Current, Npu, Result};

type D = Npu<0>;

fn wrong<'d>(
    processor: &Processor<'_, 'd, D>,
    current: Current<'_, 'd, D>,
    input: &Arc<Picture<'d, DvppV2<D>, Nv12>>,
    canvas: Picture<'d, DvppV2<D>, Nv12>,
) -> Result<Vec<u8>> {
    let region = Region { left: 0, top: 0, width: 32, height: 32 };
    let place = (canvas, region);
    let task = processor.crop_resize_paste(input, region, place, Scaling::Bilinear)?;
    //~ instead: let canvas = task.wait()?;
    let pixels = canvas.read(current)?; //~ mistake
    drop(task); //~ mistake
    //~ instead: let pixels = canvas.read(current)?;
    Ok(pixels)
}
