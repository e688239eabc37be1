//! Upload, compute and download at once, double-buffered, as in the example `pipeline`.

use std::ffi::c_void;

use ascendcl::event::{Fence, Order};
use ascendcl::memory::Uninit;
use ascendcl::op::Launched;
use ascendcl::sys::{self, aclrtEvent, aclrtStream};
use ascendcl::{Current, DeviceBuf, Event, HostBuf, HostSide, Result, Stream, op};

use super::{BYTES, Compute, Download, LEN, Upload};
use crate::D;
use crate::raw::{self, Prepared, Status};

const TURNS: usize = 16;

type Behind<'d, S, R> = Fence<'d, (D, S), R, Event<'d, D, Order>>;

/// Device memory that its next user overwrites as a whole.
type Fresh<'d> = DeviceBuf<'d, D, [f32; LEN], Uninit>;

/// Four buffers, each with the work that must be over before its next use.
struct Slot<'d> {
    host_in: Behind<'d, Upload, HostBuf<'d, [f32; LEN]>>,
    device_in: Behind<'d, Compute, Fresh<'d>>,
    device_out: Behind<'d, Download, Fresh<'d>>,
    host_out: Behind<'d, Download, HostBuf<'d, [f32; LEN]>>,
}

type Streams<'s, 't, 'd> = (
    &'s mut Stream<'t, 'd, D, Upload>,
    &'s mut Stream<'t, 'd, D, Compute>,
    &'s mut Stream<'t, 'd, D, Download>,
);

impl<'d> Slot<'d> {
    fn new(
        current: Current<'_, 'd, D>,
        host: HostSide<'_>,
        (up, compute, down): Streams<'_, '_, 'd>,
    ) -> Result<Slot<'d>> {
        let host_in = up.adopt(current.malloc_host_as(host)?);
        let zeros = || current.memset(current.malloc_as()?, 0);
        let device_in = compute.adopt(zeros()?.forget_contents());
        let device_out = down.adopt(zeros()?.forget_contents());
        let host_out = down.adopt(current.malloc_host_as(host)?);
        Ok(Slot {
            host_in: up.fence(current.create_event()?, host_in)?,
            device_in: compute.fence(current.create_event()?, device_in)?,
            device_out: down.fence(current.create_event()?, device_out)?,
            host_out: down.fence(current.create_event()?, host_out)?,
        })
    }
}

pub(super) fn typed<'t, 'd>(
    (current, host, up, compute, down): (
        Current<'_, 'd, D>,
        HostSide<'_>,
        &mut Stream<'t, 'd, D, Upload>,
        &mut Stream<'t, 'd, D, Compute>,
        &mut Stream<'t, 'd, D, Download>,
    ),
) -> Result<f32> {
    let mut event = current.create_event::<Order>()?;
    let mut next = Slot::new(current, host, (&mut *up, &mut *compute, &mut *down))?;
    let mut other = Slot::new(current, host, (&mut *up, &mut *compute, &mut *down))?;
    let mut sum = 0.0;
    for _ in 0..TURNS {
        let (result, result_event) = next.host_out.synchronize()?;
        let result = result.accept_unverified();
        sum += result.first().copied().unwrap_or_default();
        let (batch, batch_event) = next.host_in.synchronize()?;
        let mut batch = batch.accept_unverified();
        batch.fill(1.5);

        let (input, input_event) = up.wait_fence(next.device_in)?;
        let batch = up.adopt(batch);
        let input = up.memcpy_async(input, &batch)?;
        let host_in = up.fence(batch_event, batch)?;
        let input = up.handoff(compute, &mut event, input)?;

        let (output, output_event) = compute.wait_fence(next.device_out)?;
        let operand = input.tensor(&[LEN])?;
        let plan = op::mul(current, &operand, &operand, output.into_tensor(&[LEN])?)?;
        let Launched { output, workspace } = plan.launch(compute)?;
        let device_in = compute.fence(input_event, input.forget_contents())?;
        let output = compute.handoff(down, &mut event, output)?;

        let mut result = down.adopt(result);
        down.memcpy_async(&mut result, &output)?;
        let host_out = down.fence(result_event, result)?;
        let device_out = down.fence(output_event, output.forget_contents())?;
        let slot = Slot {
            host_in,
            device_in,
            device_out,
            host_out,
        };
        next = std::mem::replace(&mut other, slot);
        // A wait per turn, so that the workspace can be freed.
        let idle = compute.synchronize()?;
        if let Some(workspace) = workspace {
            idle.take(workspace).free()?;
        }
    }
    up.synchronize()?;
    down.synchronize()?;
    // The buffers and events of both slots are not released. The raw program does not release them either.
    std::mem::forget((next, other, event));
    Ok(sum)
}

/// Two host and two device buffers, each with the event after which it may be used again.
struct RawSlot {
    host_in: (*mut c_void, aclrtEvent),
    device_in: (*mut c_void, aclrtEvent),
    device_out: (*mut c_void, aclrtEvent),
    host_out: (*mut c_void, aclrtEvent),
}

impl RawSlot {
    fn new(up: aclrtStream, compute: aclrtStream, down: aclrtStream) -> Result<RawSlot, Status> {
        let host = || {
            let memory = raw::malloc_host(BYTES)?;
            // SAFETY: host memory of so many bytes.
            unsafe { memory.write_bytes(0, BYTES) };
            Ok::<_, Status>(memory)
        };
        let device = || {
            let memory = raw::malloc(BYTES)?;
            raw::memset(memory, BYTES, 0, BYTES)?;
            Ok::<_, Status>(memory)
        };
        let marked = |memory, stream| {
            let event = raw::create_event(sys::ACL_EVENT_SYNC)?;
            raw::record(event, stream)?;
            Ok::<_, Status>((memory, event))
        };
        let (host_in, device_in, device_out, host_out) = (host()?, device()?, device()?, host()?);
        Ok(RawSlot {
            host_in: marked(host_in, up)?,
            device_in: marked(device_in, compute)?,
            device_out: marked(device_out, down)?,
            host_out: marked(host_out, down)?,
        })
    }
}

pub(super) fn raw([up, compute, down]: &[aclrtStream; 3]) -> Result<f32, Status> {
    let (up, compute, down) = (*up, *compute, *down);
    let event = raw::create_event(sys::ACL_EVENT_SYNC)?;
    let mut next = RawSlot::new(up, compute, down)?;
    let mut other = RawSlot::new(up, compute, down)?;
    let mut sum = 0.0;
    for _ in 0..TURNS {
        let slot = &next;
        raw::synchronize_event(slot.host_out.1)?;
        // SAFETY: initialised host memory that no stream uses any more.
        sum += unsafe { slot.host_out.0.cast::<f32>().read() };
        raw::synchronize_event(slot.host_in.1)?;
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(slot.host_in.0.cast::<f32>(), LEN) }.fill(1.5);

        let (input, input_event) = slot.device_in;
        raw::wait(up, input_event)?;
        let (batch, batch_event) = slot.host_in;
        raw::memcpy_async(
            input,
            BYTES,
            batch,
            BYTES,
            sys::ACL_MEMCPY_HOST_TO_DEVICE,
            up,
        )?;
        raw::record(batch_event, up)?;
        raw::record(event, up)?;
        raw::wait(compute, event)?;

        let (output, output_event) = slot.device_out;
        raw::wait(compute, output_event)?;
        let plan = Prepared::mul([input, input, output], LEN as i64, sys::ACL_FLOAT)?;
        plan.launch(compute)?;
        plan.forget_operands()?;
        raw::record(input_event, compute)?;
        raw::record(event, compute)?;
        raw::wait(down, event)?;

        let (result, result_event) = slot.host_out;
        raw::memcpy_async(
            result,
            BYTES,
            output,
            BYTES,
            sys::ACL_MEMCPY_DEVICE_TO_HOST,
            down,
        )?;
        raw::record(result_event, down)?;
        raw::record(output_event, down)?;
        std::mem::swap(&mut next, &mut other);
        raw::synchronize(compute)?;
        plan.free_workspace()?;
    }
    raw::synchronize(up)?;
    raw::synchronize(down)?;
    Ok(sum)
}
