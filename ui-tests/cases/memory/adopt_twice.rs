//! Hands one buffer to two streams.
#![allow(unused)]

use ascendcl::event::Order;
use ascendcl::{Event, HostBuf, Npu, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong<'d>(
    up: &mut Stream<'_, 'd, Npu<0>, Upload>,
    main: &mut Stream<'_, 'd, Npu<0>>,
    event: &mut Event<'d, Npu<0>, Order>,
    host: HostBuf<'d, [u32]>,
) -> Result<()> {
    let on_up = up.adopt(host);
    let on_main = main.adopt(host); //~ mistake
    //~ instead: let on_main = up.handoff(main, event, on_up)?;
    Ok(())
}
