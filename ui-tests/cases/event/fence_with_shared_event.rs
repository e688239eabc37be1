//! Makes a fence of an event that processes share.
#![allow(unused)]

use ascendcl::event::Order;
use ascendcl::share::{Exported, SharedEvent};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    stream: &mut Stream<'_, 'd, Npu<0>>,
    filled: SharedEvent<'d, Exported<Npu<0>>>,
    memory: Queued<'d, (Npu<0>, Main), DeviceBuf<'d, Npu<0>, [u8]>>,
) -> Result<()> {
    stream.fence(filled, memory)?; //~ mistake
    //~ instead: stream.fence(current.create_event::<Order>()?, memory)?;
    Ok(())
}
