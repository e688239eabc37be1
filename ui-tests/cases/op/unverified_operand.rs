//! Makes an operand of memory that another stream wrote, before that stream was waited for.

use ascendcl::event::Order;
use ascendcl::op::{self, Tensor};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Event, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

type D = Npu<0>;
type Memory<'d> = DeviceBuf<'d, D, [f32]>;

fn wrong<'d>(
    current: Current<'_, 'd, D>,
    up: &mut Stream<'_, 'd, D, Upload>,
    main: &mut Stream<'_, 'd, D, Main>,
    event: &mut Event<'d, D, Order>,
    written: Queued<'d, (D, Upload), Memory<'d>>,
    mut sum: Memory<'d>,
) -> Result<()> {
    let on_main = up.handoff(main, event, written)?;
    let memory = main.synchronize()?.take(on_main);
    //~ instead: let memory = up.synchronize()?.verify(memory);
    let operand: Tensor<'_, D, f32> = memory.tensor(&[16])?; //~ mistake
    //~ instead: let operand: Tensor<'_, D, f32> = memory.tensor(&[16])?;
    op::neg(current, &operand, sum.tensor_mut(&[16])?)?.run(main)?;
    Ok(())
}
