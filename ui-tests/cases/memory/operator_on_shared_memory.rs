//! Gives memory that another process may write to an operator.

use ascendcl::share::{Imported, SharedBuf};
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Queued, Result, Stream, op};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    stream: &mut Stream<'_, 'dev, Npu<0>>,
    shared: &Queued<'dev, (Npu<0>, Main), SharedBuf<'dev, Imported<Npu<0>>, f32>>,
) -> Result<()> {
    let out = stream.malloc(4)?.into_tensor(&[4])?;
    let x = shared.tensor(&[4])?; //~ mistake
    //~ instead: let here = stream.memcpy_async(stream.malloc(4)?, shared)?;
    //~ instead: let x = here.tensor(&[4])?;
    op::abs(current, &x, out)?.launch(stream)?.into_output();
    Ok(())
}
