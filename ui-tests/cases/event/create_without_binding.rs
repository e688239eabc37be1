//! Creates an event without a thread that is bound to the device.

use ascendcl::event::Order;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(device: &Device<'_, Npu<0>>, thread: &mut Thread) -> Result<()> {
    device.create_event::<Order>()?.destroy() //~ mistake
    //~ instead: thread.set_current(device)?.create_event::<Order>()?.destroy()
}
