//! Two streams use one buffer in turns; an event hands it over.

use ascendcl::event::Order;
use ascendcl::sys::{self, aclrtStream};
use ascendcl::{Current, Result, Stream};

use super::{BYTES, Compute, LEN, Upload};
use crate::D;
use crate::raw::{self, Status};

const ROUNDS: u8 = 16;

pub(super) fn typed<'d>(
    (current, left, right): (
        Current<'_, 'd, D>,
        &mut Stream<'_, 'd, D, Upload>,
        &mut Stream<'_, 'd, D, Compute>,
    ),
) -> Result<()> {
    let mut event = current.create_event::<Order>()?;
    let ball = left.adopt(current.malloc_as::<[f32; LEN]>()?);
    let mut ball = left.memset_async(ball, 0)?.forget_contents();
    for round in 0..ROUNDS {
        let written = left.memset_async(ball, round)?;
        let mut other = left.handoff(right, &mut event, written)?;
        right.memset_async(&mut other, round)?;
        ball = right.handoff(left, &mut event, other)?.forget_contents();
    }
    left.synchronize()?.take(ball).free()?;
    event.destroy()
}

pub(super) fn raw([left, right, _]: &[aclrtStream; 3]) -> Result<(), Status> {
    let event = raw::create_event(sys::ACL_EVENT_SYNC)?;
    let ball = raw::malloc(BYTES)?;
    raw::memset_async(ball, BYTES, 0, BYTES, *left)?;
    for round in 0..ROUNDS {
        raw::memset_async(ball, BYTES, round.into(), BYTES, *left)?;
        raw::record(event, *left)?;
        raw::wait(*right, event)?;
        raw::memset_async(ball, BYTES, round.into(), BYTES, *right)?;
        raw::record(event, *right)?;
        raw::wait(*left, event)?;
    }
    raw::synchronize(*left)?;
    raw::free(ball)?;
    raw::destroy_event(event)
}
