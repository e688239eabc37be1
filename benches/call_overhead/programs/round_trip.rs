//! Numbers go to the device, are squared there, and come back.

use ascendcl::sys::{self, aclrtStream};
use ascendcl::{Current, HostSide, Result, Stream, op};

use super::{BYTES, Compute, LEN};
use crate::D;
use crate::raw::{self, Prepared, Status};

pub(super) fn typed(
    (current, host, stream): (
        Current<'_, '_, D>,
        HostSide<'_>,
        &mut Stream<'_, '_, D, Compute>,
    ),
) -> Result<()> {
    let mut numbers = current.malloc_host_as::<[f32; LEN]>(host)?;
    numbers.fill(1.5);
    let input = current.memcpy(current.malloc_as::<[f32; LEN]>()?, &numbers)?;
    let operand = input.tensor(&[LEN])?;
    let output = current.malloc_as::<[f32; LEN]>()?.into_tensor(&[LEN])?;
    let output = op::mul(current, &operand, &operand, output)?.run(stream)?;
    current.memcpy(&mut numbers, &output)?;
    output.free()?;
    input.free()?;
    numbers.free()
}

pub(super) fn raw([_, stream, _]: &[aclrtStream; 3]) -> Result<(), Status> {
    let host = raw::malloc_host(BYTES)?;
    // SAFETY: host memory of so many bytes; the manual asks for the zeroes.
    unsafe { host.write_bytes(0, BYTES) };
    // SAFETY: as above, initialised and aligned to 64 bytes.
    let numbers = unsafe { std::slice::from_raw_parts_mut(host.cast::<f32>(), LEN) };
    numbers.fill(1.5);
    let input = raw::malloc(BYTES)?;
    raw::memcpy(input, BYTES, host, BYTES, sys::ACL_MEMCPY_HOST_TO_DEVICE)?;
    let output = raw::malloc(BYTES)?;
    let plan = Prepared::mul([input, input, output], LEN as i64, sys::ACL_FLOAT)?;
    plan.launch(*stream)?;
    raw::synchronize(*stream)?;
    plan.forget_operands()?;
    plan.free_workspace()?;
    raw::memcpy(host, BYTES, output, BYTES, sys::ACL_MEMCPY_DEVICE_TO_HOST)?;
    raw::free(output)?;
    raw::free(input)?;
    raw::free_host(host)
}
