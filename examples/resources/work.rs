//! The work on each device: it adds the numbers 0, 1, 2 ... and -1.

use ascendcl::bounds::StreamTag;
use ascendcl::op;
use ascendcl::{Current, DeviceBuf, DeviceTag, HostBuf, RunMode, Stream};

use crate::Result;
use crate::log::Logged;

/// The number of elements.
pub(crate) const LEN: usize = 1000;

/// The memory of the work. It borrows the device, so it cannot outlive it.
pub(crate) struct Buffers<'dev, D: DeviceTag> {
    host: Option<HostBuf<'dev, [i32]>>,
    left: DeviceBuf<'dev, D, [i32]>,
    right: DeviceBuf<'dev, D, [i32]>,
    sum: DeviceBuf<'dev, D, [i32]>,
}

/// Allocates, computes on `stream` and checks the result. The run mode selects the memory; `malloc_host` and
/// `as_slice` need its proof.
pub(crate) fn add<'dev, D: DeviceTag, S: StreamTag>(
    current: Current<'_, 'dev, D>,
    mode: RunMode<'_>,
    stream: &mut Stream<'_, '_, D, S>,
) -> Result<Buffers<'dev, D>> {
    // All bits set are -1. This one element is added to each element of the other operand.
    let fresh = current.malloc::<i32>(1).logged("aclrtMalloc")?;
    let right = current.memset(fresh, 0xff).logged("aclrtMemset")?;
    match mode {
        RunMode::Host(side) => {
            let mut host = current.malloc_host(side, LEN).logged("aclrtMallocHost")?;
            number(&mut host);
            let fresh = current.malloc(LEN).logged("aclrtMalloc")?;
            let left = current.memcpy(fresh, &host).logged("aclrtMemcpy")?;
            let sum = sum(current, &left, &right, stream)?;
            current.memcpy(&mut host, &sum).logged("aclrtMemcpy")?;
            check(&host)?;
            let host = Some(host);
            Ok(Buffers {
                host,
                left,
                right,
                sum,
            })
        }
        RunMode::Device(side) => {
            let fresh = current.malloc(LEN).logged("aclrtMalloc")?;
            let mut left = current.memset(fresh, 0).logged("aclrtMemset")?;
            number(left.as_mut_slice(side)?);
            let sum = sum(current, &left, &right, stream)?;
            check(sum.as_slice(side)?)?;
            Ok(Buffers {
                host: None,
                left,
                right,
                sum,
            })
        }
    }
}

/// Adds on the device. An operator has two phases: `op::add` asks for the size of the workspace, `run` queues the
/// operator and waits.
fn sum<'dev, D: DeviceTag, S: StreamTag>(
    current: Current<'_, 'dev, D>,
    left: &DeviceBuf<'dev, D, [i32]>,
    right: &DeviceBuf<'dev, D, [i32]>,
    stream: &mut Stream<'_, '_, D, S>,
) -> Result<DeviceBuf<'dev, D, [i32]>> {
    let out = current.malloc(LEN).logged("aclrtMalloc")?;
    let (left, right) = (left.tensor(&[LEN])?, right.tensor(&[1])?);
    let plan = op::add(current, &left, &right, 1, out.into_tensor(&[LEN])?)
        .logged("aclnnAddGetWorkspaceSize")?;
    Ok(plan.run(stream).logged("aclnnAdd")?)
}

fn number(slots: &mut [i32]) {
    for (slot, number) in slots.iter_mut().zip(0..) {
        *slot = number;
    }
}

fn check(sums: &[i32]) -> Result<()> {
    match sums
        .iter()
        .zip(-1..)
        .position(|(sum, expected)| *sum != expected)
    {
        None => Ok(()),
        Some(at) => {
            Err(format!("sum {at} is wrong: the device has computed something else").into())
        }
    }
}

impl<D: DeviceTag> Buffers<'_, D> {
    /// Frees by hand, to see the errors. Each buffer knows the function that frees its kind of memory.
    pub(crate) fn free(self) -> Result<()> {
        self.sum.free().logged("aclrtFree")?;
        self.left.free().logged("aclrtFree")?;
        if let Some(host) = self.host {
            host.free().logged("aclrtFreeHost")?;
        }
        self.right.free().logged("aclrtFree")?;
        Ok(())
    }
}
