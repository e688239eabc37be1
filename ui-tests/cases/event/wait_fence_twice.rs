//! Gives the memory of one fence to two streams.
#![allow(unused)]

use ascendcl::event::{Fence, Order};
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Event, Npu, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}
enum Download {}
impl StreamName for Download {}

type Memory<'d> = DeviceBuf<'d, Npu<0>, [u32]>;

fn wrong<'d>(
    main: &mut Stream<'_, 'd, Npu<0>, Main>,
    down: &mut Stream<'_, 'd, Npu<0>, Download>,
    fence: Fence<'d, (Npu<0>, Upload), Memory<'d>, Event<'d, Npu<0>, Order>>,
) -> Result<()> {
    let (memory, mut event) = main.wait_fence(fence)?;
    drop(down.wait_fence(fence)?); //~ mistake
    //~ instead: drop(main.handoff(down, &mut event, memory)?);
    Ok(())
}
