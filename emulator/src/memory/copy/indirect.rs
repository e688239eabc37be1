//! Copies whose ends are written in device memory (`acl/acl_rt.h`): with a description, or with base addresses and
//! offsets.
//!
//! The task reads the addresses when its turn comes, as a device does, so an earlier task of the stream may write
//! them. The checker sees the addresses that are there when the copy is queued or captured. Assumptions: the content of a
//! description, the alignment of addresses in memory, the kind, which is the one of the public samples
//! (`ACL_MEMCPY_INNER_DEVICE_TO_DEVICE`), and the codes of refused arguments.

use std::ffi::c_void;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_PARAM_INVALID, ACL_MEMCPY_DEFAULT,
    ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, ACL_SUCCESS, aclError, aclrtMemcpyKind, aclrtStream,
};

use super::{aclrtMemcpy, check_room};
use crate::check::{self, InPlace, Touch};
use crate::engine::queue::Stream;
use crate::engine::submit::{self, own};
use crate::engine::task::{Fault, Task, fault};
use crate::engine::work::Work;
use crate::engine::worker::LARGE;
use crate::error::{fail, null, null_below};
use crate::object_calls::{attempt, invalid, invalid_below, not_null};
use crate::results::list_of;
use crate::space::number::{Number, SIZE};
use crate::space::place::{Gone, Place};
use crate::space::{Location, bulk, space};

/// The bytes of a description (observed).
const DESCRIPTION: usize = 32;
/// The first number of a description.
const MARK: u64 = u64::from_be_bytes(*b"acl copy");

/// Returns the bytes of a description.
pub(crate) unsafe extern "C" fn aclrtGetMemcpyDescSize(
    kind: aclrtMemcpyKind,
    descSize: *mut usize,
) -> aclError {
    let call = "aclrtGetMemcpyDescSize";
    attempt!(not_null(call, "descSize", descSize));
    attempt!(check_kind(call, kind));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { descSize.write(DESCRIPTION) };
    ACL_SUCCESS
}

/// Writes a description: the mark, the source, the destination and the number of bytes.
pub(crate) unsafe extern "C" fn aclrtSetMemcpyDesc(
    desc: *mut c_void,
    kind: aclrtMemcpyKind,
    srcAddr: *mut c_void,
    dstAddr: *mut c_void,
    count: usize,
    config: *mut c_void,
) -> aclError {
    let call = "aclrtSetMemcpyDesc";
    if desc.is_null() || srcAddr.is_null() || dstAddr.is_null() {
        return null(call, "desc, srcAddr or dstAddr");
    }
    if count == 0 || !config.is_null() {
        return invalid(
            call,
            format_args!("count is {count}, config is {config:p}; pass bytes, and NULL"),
        );
    }
    attempt!(check_kind(call, kind));
    if device_of(desc.addr()).is_none() {
        return no_number(call, "desc", desc.addr());
    }
    let mut words = [0; DESCRIPTION / SIZE];
    for (word, value) in words.iter_mut().zip([
        MARK,
        srcAddr.addr() as u64,
        dstAddr.addr() as u64,
        count as u64,
    ]) {
        *word = value;
    }
    let words = words.as_ptr().cast();
    // SAFETY: the source is the array above, which has the bytes; the destination is device memory.
    unsafe { aclrtMemcpy(desc, DESCRIPTION, words, DESCRIPTION, ACL_MEMCPY_DEFAULT) }
}

pub(crate) unsafe extern "C" fn aclrtMemcpyAsyncWithDesc(
    desc: *mut c_void,
    kind: aclrtMemcpyKind,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtMemcpyAsyncWithDesc";
    if desc.is_null() || stream.is_null() {
        return null(call, "desc or stream");
    }
    let at = |index| number(call, "desc", desc.addr().wrapping_add(index * SIZE));
    let queued = check_kind(call, kind).and_then(|()| {
        let copy = Indirect {
            call,
            from: (at(1)?, 0),
            to: (at(2)?, 0),
            amount: Amount::Stored {
                mark: at(0)?,
                count: at(3)?,
            },
        };
        copy.queue(stream, &[desc.addr()], DESCRIPTION)
    });
    queued.err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclrtMemcpyAsyncWithOffset(
    dst: *mut *mut c_void,
    destMax: usize,
    dstDataOffset: usize,
    src: *mut *const c_void,
    count: usize,
    srcDataOffset: usize,
    kind: aclrtMemcpyKind,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtMemcpyAsyncWithOffset";
    if dst.is_null() || src.is_null() {
        return null_below(call, "dst or src");
    }
    if kind != ACL_MEMCPY_INNER_DEVICE_TO_DEVICE {
        return wrong_kind(call, kind, ACL_ERROR_RT_PARAM_INVALID);
    }
    let queued = Ok(()).and_then(|()| {
        check_room(call, destMax.saturating_sub(dstDataOffset), count)?;
        let copy = Indirect {
            call,
            from: (number(call, "src", src.addr())?, srcDataOffset),
            to: (number(call, "dst", dst.addr())?, dstDataOffset),
            amount: Amount::Known(count),
        };
        copy.queue(stream, &[src.addr(), dst.addr()], SIZE)
    });
    queued.err().unwrap_or(ACL_SUCCESS)
}

fn check_kind(call: &str, kind: aclrtMemcpyKind) -> Result<(), aclError> {
    if kind == ACL_MEMCPY_INNER_DEVICE_TO_DEVICE {
        return Ok(());
    }
    Err(wrong_kind(call, kind, ACL_ERROR_RT_FEATURE_NOT_SUPPORT))
}

#[cold]
fn wrong_kind(call: &str, kind: aclrtMemcpyKind, code: aclError) -> aclError {
    fail(
        code,
        format_args!("{call} failed: kind is {kind:?}; pass ACL_MEMCPY_INNER_DEVICE_TO_DEVICE"),
    )
}

/// Returns the number at an address of device memory.
fn number(call: &str, argument: &str, address: usize) -> Result<Number, aclError> {
    let found = device_of(address).filter(|_| address.is_multiple_of(SIZE));
    let found = found.and_then(|_| Number::new(address));
    found.ok_or_else(|| no_number(call, argument, address))
}

/// Returns the device of an address; `None` in host memory and outside of allocations.
fn device_of(address: usize) -> Option<u32> {
    match space().locate(address) {
        Location::Device(heap, Some(_)) => Some(heap.index()),
        _ => None,
    }
}

#[cold]
fn no_number(call: &str, argument: &str, address: usize) -> aclError {
    invalid_below(
        call,
        format_args!(
            "{argument} leads to {address:#x}; pass device memory at a multiple of {SIZE}"
        ),
    )
}

/// A copy that reads its addresses from device memory.
#[derive(Debug, Clone, Copy)]
struct Indirect {
    call: &'static str,
    /// The place of an address, and the offset from that address.
    from: (Number, usize),
    to: (Number, usize),
    amount: Amount,
}

/// The bytes of a copy.
#[derive(Debug, Clone, Copy)]
enum Amount {
    Known(usize),
    /// The bytes are in a description, which begins with the mark.
    Stored {
        mark: Number,
        count: Number,
    },
}

impl Indirect {
    /// Returns the source, the destination and the number of bytes that the memory has now.
    fn read(&self) -> Result<(usize, usize, usize), Gone> {
        let load = |number: Number| number.load().map(|number| number as usize);
        let count = match self.amount {
            Amount::Known(count) => count,
            Amount::Stored { mark, count } if load(mark)? as u64 == MARK => load(count)?,
            Amount::Stored { .. } => return Err(Gone::NeverThere),
        };
        let end = |(number, offset): (Number, usize)| Ok(load(number)?.wrapping_add(offset));
        Ok((end(self.from)?, end(self.to)?, count))
    }

    fn copy(&self) -> Result<(), Gone> {
        let (from, to, count) = self.read()?;
        if count == 0 {
            return Ok(());
        }
        // The kind of the copy has both ends on one device.
        let device = device_of(from);
        if device.is_none() || device_of(to) != device {
            return Err(Gone::NeverThere);
        }
        let enter = |address| {
            let place = Place::new(space(), address, count);
            place.ok_or(Gone::NeverThere)?.enter(space())
        };
        let (source, destination) = (enter(from)?, enter(to)?);
        // SAFETY: both places were made for `count` bytes and are entered.
        unsafe { bulk::copy(destination.pointer(), source.pointer(), count) };
        source.leave()?;
        destination.leave()
    }

    /// Queues the copy. The addresses are read from `len` bytes at each of `reads`.
    fn queue(self, stream: aclrtStream, reads: &[usize], len: usize) -> Result<(), aclError> {
        let found = submit::find(self.call, stream)?;
        let target = own(self.call, found)?;
        let large = self.read().is_ok_and(|(.., count)| count >= LARGE);
        let tell = |task| {
            check::tell(self.call, &|checker, site| {
                let mut touches = list_of(reads.iter().map(|at| Touch::read(*at, len)));
                if let Ok((from, to, count)) = self.read() {
                    let copy = [Touch::read(from, count), Touch::write(to, count)];
                    checker.overlaps(&copy, InPlace::Pairs, &site);
                    touches.extend(copy);
                }
                checker.queued(target.stream.slot(), task, touches, true, site);
            });
        };
        let task = |_| Task::Other(Box::new(self));
        match submit::push_told(self.call, target, large, &tell, task) {
            ACL_SUCCESS => Ok(()),
            code => Err(code),
        }
    }
}

impl Work for Indirect {
    fn call(&self) -> &'static str {
        self.call
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        self.copy().map_err(|gone| fault(self.call, gone))
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(*self)
    }
}
