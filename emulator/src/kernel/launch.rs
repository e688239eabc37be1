//! Launches (`acl/acl_rt.h`): the calls that queue a kernel, and the checks that they share.
//!
//! The arguments are copied during the call, placeholders with their data among them. Only those of `aclrtLaunchKernel` and
//! `aclrtLaunchKernelV2` lie in device memory, and the task reads them. The emulator knows the parameters of a kernel, so it
//! refuses arguments of another number or size (107000), which are undefined behaviour on a card.

use std::ffi::c_void;
use std::ptr;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use ascendcl_sys::{
    ACL_ERROR_RT_PARAM_INVALID, ACL_SUCCESS, aclError, aclrtArgsHandle, aclrtFuncHandle,
    aclrtLaunchKernelCfg, aclrtPlaceHolderInfo, aclrtStream,
};

use super::config::{self, Config};
use super::function::{self, Function};
use super::given;
use super::list;
use super::memory::{self, Memory};
use super::packed::{self, Packed};
use super::task::{Arguments, Launch, Stored};
use crate::check::{self, Touch, violated};
use crate::engine::submit::{find, own, push_told};
use crate::engine::task::Task;
use crate::engine::worker::LARGE;
use crate::error::fail;
use crate::object_calls::{attempt, invalid_below, status};
use crate::observe::violation::What;
use crate::results::list_of;
use crate::space::place::Place;
use crate::space::{is_device_range, space};

/// The largest number of blocks: a task has 16 bits for it (source of the runtime).
const BLOCKS: u32 = 65_535;

/// A launch whose function, blocks and attributes were checked.
struct Checked {
    call: &'static str,
    function: Arc<Function>,
    blocks: u32,
    config: Config,
    /// The bytes behind the pointers, where the typed API has told them.
    lengths: Vec<usize>,
}

/// Refuses arguments, and reports them to the checker.
#[cold]
pub(super) fn refuse_arguments(call: &'static str, why: &str) -> aclError {
    violated(call, What::KernelArguments, format_args!("{why}"));
    fail(
        ACL_ERROR_RT_PARAM_INVALID,
        format_args!("{call} failed: {why}"),
    )
}

/// Checks the function, the blocks and the attributes of a launch.
///
/// # Safety
///
/// - `config` is null or valid for a read, and its attributes are as many as it says.
unsafe fn check_launch(
    call: &'static str,
    func: *const c_void,
    blocks: u32,
    config: *const aclrtLaunchKernelCfg,
) -> Result<Checked, aclError> {
    let lengths = memory::take_lengths();
    let function = function::find(call, func)?;
    if blocks == 0 || blocks > BLOCKS {
        return Err(invalid_below(
            call,
            format_args!("numBlocks is {blocks}; pass 1 to {BLOCKS}"),
        ));
    }
    // SAFETY: the contract.
    let config = unsafe { config::read(call, config, blocks) }?;
    Ok(Checked {
        call,
        function,
        blocks,
        config,
        lengths,
    })
}

impl Checked {
    /// Queues the launch with packed arguments. `places` has the offset of each placeholder with that of its data.
    fn queue_packed(
        self,
        packed: Packed,
        places: &[(usize, usize)],
        stream: aclrtStream,
    ) -> Result<(), aclError> {
        let (call, function) = (self.call, &self.function);
        let placeholders = packed::check(&function.kernel, &packed, places);
        let placeholders = placeholders.map_err(|why| refuse_arguments(call, &why))?;
        let memories = memory::all(call, function, &packed, &placeholders, &self.lengths);
        let memories = memories.map_err(|why| why.refuse(call))?;
        let touches = memory::touches(&memories);
        let arguments = Arguments::Packed { packed, memories };
        self.queue(arguments, touches, stream)
    }

    /// Queues the launch with arguments in device memory.
    fn queue_stored(self, address: usize, len: usize, stream: aclrtStream) -> Result<(), aclError> {
        let call = self.call;
        packed::check_size(len).map_err(|why| refuse_arguments(call, &why))?;
        let place = Place::new(space(), address, len.max(1));
        let Some(place) = place.filter(|_| is_device_range(address, len.max(1))) else {
            let why = format!(
                "argsData is {address:#x}, where a device has no {len} bytes; copy the arguments to memory of aclrtMalloc, \
                 or call aclrtLaunchKernelWithHostArgs"
            );
            return Err(refuse_arguments(call, &why));
        };
        let stored = Stored { place, len };
        // The memory that the arguments lead to now; the task reads them when its turn comes.
        let packed = stored.read().ok();
        let memories = packed.and_then(|packed| {
            let function = &self.function;
            memory::all(call, function, &packed, &[], &self.lengths).ok()
        });
        let (mut touches, _) = memory::touches(&memories.unwrap_or_default());
        for touch in &mut touches {
            (touch.dense, touch.maybe) = (false, true);
        }
        touches.push(Touch {
            maybe: true,
            dense: false,
            ..Touch::read(address, len)
        });
        self.queue(Arguments::Stored(stored), (touches, false), stream)
    }

    fn queue(
        self,
        arguments: Arguments,
        (touches, is_certain): (Vec<Touch>, bool),
        stream: aclrtStream,
    ) -> Result<(), aclError> {
        let call = self.call;
        let target = own(call, find(call, stream)?)?;
        let context = target.stream.context();
        let device = context.map(|context| context.device.load(Ordering::Relaxed));
        let own = self.function.binary.device();
        if device.is_some_and(|device| device != own) {
            return Err(invalid_below(
                call,
                format_args!(
                    "the stream is of another device than the binary of {}, which was loaded on device {own}",
                    self.function.kernel.name
                ),
            ));
        }
        let bytes = touches.iter().map(|touch| touch.len);
        let is_large = bytes.fold(0, usize::saturating_add) >= LARGE;
        let tell = |number| {
            check::tell(call, &|checker, site| {
                let slot = target.stream.slot();
                checker.uses_object(self.function.handle, slot, number, Arc::clone(&site));
                checker.queued(slot, number, touches.clone(), !is_certain, site);
            });
        };
        let launch = Launch {
            call,
            function: Arc::clone(&self.function),
            blocks: self.blocks,
            config: self.config,
            arguments,
            site: check::issuer(call),
        };
        let make = |_| Task::Other(Box::new(launch));
        match push_told(call, target, is_large, &tell, make) {
            ACL_SUCCESS => Ok(()),
            code => Err(code),
        }
    }
}

pub(crate) unsafe extern "C" fn aclrtLaunchKernelWithHostArgs(
    funcHandle: aclrtFuncHandle,
    numBlocks: u32,
    stream: aclrtStream,
    cfg: *mut aclrtLaunchKernelCfg,
    hostArgs: *mut c_void,
    argsSize: usize,
    placeHolderArray: *mut aclrtPlaceHolderInfo,
    placeHolderNum: usize,
) -> aclError {
    let call = "aclrtLaunchKernelWithHostArgs";
    given!(call, acl [funcHandle, hostArgs]);
    // SAFETY: the same contract.
    let checked = attempt!(unsafe { check_launch(call, funcHandle, numBlocks, cfg) });
    if placeHolderArray.is_null() && placeHolderNum > 0 {
        return invalid_below(
            call,
            format_args!("there shall be {placeHolderNum} placeholders, and their address is NULL"),
        );
    }
    let places = if placeHolderNum == 0 {
        &[][..]
    } else {
        // SAFETY: not null, and as many as there are (the same contract).
        unsafe { slice::from_raw_parts(placeHolderArray, placeHolderNum) }
    };
    let places = places.iter();
    let places = list_of(places.map(|one| (one.addrOffset as usize, one.dataOffset as usize)));
    attempt!(packed::check_size(argsSize).map_err(|why| refuse_arguments(call, &why)));
    // SAFETY: not null, and as many bytes (the same contract).
    let bytes = unsafe { slice::from_raw_parts(hostArgs.cast::<u8>(), argsSize) };
    status(checked.queue_packed(Packed::from_bytes(bytes), &places, stream))
}

/// Queues a kernel with one pointer to each argument.
pub(crate) unsafe extern "C" fn aclrtLaunchKernelWithArgsArray(
    func: *mut c_void,
    numBlocks: u32,
    stream: aclrtStream,
    cfg: *mut aclrtLaunchKernelCfg,
    args: *mut *mut c_void,
) -> aclError {
    let call = "aclrtLaunchKernelWithArgsArray";
    given!(call, acl [func, numBlocks]);
    // SAFETY: the same contract.
    let checked = attempt!(unsafe { check_launch(call, func, numBlocks, cfg) });
    let kernel = &checked.function.kernel;
    let count = kernel.parameters.len();
    if args.is_null() && count > 0 {
        return refuse_arguments(
            call,
            &format!("args is NULL, and {} has {count} parameters", kernel.name),
        );
    }
    let all = if count == 0 {
        &[][..]
    } else {
        // SAFETY: not null, and a pointer for each parameter (the same contract).
        unsafe { slice::from_raw_parts(args, count) }
    };
    let mut packed = Packed::new(kernel.end);
    for (number, (parameter, argument)) in kernel.parameters.iter().zip(all).enumerate() {
        if argument.is_null() {
            let name = kernel.parameter(number);
            return refuse_arguments(
                call,
                &format!("the pointer to {name} of {} is NULL", kernel.name),
            );
        }
        // SAFETY: not null, and valid for the bytes of the parameter (the same contract).
        let bytes = unsafe { slice::from_raw_parts(argument.cast::<u8>(), parameter.size) };
        packed.put(parameter.offset, bytes);
    }
    status(checked.queue_packed(packed, &[], stream))
}

/// Queues a kernel with a list of arguments. A list that is complete may be launched again.
pub(crate) unsafe extern "C" fn aclrtLaunchKernelWithConfig(
    funcHandle: aclrtFuncHandle,
    numBlocks: u32,
    stream: aclrtStream,
    cfg: *mut aclrtLaunchKernelCfg,
    argsHandle: aclrtArgsHandle,
    _reserve: *mut c_void,
) -> aclError {
    let call = "aclrtLaunchKernelWithConfig";
    given!(call, acl [funcHandle, numBlocks, argsHandle]);
    // SAFETY: the same contract.
    let checked = attempt!(unsafe { check_launch(call, funcHandle, numBlocks, cfg) });
    let (packed, places) = attempt!(list::packed(call, argsHandle, &checked.function));
    status(checked.queue_packed(packed, &places, stream))
}

pub(crate) unsafe extern "C" fn aclrtLaunchKernel(
    funcHandle: aclrtFuncHandle,
    numBlocks: u32,
    argsData: *const c_void,
    argsSize: usize,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtLaunchKernel";
    given!(call, acl [funcHandle, argsData]);
    // SAFETY: there are no attributes.
    let checked = unsafe { check_launch(call, funcHandle, numBlocks, ptr::null()) };
    status(attempt!(checked).queue_stored(argsData.addr(), argsSize, stream))
}

pub(crate) unsafe extern "C" fn aclrtLaunchKernelV2(
    funcHandle: aclrtFuncHandle,
    numBlocks: u32,
    argsData: *const c_void,
    argsSize: usize,
    cfg: *mut aclrtLaunchKernelCfg,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtLaunchKernelV2";
    given!(call, acl [funcHandle, argsData]);
    // SAFETY: the same contract.
    let checked = attempt!(unsafe { check_launch(call, funcHandle, numBlocks, cfg) });
    status(checked.queue_stored(argsData.addr(), argsSize, stream))
}

/// Returns the memory of a launch whose arguments lay in device memory.
pub(super) fn memories_of(
    call: &'static str,
    function: &Function,
    packed: &Packed,
) -> Result<Vec<Memory>, String> {
    packed::check(&function.kernel, packed, &[])?;
    let memories = memory::all(call, function, packed, &[], &[]);
    memories.map_err(|why| match why {
        memory::Unusable::Freed(text) | memory::Unusable::Wrong(text) => text,
    })
}
