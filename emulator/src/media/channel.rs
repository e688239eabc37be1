//! Channels of the first generation (`acldvppChannelDesc`).
//!
//! A channel is its description after `acldvppCreateChannel`. Each task uses its channel, so the checker finds a channel
//! that two streams use at once, and one that is destroyed while a task uses it.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

use ascendcl_sys::{
    ACL_ERROR_FEATURE_UNSUPPORTED, ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED, ACL_SUCCESS, aclError,
    acldvppChannelDesc, acldvppChannelDescParamType,
};

use super::colour::Matrix;
use super::generation;
use super::object::{self, ready};
use super::picture::{Generation, Refused};
use super::product::product;
use crate::check::{self, Touch};
use crate::engine::current::current;
use crate::object_calls::{Objects, invalid, not_null, refused, status};

/// The engines of a channel.
pub(super) const VPC: u32 = 1;
pub(super) const JPEGD: u32 = 2;
pub(super) const JPEGE: u32 = 4;
pub(super) const PNGD: u32 = 8;

/// The parameters of a channel, by the number of their kind: colour matrix, engines, number, height, width, rounding.
const PARAMETERS: [usize; 6] = [4, 4, 8, 4, 4, 4];

/// A description of a channel.
#[derive(Debug, Clone, Copy)]
struct Channel {
    mode: u32,
    parameters: [u64; 6],
    /// The number of the channel while it exists, 0 otherwise.
    id: u64,
}

static CHANNELS: Objects<Channel> = Objects::new("acldvppChannelDesc", 0x79);
static LAST: AtomicU64 = AtomicU64::new(0);

/// A channel that a task uses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Used {
    handle: usize,
    mode: u32,
    pub(super) matrix: Matrix,
    /// How odd sides of a JPEG are rounded: 1 up, otherwise down.
    pub(super) rounding: u64,
    exists: bool,
}

impl Used {
    /// The access of a task to its channel.
    pub(super) fn touch(&self) -> Touch {
        object::touch(self.handle, true)
    }

    /// Makes the checks of the device: the channel exists and may use an engine.
    pub(super) fn check(&self, engine: u32, name: &str) -> Result<(), Refused> {
        if !self.exists {
            return Err(Refused::parameter("the channel was not created"));
        }
        if self.mode & engine == 0 {
            return Err(Refused::parameter(format!(
                "the channel was created without {name}"
            )));
        }
        Ok(())
    }
}

/// Returns the channel for a task. All products but the oldest ones refuse a channel that was not created.
pub(super) fn used(call: &str, channel: *const acldvppChannelDesc) -> Result<Used, aclError> {
    ready(call)?;
    let found = CHANNELS.get(call, "channelDesc", channel)?;
    if found.id == 0 && !product().is_oldest() {
        return Err(invalid(
            call,
            format_args!("the channel was not created; call acldvppCreateChannel first"),
        ));
    }
    let [matrix, _, _, _, _, rounding] = found.parameters;
    let usual = || Matrix::of(matrix as u32).or_else(|| Matrix::of(0));
    let matrix =
        usual().ok_or_else(|| invalid(call, format_args!("the colour matrix is unknown")))?;
    Ok(Used {
        handle: channel.addr(),
        mode: found.mode,
        matrix,
        rounding,
        exists: found.id != 0,
    })
}

pub(crate) unsafe extern "C" fn acldvppCreateChannelDesc() -> *mut acldvppChannelDesc {
    let description = Channel {
        mode: VPC | JPEGD | JPEGE | PNGD,
        parameters: [0; 6],
        id: 0,
    };
    let call = "acldvppCreateChannelDesc";
    if ready(call).is_err() {
        return std::ptr::null_mut();
    }
    CHANNELS.create(call, description)
}

pub(crate) unsafe extern "C" fn acldvppDestroyChannelDesc(
    channelDesc: *mut acldvppChannelDesc,
) -> aclError {
    let call = "acldvppDestroyChannelDesc";
    if channelDesc.is_null() {
        return ACL_SUCCESS;
    }
    let exists = CHANNELS.with(call, "channelDesc", channelDesc, &mut |channel| {
        channel.id != 0
    });
    if exists == Ok(true) {
        return refused(
            call,
            ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED,
            format_args!("the channel exists; call acldvppDestroyChannel first"),
        );
    }
    CHANNELS.destroy(call, "channelDesc", channelDesc)
}

pub(crate) unsafe extern "C" fn acldvppGetChannelDescChannelId(
    channelDesc: *const acldvppChannelDesc,
) -> u64 {
    let call = "acldvppGetChannelDescChannelId";
    CHANNELS
        .with(call, "channelDesc", channelDesc, &mut |channel| channel.id)
        .unwrap_or(0)
}

pub(crate) unsafe extern "C" fn acldvppSetChannelDescMode(
    channelDesc: *mut acldvppChannelDesc,
    mode: u32,
) -> aclError {
    let call = "acldvppSetChannelDescMode";
    status((|| {
        not_null(call, "channelDesc", channelDesc)?;
        if product().is_oldest() {
            return Err(refused(
                call,
                ACL_ERROR_FEATURE_UNSUPPORTED,
                format_args!("a channel of this product has all engines"),
            ));
        }
        if !(1..=15).contains(&mode) {
            return Err(invalid(
                call,
                format_args!("mode is {mode}; it is the sum of some of 1, 2, 4 and 8"),
            ));
        }
        CHANNELS.with(call, "channelDesc", channelDesc, &mut |channel| {
            channel.mode = mode
        })
    })())
}

pub(crate) unsafe extern "C" fn acldvppSetChannelDescParam(
    channelDesc: *mut acldvppChannelDesc,
    paramType: acldvppChannelDescParamType,
    length: usize,
    param: *const c_void,
) -> aclError {
    let call = "acldvppSetChannelDescParam";
    status((|| {
        not_null(call, "channelDesc", channelDesc)?;
        not_null(call, "param", param)?;
        let (kind, size) = parameter(call, paramType, length)?;
        if kind == 0 && product().is_oldest() {
            return Err(object::unsupported(call));
        }
        let mut bytes = [0; 8];
        // SAFETY: not null; the caller's contract: valid for a read of `length` bytes, which is at most `size`.
        unsafe {
            bytes
                .as_mut_ptr()
                .copy_from_nonoverlapping(param.cast(), length.min(size))
        };
        let number = u64::from_le_bytes(bytes);
        if kind == 0 && number > 5 {
            return Err(invalid(
                call,
                format_args!("the colour matrix is {number}; there are 0 to 5"),
            ));
        }
        if kind == 1 && !(1..=15).contains(&number) {
            return Err(invalid(
                call,
                format_args!("the mode is {number}; it is the sum of some of 1, 2, 4 and 8"),
            ));
        }
        CHANNELS.with(call, "channelDesc", channelDesc, &mut |channel| {
            if kind == 1 {
                channel.mode = number as u32;
            }
            if let Some(place) = channel.parameters.get_mut(kind) {
                *place = number;
            }
        })
    })())
}

pub(crate) unsafe extern "C" fn acldvppGetChannelDescParam(
    channelDesc: *const acldvppChannelDesc,
    paramType: acldvppChannelDescParamType,
    length: usize,
    paramRetSize: *mut usize,
    param: *mut c_void,
) -> aclError {
    let call = "acldvppGetChannelDescParam";
    status((|| {
        not_null(call, "channelDesc", channelDesc)?;
        not_null(call, "paramRetSize", paramRetSize)?;
        not_null(call, "param", param)?;
        let kind = paramType.0 as usize;
        let size = PARAMETERS.get(kind).copied().filter(|size| length >= *size);
        let size = size.ok_or_else(|| {
            invalid(
                call,
                format_args!("{paramType:?} does not exist or does not fit into {length} bytes"),
            )
        })?;
        let number = CHANNELS.with(
            call,
            "channelDesc",
            channelDesc,
            &mut |channel| match kind {
                1 => u64::from(channel.mode),
                2 => channel.id,
                kind => channel.parameters.get(kind).copied().unwrap_or(0),
            },
        )?;
        // SAFETY: not null; the caller's contract: valid for a write of `length` bytes, and `size` is not more.
        unsafe {
            param
                .cast::<u8>()
                .copy_from_nonoverlapping(number.to_le_bytes().as_ptr(), size)
        };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { paramRetSize.write(size) };
        Ok(())
    })())
}

/// Returns the number of a kind of parameter that a program may set, and the bytes of its value.
fn parameter(
    call: &str,
    kind: acldvppChannelDescParamType,
    length: usize,
) -> Result<(usize, usize), aclError> {
    let number = kind.0 as usize;
    let size = PARAMETERS
        .get(number)
        .copied()
        .filter(|size| (1..=*size).contains(&length));
    size.map(|size| (number, size)).ok_or_else(|| {
        invalid(
            call,
            format_args!("{kind:?} does not exist or has no {length} bytes"),
        )
    })
}

pub(crate) unsafe extern "C" fn acldvppCreateChannel(
    channelDesc: *mut acldvppChannelDesc,
) -> aclError {
    let call = "acldvppCreateChannel";
    status((|| {
        not_null(call, "channelDesc", channelDesc)?;
        ready(call)?;
        current(call)?;
        let id = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        let before = CHANNELS.with(call, "channelDesc", channelDesc, &mut |channel| {
            let before = channel.id;
            if before == 0 {
                channel.id = id;
            }
            before
        })?;
        if before != 0 {
            return Err(invalid(
                call,
                format_args!("the channel exists already, with the number {before}"),
            ));
        }
        generation::uses(call, Generation::First);
        object::known(call, channelDesc.addr());
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn acldvppDestroyChannel(
    channelDesc: *mut acldvppChannelDesc,
) -> aclError {
    let call = "acldvppDestroyChannel";
    status((|| {
        not_null(call, "channelDesc", channelDesc)?;
        let id = CHANNELS.with(call, "channelDesc", channelDesc, &mut |channel| channel.id)?;
        if id == 0 {
            return Err(invalid(call, format_args!("the channel was not created")));
        }
        check::tell(call, &|checker, site| {
            checker.free(channelDesc.addr(), &site)
        });
        CHANNELS.with(call, "channelDesc", channelDesc, &mut |channel| {
            channel.id = 0
        })
    })())
}
