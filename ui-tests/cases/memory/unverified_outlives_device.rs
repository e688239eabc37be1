//! Resets the device of a unverified buffer, to have a stream of its next life vouch for it.

use ascendcl::event::Fence;
use ascendcl::stream::Main;
use ascendcl::{Device, Event, HostBuf, Npu, Result, event::Progress};

type Behind<'d, 'h> = Fence<'d, (Npu<0>, Main), HostBuf<'h, [u32]>, Event<'d, Npu<0>, Progress>>;

fn wrong<'h>(
    device: Device<'_, Npu<0>>,
    fence: for<'d> fn(&'d Device<'_, Npu<0>>) -> Behind<'d, 'h>,
) -> Result<HostBuf<'h, [u32]>> {
    let (unverified, event) = fence(&device).synchronize()?;
    event.destroy()?;
    //~ instead: let unverified = unverified.accept_unverified();
    device.reset()?; //~ mistake
    //~ instead: device.reset()?;
    Ok(unverified.accept_unverified()) //~ mistake
    //~ instead: Ok(unverified)
}
