//! Lists of arguments (`aclrtKernelArgs*` of `acl/acl_rt.h`).
//!
//! In a list of the runtime each value lies at a multiple of 8. A kernel here gets each value at the offset of its parameter,
//! and the sizes tell whether a value is the one of its parameter. A list can be launched when it is finalised, and no more
//! after an update. The memory that a program gives for a list is not used: it only names the list.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_sys::{ACL_SUCCESS, aclError, aclrtArgsHandle, aclrtFuncHandle, aclrtParamHandle};

use super::function::{self, Function};
use super::given;
use super::launch::refuse_arguments;
use super::packed::{self, Packed};
use crate::check;
use crate::engine::submit;
use crate::handles::registry::Registry;
use crate::object_calls::{attempt, invalid_below, write};
use crate::ordered::Ordered;
use crate::sync::{Mutex, lock};

/// Each value of a list is at a multiple of these bytes.
const STEP: usize = 8;
/// The bytes that a program gives for a list.
const HANDLE: usize = 64;
/// The top byte of the handles of lists.
const OF_LISTS: u8 = 0x6b;
/// The top byte of the handles of parameters. With that of lists, a list would be taken for a parameter where the generation of
/// the one is the number of the other.
const PARAMETER: usize = 0x6e << 56;
const _: () = assert!(PARAMETER >> 56 != OF_LISTS as usize);

/// A list of arguments.
#[derive(Debug)]
struct List {
    /// A number that no other list has.
    id: u32,
    function: Arc<Function>,
    values: Vec<Value>,
    is_final: bool,
}

/// An argument of a list.
#[derive(Debug)]
enum Value {
    Bytes(Vec<u8>),
    /// A pointer to data that the launch copies behind the arguments; `None` until the program has asked for its room.
    Placeholder(Option<Room>),
}

/// Room for the data of a placeholder, to which the program has a pointer.
///
/// # Invariants
///
/// - `first` leads to as many words, which nobody else frees.
#[derive(Debug)]
struct Room {
    first: NonNull<u64>,
    words: usize,
    /// The bytes that the program has asked for.
    len: usize,
}

// SAFETY: the words belong to the list; the program may write them until a launch copies them.
unsafe impl Send for Room {}

impl Room {
    fn new(len: usize) -> Room {
        let words: Box<[u64]> = vec![0; len.div_ceil(STEP)].into();
        let (words, count) = (Box::into_raw(words), len.div_ceil(STEP));
        // INVARIANT: the box has so many words, and is not dropped here.
        Room {
            first: NonNull::new(words.cast()).unwrap_or(NonNull::dangling()),
            words: count,
            len,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len];
        let from = self.first.as_ptr().cast::<u8>();
        // SAFETY: the room has the bytes (invariant). A program that writes them during the launch breaks the rules of C.
        unsafe { bytes.as_mut_ptr().copy_from_nonoverlapping(from, self.len) };
        bytes
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let words = ptr::slice_from_raw_parts_mut(self.first.as_ptr(), self.words);
        // SAFETY: the words of the box of `new` (invariant).
        drop(unsafe { Box::from_raw(words) });
    }
}

/// The lists that the runtime has made: one for each thread.
static LISTS: Registry<List> = Registry::new(OF_LISTS);
/// The lists in memory of the program, by their addresses.
static OF_PROGRAM: Mutex<Ordered<List>> = Mutex::new(Ordered::new());

/// The list of a thread, which ends with it.
struct Own(Cell<usize>);

impl Drop for Own {
    fn drop(&mut self) {
        end(self.0.get(), "the end of its thread");
    }
}

thread_local! {
    static OWN: Own = const { Own(Cell::new(0)) };
}

/// Ends a list that the runtime has made.
fn end(handle: usize, call: &str) {
    if LISTS.remove(handle) {
        check::tell(call, &|checker, site| checker.destroyed(handle, &site));
    }
}

impl List {
    fn new(function: Arc<Function>) -> List {
        static LAST: AtomicU32 = AtomicU32::new(0);
        List {
            id: LAST.fetch_add(1, Ordering::Relaxed) & 0xff_ffff,
            function,
            values: Vec::new(),
            is_final: false,
        }
    }

    /// Returns the handle of the last argument.
    fn last(&self) -> aclrtParamHandle {
        let bits = PARAMETER | (self.id as usize) << 32 | self.values.len();
        ptr::without_provenance_mut(bits)
    }

    /// Returns the number of the argument of a handle.
    fn number(&self, parameter: aclrtParamHandle) -> Option<usize> {
        let first = PARAMETER | (self.id as usize) << 32;
        let number = parameter.addr().checked_sub(first)?.checked_sub(1)?;
        (number < self.values.len()).then_some(number)
    }

    /// Checks the size of an argument.
    fn fits(&self, number: usize, size: usize) -> Result<(), String> {
        let kernel = &self.function.kernel;
        match kernel.parameters.get(number) {
            Some(parameter) if parameter.size == size => Ok(()),
            Some(parameter) => Err(format!(
                "{} of {} has {} bytes, and the argument has {size}",
                kernel.parameter(number),
                kernel.name,
                parameter.size
            )),
            None => Err(format!(
                "{} has {} parameters, and this is argument {number}, counted from 0",
                kernel.name,
                kernel.parameters.len()
            )),
        }
    }
}

/// Uses the list of a handle.
fn with<R>(
    call: &'static str,
    handle: aclrtArgsHandle,
    work: &mut dyn FnMut(&mut List) -> Result<R, aclError>,
) -> Result<R, aclError> {
    if let Some(mut held) = LISTS.hold(handle.addr())
        && let Some(list) = held.value()
    {
        return work(list);
    }
    let mut of_program = lock(&OF_PROGRAM);
    match of_program.get_mut(handle.addr()) {
        Some(list) => work(list),
        None => {
            drop(of_program);
            Err(submit::stale(call, LIST, handle.addr()))
        }
    }
}

/// The kind of lists in reports.
const LIST: &str = check::ARGUMENTS;

/// Uses an argument of a list.
fn with_value<R>(
    call: &'static str,
    handle: aclrtArgsHandle,
    parameter: aclrtParamHandle,
    work: &mut dyn FnMut(&mut List, usize) -> Result<R, aclError>,
) -> Result<R, aclError> {
    with(call, handle, &mut |list| match list.number(parameter) {
        Some(number) => work(list, number),
        None => Err(invalid_below(
            call,
            format_args!("{parameter:p} is no argument of this list"),
        )),
    })
}

/// Returns the packed arguments of a list that is complete, with the offsets of its placeholders and of their data.
pub(super) fn packed(
    call: &'static str,
    handle: aclrtArgsHandle,
    function: &Arc<Function>,
) -> Result<(Packed, Vec<(usize, usize)>), aclError> {
    with(call, handle, &mut |list| {
        let kernel = &function.kernel;
        if !Arc::ptr_eq(&list.function, function) {
            let other = &list.function.kernel.name;
            let why = format!(
                "the arguments are those of {other}, and not of {}",
                kernel.name
            );
            return Err(refuse_arguments(call, &why));
        }
        if !list.is_final {
            let why = "the list of arguments is not finalised since the last change; call aclrtKernelArgsFinalize";
            return Err(refuse_arguments(call, why));
        }
        let mut end = kernel.end.next_multiple_of(STEP);
        let mut places = Vec::new();
        let mut data = Vec::new();
        for (parameter, value) in kernel.parameters.iter().zip(&list.values) {
            if let Value::Placeholder(Some(room)) = value {
                places.push((parameter.offset, end));
                data.push((end, room.bytes()));
                end += room.words * STEP;
            }
        }
        let mut packed = Packed::new(end);
        for (parameter, value) in kernel.parameters.iter().zip(&list.values) {
            if let Value::Bytes(bytes) = value {
                packed.put(parameter.offset, bytes);
            }
        }
        for (start, bytes) in &data {
            packed.put(*start, bytes);
        }
        Ok((packed, places))
    })
}

pub(crate) unsafe extern "C" fn aclrtKernelArgsInit(
    funcHandle: aclrtFuncHandle,
    argsHandle: *mut aclrtArgsHandle,
) -> aclError {
    let call = "aclrtKernelArgsInit";
    given!(call, acl [funcHandle, argsHandle]);
    let function = attempt!(function::find(call, funcHandle));
    let handle = LISTS.insert(List::new(function)).unwrap_or(0);
    check::tell(call, &|checker, site| checker.created(handle, LIST, site));
    // An ending thread has no list.
    let before = OWN.try_with(|own| own.0.replace(handle));
    end(before.unwrap_or(0), call);
    // SAFETY: not null; the same contract.
    unsafe { write(argsHandle, ptr::without_provenance_mut(handle)) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtKernelArgsInitByUserMem(
    funcHandle: aclrtFuncHandle,
    argsHandle: aclrtArgsHandle,
    userHostMem: *mut c_void,
    actualArgsSize: usize,
) -> aclError {
    let call = "aclrtKernelArgsInitByUserMem";
    given!(call, acl [funcHandle, argsHandle, userHostMem, actualArgsSize]);
    let function = attempt!(function::find(call, funcHandle));
    lock(&OF_PROGRAM).insert(argsHandle.addr(), List::new(function));
    ACL_SUCCESS
}

/// Writes the bytes of a list with arguments of so many bytes, each of which the program has counted up to a multiple of 8.
pub(crate) unsafe extern "C" fn aclrtKernelArgsGetMemSize(
    funcHandle: aclrtFuncHandle,
    userArgsSize: usize,
    actualArgsSize: *mut usize,
) -> aclError {
    let call = "aclrtKernelArgsGetMemSize";
    given!(call, acl [funcHandle, actualArgsSize]);
    attempt!(function::find(call, funcHandle));
    let size = userArgsSize.checked_next_multiple_of(STEP);
    // SAFETY: not null; the same contract.
    unsafe { write(actualArgsSize, size.unwrap_or(usize::MAX)) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtKernelArgsGetHandleMemSize(
    funcHandle: aclrtFuncHandle,
    memSize: *mut usize,
) -> aclError {
    let call = "aclrtKernelArgsGetHandleMemSize";
    given!(call, acl [funcHandle, memSize]);
    attempt!(function::find(call, funcHandle));
    // SAFETY: not null; the same contract.
    unsafe { write(memSize, HANDLE) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtKernelArgsAppend(
    argsHandle: aclrtArgsHandle,
    param: *mut c_void,
    paramSize: usize,
    paramHandle: *mut aclrtParamHandle,
) -> aclError {
    let call = "aclrtKernelArgsAppend";
    given!(call, acl [argsHandle, param, paramSize, paramHandle]);
    let added = with(call, argsHandle, &mut |list| {
        let fits = list.fits(list.values.len(), paramSize);
        fits.map_err(|why| refuse_arguments(call, &why))?;
        // SAFETY: not null, and as many bytes (the same contract).
        let bytes = unsafe { slice::from_raw_parts(param.cast::<u8>(), paramSize) };
        list.values.push(Value::Bytes(bytes.to_vec()));
        list.is_final = false;
        Ok(list.last())
    });
    // SAFETY: not null; the same contract.
    unsafe { write(paramHandle, attempt!(added)) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtKernelArgsAppendPlaceHolder(
    argsHandle: aclrtArgsHandle,
    paramHandle: *mut aclrtParamHandle,
) -> aclError {
    let call = "aclrtKernelArgsAppendPlaceHolder";
    given!(call, acl [argsHandle, paramHandle]);
    let added = with(call, argsHandle, &mut |list| {
        let number = list.values.len();
        let fits = list.fits(number, size_of::<usize>());
        fits.map_err(|why| refuse_arguments(call, &why))?;
        let kernel = &list.function.kernel;
        if !kernel.pointers().any(|(pointer, _)| pointer == number) {
            let why = format!(
                "{} of {} is no pointer",
                kernel.parameter(number),
                kernel.name
            );
            return Err(refuse_arguments(call, &why));
        }
        list.values.push(Value::Placeholder(None));
        list.is_final = false;
        Ok(list.last())
    });
    // SAFETY: not null; the same contract.
    unsafe { write(paramHandle, attempt!(added)) };
    ACL_SUCCESS
}

/// Writes the address of the data of a placeholder, which the program fills before the launch.
pub(crate) unsafe extern "C" fn aclrtKernelArgsGetPlaceHolderBuffer(
    argsHandle: aclrtArgsHandle,
    paramHandle: aclrtParamHandle,
    dataSize: usize,
    bufferAddr: *mut *mut c_void,
) -> aclError {
    let call = "aclrtKernelArgsGetPlaceHolderBuffer";
    given!(call, acl [argsHandle, paramHandle, dataSize, bufferAddr]);
    attempt!(packed::check_size(dataSize).map_err(|why| refuse_arguments(call, &why)));
    let buffer = with_value(call, argsHandle, paramHandle, &mut |list, number| {
        let count = list.function.kernel.parameters.len();
        if list.values.len() < count {
            let why = format!(
                "{} of {count} arguments are appended; the data of placeholders lie behind all of them, so append the \
                 others first",
                list.values.len()
            );
            return Err(refuse_arguments(call, &why));
        }
        match list.values.get_mut(number) {
            Some(Value::Placeholder(data)) => {
                // The program may have kept an earlier pointer.
                let room = match data {
                    Some(room) if room.len == dataSize => room,
                    _ => data.insert(Room::new(dataSize)),
                };
                let first = room.first.as_ptr();
                list.is_final = false;
                Ok(first)
            }
            _ => Err(invalid_below(
                call,
                format_args!("argument {number} is no placeholder"),
            )),
        }
    });
    // SAFETY: not null; the same contract.
    unsafe { write(bufferAddr, attempt!(buffer).cast()) };
    ACL_SUCCESS
}

/// Changes a value of a list, which has to be finalised again.
pub(crate) unsafe extern "C" fn aclrtKernelArgsParaUpdate(
    argsHandle: aclrtArgsHandle,
    paramHandle: aclrtParamHandle,
    param: *mut c_void,
    paramSize: usize,
) -> aclError {
    let call = "aclrtKernelArgsParaUpdate";
    given!(call, acl [argsHandle, paramHandle, param, paramSize]);
    let updated = with_value(call, argsHandle, paramHandle, &mut |list, number| {
        let fits = list.fits(number, paramSize);
        fits.map_err(|why| refuse_arguments(call, &why))?;
        match list.values.get_mut(number) {
            Some(Value::Bytes(value)) => {
                // SAFETY: not null, and as many bytes (the same contract).
                let bytes = unsafe { slice::from_raw_parts(param.cast::<u8>(), paramSize) };
                *value = bytes.to_vec();
                list.is_final = false;
                Ok(())
            }
            _ => Err(invalid_below(
                call,
                format_args!("argument {number} is a placeholder; write its data"),
            )),
        }
    });
    attempt!(updated);
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtKernelArgsFinalize(argsHandle: aclrtArgsHandle) -> aclError {
    let call = "aclrtKernelArgsFinalize";
    given!(call, acl[argsHandle]);
    let finalised = with(call, argsHandle, &mut |list| {
        let kernel = &list.function.kernel;
        let (passed, count) = (list.values.len(), kernel.parameters.len());
        if passed < count {
            let why = format!(
                "{} has {count} parameters, and {passed} arguments are appended",
                kernel.name
            );
            return Err(refuse_arguments(call, &why));
        }
        let mut values = list.values.iter();
        let is_empty = |value: &Value| matches!(value, Value::Placeholder(None));
        if let Some(number) = values.position(is_empty) {
            let why = format!(
                "argument {number} is a placeholder without data; call aclrtKernelArgsGetPlaceHolderBuffer"
            );
            return Err(refuse_arguments(call, &why));
        }
        list.is_final = true;
        Ok(())
    });
    attempt!(finalised);
    ACL_SUCCESS
}
