//! Prepares an operator with a queued operand that is given up at the end of its scope.

use ascendcl::op::{self, TensorOut};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    buf: DeviceBuf<'d, Npu<0>, [f32]>,
    out: TensorOut<&mut Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [f32]>>>,
) -> Result<()> {
    //~ instead: let queued = stream.adopt(buf);
    let plan = {
        let queued = stream.adopt(buf); //~ mistake
        let a = queued.tensor(&[16])?; //~ mistake
        //~ instead: let a = queued.tensor(&[16])?;
        op::mul(current, &a, &a, out)?
    };
    plan.launch(stream).map(drop)
}
