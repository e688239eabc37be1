//! Destroys a context while one of its events lives: the event's destruction would come after it.

use ascendcl::event::Order;
use ascendcl::{Device, Npu, Result, Thread};

fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
    let context = device.create_context::<1>(thread)?;
    let event = thread.set_current_context(&context)?.create_event::<Order>()?;
    context.destroy()?; //~ mistake
    event.destroy() //~ mistake
    //~ instead: event.destroy()?;
    //~ instead: context.destroy()
}
