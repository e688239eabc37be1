//! The creation and the end of streams.

use std::sync::atomic::Ordering;

use ascendcl_sys::{ACL_ERROR_RT_NO_STREAM_RESOURCE, aclError};

use crate::check;
use crate::engine::current::Current;
use crate::engine::drive::drive;
use crate::engine::queue::Stream;
use crate::engine::still;
use crate::engine::submit::{Target, stale};
use crate::engine::{device, engine};
use crate::error::fail;
use crate::handles::slots::handle;

/// The lowest priority; larger numbers count as this one.
const LOWEST_PRIORITY: u32 = 7;

/// Opens the slot of a stream for a context.
pub(crate) fn create(stream: &Stream, context: (u32, u32), priority: u32, flags: u32) -> u32 {
    stream.context.store(context.0, Ordering::Relaxed);
    stream
        .context_generation
        .store(context.1, Ordering::Relaxed);
    stream
        .priority
        .store(priority.min(LOWEST_PRIORITY), Ordering::Relaxed);
    stream.flags.store(flags, Ordering::Relaxed);
    stream.open()
}

/// Adds a stream to a context. The stream ends with the context, or by [`end`] and [`put_back`].
pub(crate) fn add(
    call: &str,
    current: &Current,
    priority: u32,
    flags: u32,
) -> Result<Target, aclError> {
    let Some(device) = engine().devices.get(current.device() as usize) else {
        return Err(device::unknown(call, i64::from(current.device())));
    };
    let Some((index, stream)) = device.take_stream(&mut device.lock()) else {
        return Err(fail(
            ACL_ERROR_RT_NO_STREAM_RESOURCE,
            format_args!(
                "{call} failed: all {} streams of device {} are in use; destroy one",
                engine().config.streams,
                current.device()
            ),
        ));
    };
    stream.default.store(false, Ordering::Relaxed);
    let generation = create(stream, (current.index, current.generation), priority, flags);
    if !current
        .context
        .adopt(current.generation, (index, generation))
    {
        // Another thread has destroyed the context meanwhile.
        stream.close(generation);
        device.put_stream(&mut device.lock(), index);
        return Err(stale(call, "the current context", 0));
    }
    Ok(Target {
        stream,
        generation,
        index,
    })
}

/// Waits for the work of a stream, ends by force what cannot go on, if that is asked, and closes the stream. Returns false if
/// another thread closes it. [`put_back`] has to follow.
pub(crate) fn end(call: &str, target: Target, by_force: bool) -> bool {
    let Target {
        stream,
        generation,
        index,
    } = target;
    if !stream.close(generation) {
        return false;
    }
    let submitted = stream.submitted();
    // Both waits are observed. What cannot go on is ended by force, which proves nothing of the work.
    let is_proof = if by_force {
        still::drive(stream, submitted, false).is_ok()
    } else {
        let _ = drive(stream, submitted, None);
        true
    };
    if !is_proof {
        stream.abort();
    }
    check::tell(call, &|checker, site| {
        if is_proof {
            checker.synchronised(stream.slot(), submitted);
        }
        checker.destroyed(handle::<Stream>(index, generation).addr(), &site);
    });
    true
}

/// Returns the slot of a closed stream to the table.
pub(crate) fn put_back(target: Target) {
    // The slot still belongs to this stream, so its context is right.
    let Some(context) = target.stream.context() else {
        return;
    };
    context.disown(target.key());
    let device = context.device.load(Ordering::Relaxed);
    if let Some(device) = engine().devices.get(device as usize) {
        device.put_stream(&mut device.lock(), target.index);
    }
}
