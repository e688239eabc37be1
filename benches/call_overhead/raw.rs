//! The raw side: C calls with the checks of a careful C program around them.

use std::ffi::c_void;
use std::ptr::null_mut;

use ascendcl::sys::{self, ACL_SUCCESS, aclrtEvent, aclrtMemcpyKind, aclrtStream};

/// The status of a failed call.
pub(crate) type Status = sys::aclError;

/// Checks a status.
#[inline(always)]
pub(crate) fn check(status: Status) -> Result<(), Status> {
    if status == ACL_SUCCESS {
        Ok(())
    } else {
        Err(refused(status))
    }
}

/// The place where a C program prints the status.
#[cold]
#[inline(never)]
pub(crate) fn refused(status: Status) -> Status {
    status
}

/// The place where a C program prints two lengths that should be equal.
#[cold]
#[inline(never)]
pub(crate) fn lengths_differ(source: usize, target: usize) -> Status {
    std::hint::black_box((source, target));
    sys::ACL_ERROR_INVALID_PARAM
}

/// The bytes of a number of elements. The number is an input of the program and may be any.
#[inline(always)]
pub(crate) fn bytes_of(len: usize) -> Result<usize, Status> {
    match len.checked_mul(size_of::<f32>()) {
        None | Some(0) => Err(refused(sys::ACL_ERROR_INVALID_PARAM)),
        Some(bytes) => Ok(bytes),
    }
}

/// Calls that return only a status.
macro_rules! calls {
    ($($name:ident = $function:ident($($arg:ident: $type:ty),*);)*) => { $(
        #[inline(always)]
        pub(crate) fn $name($($arg: $type),*) -> Result<(), Status> {
            // SAFETY: the backend of this program only notes handles and addresses.
            check(unsafe { sys::$function($($arg),*) })
        }
    )* };
}

calls! {
    memcpy = aclrtMemcpy(to: *mut c_void, room: usize, from: *const c_void, count: usize, kind: aclrtMemcpyKind);
    memcpy_async = aclrtMemcpyAsync(to: *mut c_void, room: usize, from: *const c_void, count: usize, kind: aclrtMemcpyKind, stream: aclrtStream);
    memset = aclrtMemset(to: *mut c_void, room: usize, value: i32, count: usize);
    memset_async = aclrtMemsetAsync(to: *mut c_void, room: usize, value: i32, count: usize, stream: aclrtStream);
    record = aclrtRecordEvent(event: aclrtEvent, stream: aclrtStream);
    wait = aclrtStreamWaitEvent(stream: aclrtStream, event: aclrtEvent);
    synchronize = aclrtSynchronizeStream(stream: aclrtStream);
    run_graph = aclmdlRIExecuteAsync(instance: sys::aclmdlRI, stream: aclrtStream);
    synchronize_event = aclrtSynchronizeEvent(event: aclrtEvent);
    destroy_event = aclrtDestroyEvent(event: aclrtEvent);
    free = aclrtFree(pointer: *mut c_void);
    free_host = aclrtFreeHost(pointer: *mut c_void);
    destroy_tensor = aclDestroyTensor(tensor: *const sys::aclTensor);
    mul = aclnnMul(workspace: *mut c_void, size: u64, executor: *mut sys::aclOpExecutor, stream: aclrtStream);
    relu = aclnnRelu(workspace: *mut c_void, size: u64, executor: *mut sys::aclOpExecutor, stream: aclrtStream);
    adam = aclnnApplyAdamWV2(workspace: *mut c_void, size: u64, executor: *mut sys::aclOpExecutor, stream: aclrtStream);
}

/// Launches a kernel without attributes.
#[inline(always)]
pub(crate) fn launch(
    function: sys::aclrtFuncHandle,
    blocks: u32,
    stream: aclrtStream,
    arguments: *mut c_void,
    bytes: usize,
) -> Result<(), Status> {
    let none = null_mut();
    // SAFETY: the backend of this program only notes handles and addresses, and reads the words of the arguments.
    check(unsafe {
        sys::aclrtLaunchKernelWithHostArgs(
            function,
            blocks,
            stream,
            none,
            arguments,
            bytes,
            null_mut(),
            0,
        )
    })
}

/// Calls that write a handle or an address.
macro_rules! creating {
    ($($name:ident = $function:ident($($arg:ident: $type:ty = $value:expr),*);)*) => { $(
        #[inline(always)]
        pub(crate) fn $name($($arg: $type),*) -> Result<*mut c_void, Status> {
            let mut created = null_mut();
            // SAFETY: `created` is valid for a write.
            check(unsafe { sys::$function(&raw mut created, $($value),*) })?;
            not_null(created)
        }
    )* };
}

creating! {
    malloc_with = aclrtMalloc(bytes: usize = bytes, policy: sys::aclrtMemMallocPolicy = policy);
    malloc_host = aclrtMallocHost(bytes: usize = bytes);
    create_event = aclrtCreateEventExWithFlag(flags: u32 = flags);
}

/// Checks the result of a call of HCCL, whose codes are other ones.
#[inline(always)]
fn check_hccl(code: sys::HcclResult) -> Result<(), Status> {
    if code == sys::HCCL_SUCCESS {
        Ok(())
    } else {
        Err(refused(code.0))
    }
}

/// Adds up `count` numbers of all ranks.
#[inline(always)]
pub(crate) fn all_reduce(
    [send, recv]: [*mut c_void; 2],
    count: u64,
    comm: sys::HcclComm,
    stream: aclrtStream,
) -> Result<(), Status> {
    let (data_type, operation) = (sys::HCCL_DATA_TYPE_FP32, sys::HCCL_REDUCE_SUM);
    // SAFETY: the backend of this program only notes handles and addresses.
    check_hccl(unsafe { sys::HcclAllReduce(send, recv, count, data_type, operation, comm, stream) })
}

/// Gathers the numbers of all ranks, `count` of this one. The lists have the lengths and the places of all ranks.
#[inline(always)]
pub(crate) fn all_gather_v(
    [send, recv]: [*mut c_void; 2],
    count: u64,
    [counts, starts]: [*const c_void; 2],
    comm: sys::HcclComm,
    stream: aclrtStream,
) -> Result<(), Status> {
    let data_type = sys::HCCL_DATA_TYPE_FP32;
    // SAFETY: the backend of this program only notes handles and addresses.
    let code =
        unsafe { sys::HcclAllGatherV(send, count, recv, counts, starts, data_type, comm, stream) };
    check_hccl(code)
}

/// Checks the queued work of a communicator.
#[inline(always)]
pub(crate) fn async_error(comm: sys::HcclComm) -> Result<(), Status> {
    let mut failure = sys::HCCL_SUCCESS;
    // SAFETY: `failure` is valid for a write.
    check_hccl(unsafe { sys::HcclGetCommAsyncError(comm, &raw mut failure) })?;
    check_hccl(failure)
}

/// `aclrtMalloc`.
#[inline(always)]
pub(crate) fn malloc(bytes: usize) -> Result<*mut c_void, Status> {
    malloc_with(bytes, sys::ACL_MEM_MALLOC_HUGE_FIRST)
}

/// Checks the result of a call that creates something.
#[inline(always)]
pub(crate) fn not_null<T>(created: *mut T) -> Result<*mut T, Status> {
    if created.is_null() {
        return Err(refused(sys::ACL_ERROR_BAD_ALLOC));
    }
    Ok(created)
}

/// A contiguous tensor of one dimension.
#[inline(always)]
pub(crate) fn tensor(
    data: *mut c_void,
    len: i64,
    data_type: sys::aclDataType,
) -> Result<*mut sys::aclTensor, Status> {
    let (shape, strides) = ([len], [1]);
    let (shape, strides) = (shape.as_ptr(), strides.as_ptr());
    let format = sys::ACL_FORMAT_ND;
    // SAFETY: both arrays have one element.
    not_null(unsafe {
        sys::aclCreateTensor(shape, 1, data_type, strides, 0, format, shape, 1, data)
    })
}

/// Releases the descriptions that were made before a step failed.
#[cold]
#[inline(never)]
fn undo<const N: usize>(status: Status, tensors: [*mut sys::aclTensor; N]) -> Status {
    for tensor in tensors {
        // The first failure is the one to report.
        let _ = destroy_tensor(tensor);
    }
    status
}

/// Frees the descriptions of an operator whose first phase has failed, or makes its workspace.
#[inline(always)]
fn planned<const N: usize>(
    tensors: [*mut sys::aclTensor; N],
    prepare: impl FnOnce(*mut u64, *mut *mut sys::aclOpExecutor) -> Status,
) -> Result<(u64, *mut sys::aclOpExecutor, *mut c_void), Status> {
    let (mut size, mut executor) = (0, null_mut());
    check(prepare(&raw mut size, &raw mut executor)).map_err(|status| undo(status, tensors))?;
    let executor = not_null(executor).map_err(|status| undo(status, tensors))?;
    let workspace = match size {
        0 => null_mut(),
        _ => bytes_of_workspace(size)
            .and_then(malloc)
            .map_err(|status| undo(status, tensors))?,
    };
    Ok((size, executor, workspace))
}

/// `out = max(operand, 0)`, launched. Gives back the workspace with its size, for a later operator, as the typed launch.
#[inline(always)]
pub(crate) fn launch_relu(
    [operand, out]: [*mut c_void; 2],
    len: i64,
    stream: aclrtStream,
) -> Result<(*mut c_void, u64), Status> {
    let operand = tensor(operand, len, sys::ACL_FLOAT)?;
    let out = tensor(out, len, sys::ACL_FLOAT).map_err(|status| undo(status, [operand]))?;
    // SAFETY: live tensors, and both addresses are valid for a write.
    let prepare =
        |size, executor| unsafe { sys::aclnnReluGetWorkspaceSize(operand, out, size, executor) };
    let (size, executor, workspace) = planned([operand, out], prepare)?;
    relu(workspace, size, executor, stream)?;
    destroy_tensor(operand)?;
    destroy_tensor(out)?;
    Ok((workspace, size))
}

/// The numbers of a step of AdamW: the rate, both decays of means, the decay of weights, and what is added to divisors.
pub(crate) const STEP: [f32; 5] = [1e-3, 0.9, 0.999, 1e-2, 1e-8];

/// A step of AdamW, launched. Gives back the workspace with its size.
#[inline(always)]
pub(crate) fn launch_adam(
    [parameters, mean, square, gradient, step]: [*mut c_void; 5],
    len: i64,
    stream: aclrtStream,
) -> Result<(*mut c_void, u64), Status> {
    let parameters = tensor(parameters, len, sys::ACL_FLOAT)?;
    let mean = tensor(mean, len, sys::ACL_FLOAT).map_err(|status| undo(status, [parameters]))?;
    let square =
        tensor(square, len, sys::ACL_FLOAT).map_err(|status| undo(status, [parameters, mean]))?;
    let gradient = tensor(gradient, len, sys::ACL_FLOAT)
        .map_err(|status| undo(status, [parameters, mean, square]))?;
    let step = tensor(step, 1, sys::ACL_INT64)
        .map_err(|status| undo(status, [parameters, mean, square, gradient]))?;
    let [lr, beta1, beta2, decay, eps] = STEP;
    let all = [parameters, mean, square, gradient, step];
    let (size, executor, workspace) = planned(all, |size, executor| {
        // SAFETY: live tensors, null for one that is left out, and both addresses are valid for a write.
        unsafe {
            sys::aclnnApplyAdamWV2GetWorkspaceSize(
                parameters,
                mean,
                square,
                null_mut(),
                gradient,
                step,
                lr,
                beta1,
                beta2,
                decay,
                eps,
                false,
                false,
                size,
                executor,
            )
        }
    })?;
    adam(workspace, size, executor, stream)?;
    for tensor in all {
        destroy_tensor(tensor)?;
    }
    Ok((workspace, size))
}

/// An operator between its two phases.
pub(crate) struct Prepared {
    tensors: [*mut sys::aclTensor; 3],
    executor: *mut sys::aclOpExecutor,
    pub(crate) workspace: *mut c_void,
    size: u64,
}

/// The first phase of a product.
#[inline(always)]
fn prepare_mul(
    [left, right, out]: [*mut sys::aclTensor; 3],
) -> Result<(u64, *mut sys::aclOpExecutor), Status> {
    let (mut size, mut executor) = (0, null_mut());
    // SAFETY: live tensors, and both addresses are valid for a write.
    check(unsafe {
        sys::aclnnMulGetWorkspaceSize(left, right, out, &raw mut size, &raw mut executor)
    })?;
    Ok((size, not_null(executor)?))
}

#[inline(always)]
fn destroy_executor(executor: *mut sys::aclOpExecutor) -> Result<(), Status> {
    // SAFETY: repeatable, or never launched.
    check(unsafe { sys::aclDestroyAclOpExecutor(executor) })
}

#[inline(always)]
fn bytes_of_workspace(size: u64) -> Result<usize, Status> {
    usize::try_from(size).map_err(|_| refused(sys::ACL_ERROR_BAD_ALLOC))
}

impl Prepared {
    /// The first phase of `out = left * right`.
    #[inline(always)]
    pub(crate) fn mul(
        [left, right, out]: [*mut c_void; 3],
        len: i64,
        data_type: sys::aclDataType,
    ) -> Result<Prepared, Status> {
        let left = tensor(left, len, data_type)?;
        let right = tensor(right, len, data_type).map_err(|status| undo(status, [left]))?;
        let out = tensor(out, len, data_type).map_err(|status| undo(status, [left, right]))?;
        let all = [left, right, out];
        let (mut size, mut executor) = (0, null_mut());
        // SAFETY: live tensors, and both addresses are valid for a write.
        check(unsafe {
            sys::aclnnMulGetWorkspaceSize(left, right, out, &raw mut size, &raw mut executor)
        })
        .map_err(|status| undo(status, all))?;
        let executor = not_null(executor).map_err(|status| undo(status, all))?;
        let workspace = if size == 0 {
            null_mut()
        } else {
            let size = usize::try_from(size).map_err(|_| refused(sys::ACL_ERROR_BAD_ALLOC))?;
            malloc(size).map_err(|status| undo(status, all))?
        };
        Ok(Prepared {
            tensors: [left, right, out],
            executor,
            workspace,
            size,
        })
    }

    /// [`Prepared::mul`] with an executor that runs several times. The first phase is called twice, as for a plan that is
    /// made repeatable when others were prepared since.
    #[inline(always)]
    pub(crate) fn repeatable(
        [left, right, out]: [*mut c_void; 3],
        len: i64,
        data_type: sys::aclDataType,
    ) -> Result<Prepared, Status> {
        let tensors = [
            tensor(left, len, data_type)?,
            tensor(right, len, data_type)?,
            tensor(out, len, data_type)?,
        ];
        let (_, first) = prepare_mul(tensors)?;
        destroy_executor(first)?;
        let (size, executor) = prepare_mul(tensors)?;
        // SAFETY: an executor that has not run.
        check(unsafe { sys::aclSetAclOpExecutorRepeatable(executor) })?;
        let workspace = malloc(bytes_of_workspace(size)?)?;
        Ok(Prepared {
            tensors,
            executor,
            workspace,
            size,
        })
    }

    /// Releases a repeatable executor.
    #[inline(always)]
    pub(crate) fn destroy(&self) -> Result<(), Status> {
        destroy_executor(self.executor)
    }

    /// The second phase.
    #[inline(always)]
    pub(crate) fn launch(&self, stream: aclrtStream) -> Result<(), Status> {
        mul(self.workspace, self.size, self.executor, stream)
    }

    /// Releases the descriptions.
    #[inline(always)]
    pub(crate) fn forget_operands(&self) -> Result<(), Status> {
        let [left, right, out] = self.tensors;
        destroy_tensor(left)?;
        destroy_tensor(right)?;
        destroy_tensor(out)
    }

    /// Releases the workspace, when no stream uses it any more.
    #[inline(always)]
    pub(crate) fn free_workspace(&self) -> Result<(), Status> {
        if self.workspace.is_null() {
            return Ok(());
        }
        free(self.workspace)
    }
}
