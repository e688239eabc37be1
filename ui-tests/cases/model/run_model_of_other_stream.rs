//! Runs a model on a stream while it is queued on another one.

use ascendcl::event::Order;
use ascendcl::model::{Model, Queueing};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Queued, Result, Stream, StreamName};

enum Side {}
impl StreamName for Side {}

fn wrong<'d>(
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    side: &mut Stream<'_, 'd, Npu<0>, Side>,
    event: &mut Event<'d, Npu<0>, Order>,
    mut model: Queued<'d, (Npu<0>, Main), Model<'_, 'd, Npu<0>, Queueing>>,
    image: &Queued<'d, (Npu<0>, Side), DeviceBuf<'d, Npu<0>, [f32]>>,
    scores: &mut Queued<'d, (Npu<0>, Side), DeviceBuf<'d, Npu<0>, [f32]>>,
) -> Result<()> {
    //~ instead: let mut model = main.handoff(side, event, model)?;
    side.execute_async(&mut model, (image,), (scores,))?; //~ mistake
    //~ instead: side.execute_async(&mut model, (image,), (scores,))?;
    let _ = (main, event);
    Ok(())
}
