//! Resets a device before the backend whose destructor destroys its stream and its event.

use ascendcl::event::Order;
use ascendcl::{Device, Event, Npu, Result, Stream, Thread};

struct Backend<'t, 'dev> {
    stream: Stream<'t, 'dev, Npu<0>>,
    done: Event<'dev, Npu<0>, Order>,
}

fn wrong(device: Device<'_, Npu<0>>, thread: &mut Thread) -> Result<()> {
    let current = thread.set_current(&device)?;
    let backend = Backend {
        stream: current.create_stream()?,
        done: current.create_event()?,
    };
    device.reset()?; //~ mistake
    drop(backend);
    //~ instead: device.reset()?;
    Ok(())
}
