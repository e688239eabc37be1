//! Kernels in C++: shared objects that were built with the emulator's `kernel_operator.h`.
//!
//! For each kernel the shared object exports an object with the name of the kernel and `__ascendcl` behind it. The structures
//! below are those of the header.

use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;
use std::{io, mem, slice};

use super::block::{Block, Why};
use super::registered::{Kernel, Parameter, ParameterKind};
use super::used::How;
use crate::results::list_of;

/// The version of the structures.
const VERSION: u32 = 1;
/// The largest number of parameters (manual of the runtime, argument lists).
const PARAMETERS: u32 = 128;
/// The largest offset of a parameter that is believed.
const ARGUMENTS: u32 = 1 << 20;

/// `ascendcl_block`: what a block of a kernel gets.
#[repr(C)]
struct CBlock {
    index: u32,
    count: u32,
    block: *const c_void,
    touch: unsafe extern "C" fn(*const c_void, *const c_void, usize, c_int) -> c_int,
    print: unsafe extern "C" fn(*const c_void, *const c_char),
    sync: unsafe extern "C" fn(*const c_void) -> c_int,
}

/// `ascendcl_parameter`.
#[repr(C)]
#[derive(Clone, Copy)]
struct CParameter {
    offset: u32,
    size: u32,
    kind: u32,
}

type Run = unsafe extern "C" fn(*const CBlock, *const c_void, *mut c_char, usize) -> c_int;

/// `ascendcl_kernel`.
#[repr(C)]
struct CKernel {
    version: u32,
    count: u32,
    parameters: *const CParameter,
    run: Option<Run>,
}

/// A loaded shared object.
///
/// # Invariants
///
/// - `handle` is one of `dlopen` that was not closed.
#[derive(Debug)]
struct Loaded {
    handle: NonNull<c_void>,
    /// The file in memory that the loader knows by its number. The number must not name another file as long as the loader
    /// has this one, because it finds what it has by the name.
    file: Option<File>,
}

// SAFETY: the functions of the loader may be called by any thread with any handle (POSIX, `dlsym`: MT-safe).
unsafe impl Send for Loaded {}

// SAFETY: as above; nothing of it changes.
unsafe impl Sync for Loaded {}

/// A shared object, which is closed when neither a binary nor a queued launch needs it.
#[derive(Debug, Clone)]
pub(super) struct Library(Arc<Loaded>);

impl Library {
    /// Loads a file. What its kernels print, and what they store in variables, is that of this process.
    pub(super) fn open(path: &Path) -> Result<Library, String> {
        // The loader looks for names without a folder elsewhere.
        let whole = path.canonicalize().map_err(|error| error.to_string())?;
        Library::load(whole.as_os_str(), None)
    }

    /// Loads bytes, through a file in memory.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Library, String> {
        let name = c"ascendcl-kernels".as_ptr();
        // SAFETY: a string of C.
        let number = unsafe { libc::memfd_create(name, libc::MFD_CLOEXEC) };
        if number < 0 {
            return Err(io::Error::last_os_error().to_string());
        }
        // SAFETY: an open file that nobody else has.
        let mut file = unsafe { File::from_raw_fd(number) };
        file.write_all(bytes).map_err(|error| error.to_string())?;
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        Library::load(OsStr::new(&path), Some(file))
    }

    fn load(path: &OsStr, file: Option<File>) -> Result<Library, String> {
        let path = CString::new(path.as_bytes()).map_err(|error| error.to_string())?;
        // SAFETY: a string of C. The program has asked to run the code of the file.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        // INVARIANT: the handle was opened just now.
        match NonNull::new(handle) {
            Some(handle) => Ok(Library(Arc::new(Loaded { handle, file }))),
            None => Err(error()),
        }
    }

    /// Returns a kernel.
    pub(super) fn find(&self, name: &str) -> Result<Kernel, String> {
        let symbol =
            CString::new(format!("{name}__ascendcl")).map_err(|error| error.to_string())?;
        // SAFETY: an open handle (invariant), and a string of C.
        let found = unsafe { libc::dlsym(self.0.handle.as_ptr(), symbol.as_ptr()) };
        // SAFETY: what has this name is an `ascendcl_kernel` (the header), a constant that lives as long as the library.
        let Some(exported) = (unsafe { found.cast::<CKernel>().as_ref() }) else {
            return Err(format!(
                "it exports no {name}__ascendcl; `cargo xtask kernel` builds a source so that each __global__ function is \
                 exported"
            ));
        };
        let run = exported.run.filter(|_| exported.version == VERSION);
        let Some(run) = run.filter(|_| exported.count <= PARAMETERS) else {
            return Err(format!(
                "{name} was built with version {} of the emulator's kernel_operator.h, and this is version {VERSION}; \
                 build it again",
                exported.version
            ));
        };
        let list = if exported.count == 0 || exported.parameters.is_null() {
            &[][..]
        } else {
            // SAFETY: not null, and as many as are counted (the header), which live as long as the library.
            unsafe { slice::from_raw_parts(exported.parameters, exported.count as usize) }
        };
        let is_sound = |one: &CParameter| {
            let is_pointer = one.kind != 0;
            one.kind <= 2
                && one.offset <= ARGUMENTS
                && one.size <= ARGUMENTS
                && (!is_pointer || one.size as usize == size_of::<usize>())
        };
        if list.len() < exported.count as usize || !list.iter().all(is_sound) {
            return Err(format!("the parameters of {name} are damaged"));
        }
        let parameters = list_of(list.iter().map(|one| {
            let kind = match one.kind {
                0 => ParameterKind::Value,
                1 => ParameterKind::Read,
                _ => ParameterKind::Write,
            };
            Parameter::at(kind, one.offset as usize, one.size as usize)
        }));
        let ends = parameters.iter().map(|one| one.offset + one.size);
        let library = self.clone();
        Ok(Kernel {
            name: name.into(),
            end: ends.max().unwrap_or(0),
            parameters: parameters.into(),
            body: Arc::new(move |block| {
                run_block(run, block);
                // The code is there as long as a launch may run it.
                let _ = &library;
            }),
            is_seen: false,
        })
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: an open handle (invariant), which is not used again; no kernel of the library is left, because each has it.
        unsafe { libc::dlclose(self.handle.as_ptr()) };
        let Some(file) = self.file.take() else {
            return;
        };
        let path = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap_or_default();
        // SAFETY: a string of C; nothing is loaded.
        let left = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        if !left.is_null() {
            // Something in it keeps it loaded, so its number stays taken.
            mem::forget(file);
            // SAFETY: the handle of the line above.
            unsafe { libc::dlclose(left) };
        }
    }
}

/// Returns the latest error of the loader on this thread.
fn error() -> String {
    // SAFETY: no preconditions.
    let text = unsafe { libc::dlerror() };
    if text.is_null() {
        return "the loader gives no reason".to_owned();
    }
    // SAFETY: not null: a string of C, valid until the next call of the loader on this thread.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_string_lossy().into_owned()
}

/// The room for the reason of a kernel that ends early.
const REASON: usize = 512;

fn run_block(run: Run, block: &Block<'_>) {
    let running = block.running();
    let here = CBlock {
        index: block.index() as u32,
        count: block.count() as u32,
        block: std::ptr::from_ref(block).cast(),
        touch,
        print,
        sync,
    };
    let mut why = [0_u8; REASON];
    let arguments = running.arguments.as_ptr().cast();
    // SAFETY: the function of the header: it takes the arguments at the offsets that it has told, which a launch has checked,
    // and writes at most the room. Its pointers are of memory that is entered while the blocks run (`task`).
    let code = unsafe {
        run(
            &raw const here,
            arguments,
            why.as_mut_ptr().cast(),
            REASON - 1,
        )
    };
    if code != 0 {
        let text = CStr::from_bytes_until_nul(&why).unwrap_or_default();
        let text = text.to_string_lossy();
        let text = if text.is_empty() {
            "it ended early, without a reason"
        } else {
            &text
        };
        // The reason of an access that was refused came first, and counts.
        block.stop(Why::Rule, text);
    }
}

/// Returns the block of a call of the header.
///
/// # Safety
///
/// - `block` is the one of a [`CBlock`] whose `run` has not returned.
unsafe fn of<'b>(block: *const c_void) -> &'b Block<'b> {
    // SAFETY: the contract: `run_block` borrows the block meanwhile.
    unsafe { &*block.cast::<Block<'b>>() }
}

/// Checks an access, which reads (0), writes (1) or combines (2). Returns 0 if the block may make it.
unsafe extern "C" fn touch(
    block: *const c_void,
    address: *const c_void,
    bytes: usize,
    write: c_int,
) -> c_int {
    // SAFETY: the same contract (the header).
    let block = unsafe { of(block) };
    let how = match write {
        0 => How::Read,
        2 => How::Combine,
        _ => How::Write,
    };
    c_int::from(block.touch_at(address.addr(), bytes, how).is_err())
}

/// Prints a text.
unsafe extern "C" fn print(_: *const c_void, text: *const c_char) {
    if !text.is_null() {
        // SAFETY: not null: a string of C (the header).
        let text = unsafe { CStr::from_ptr(text) };
        let mut out = io::stdout().lock();
        // A program that has closed its output wants none. One in C does not flush that of Rust at its end.
        let _ = out.write_all(text.to_bytes()).and_then(|()| out.flush());
    }
}

/// Waits for all blocks. Returns 0 when they have come.
unsafe extern "C" fn sync(block: *const c_void) -> c_int {
    // SAFETY: the same contract (the header).
    let block = unsafe { of(block) };
    c_int::from(block.meet().is_err())
}
