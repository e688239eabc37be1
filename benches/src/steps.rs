//! Executes a part of this program one instruction at a time.
//!
//! A forked child is traced and stops before and after the part. In between, its parent executes single instructions
//! and reads the address of each. The count is exact, the same in every run, and needs neither a tool nor a counter
//! of the processor.

use std::io::{self, PipeWriter, Read};

use nix::sys::ptrace;
use nix::sys::signal::{Signal, raise};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};

/// Runs `child` in a forked child and counts the instructions between its two [`mark`]s for which `counts` returns
/// true. Returns the count, and the output of the child.
///
/// # Errors
///
/// The system allows no tracing, or the child fails or panics.
pub(crate) fn count(
    child: impl FnOnce(&mut PipeWriter) -> io::Result<()>,
    counts: impl Fn(usize) -> bool,
) -> io::Result<(u64, String)> {
    let (mut reader, mut writer) = io::pipe()?;
    // SAFETY: programs that measure have one thread, so no lock is taken by another one.
    match unsafe { fork() }? {
        ForkResult::Child => {
            let traced = ptrace::traceme().map_err(io::Error::from);
            let done = traced.and_then(|()| child(&mut writer));
            drop(writer);
            // Destructors and buffers belong to the parent.
            // SAFETY: ends the process in whatever state it is.
            unsafe { nix::libc::_exit(i32::from(done.is_err())) }
        }
        ForkResult::Parent { child } => {
            drop(writer);
            until_mark(child)?;
            ptrace::setoptions(child, ptrace::Options::PTRACE_O_EXITKILL)?;
            let steps = steps_until_mark(child, counts)?;
            ptrace::cont(child, None)?;
            let mut written = String::new();
            reader.read_to_string(&mut written)?;
            match waitpid(child, None)? {
                WaitStatus::Exited(_, 0) => Ok((steps, written)),
                status => Err(ended(status)),
            }
        }
    }
}

/// Stops the child for its parent: before and after the counted part.
pub(crate) fn mark() -> io::Result<()> {
    Ok(raise(Signal::SIGSTOP)?)
}

fn until_mark(child: Pid) -> io::Result<()> {
    match waitpid(child, None)? {
        WaitStatus::Stopped(_, Signal::SIGSTOP) => Ok(()),
        status => Err(ended(status)),
    }
}

fn steps_until_mark(child: Pid, counts: impl Fn(usize) -> bool) -> io::Result<u64> {
    let mut steps = 0;
    loop {
        let registers = ptrace::getregs(child)?;
        #[cfg(target_arch = "x86_64")]
        let instruction = registers.rip;
        #[cfg(target_arch = "aarch64")]
        let instruction = registers.pc;
        steps += u64::from(counts(instruction as usize));
        ptrace::step(child, None)?;
        match waitpid(child, None)? {
            WaitStatus::Stopped(_, Signal::SIGTRAP) => {}
            WaitStatus::Stopped(_, Signal::SIGSTOP) => return Ok(steps),
            status => return Err(ended(status)),
        }
    }
}

fn ended(status: WaitStatus) -> io::Error {
    io::Error::other(format!(
        "the program under measurement did not reach its end, but {status:?}; does this system allow \
         ptrace?"
    ))
}
