//! Runs a model after its thread has made another device current.

use ascendcl::model::Blocking;
use ascendcl::{Device, DeviceBuf, Npu, Result, Thread};

fn wrong<'d>(
    thread: &mut Thread,
    (first, second): (&'d Device<'_, Npu<0>>, &'d Device<'_, Npu<1>>),
    image: &DeviceBuf<'d, Npu<0>, [f32]>,
    scores: &mut DeviceBuf<'d, Npu<0>, [f32]>,
) -> Result<()> {
    let mut model = thread.set_current(first)?.load_model::<Blocking>("model.onnx")?;
    let other = thread.set_current(second)?; //~ mistake
    model.execute((image,), (scores,))?;
    //~ instead: model.unload()?;
    //~ instead: let other = thread.set_current(second)?;
    let _ = other;
    Ok(())
}
