//! The cost of one operation: calls of the backend, instructions around them, allocations.

use std::fmt;
use std::hint::black_box;
use std::io::{self, Write};
use std::mem::MaybeUninit;

use crate::backend::{self, Call, is_backend};
use crate::steps::{self, mark};

/// The cost of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// The calls of the backend, in order.
    pub calls: Vec<Call>,
    /// The instructions that were executed outside the backend.
    pub instructions: u64,
    /// The allocations of the host.
    pub allocations: u64,
}

/// Measures `operation` on `state`, in a child: here nothing changes, and nothing is dropped.
///
/// The state is in memory, as in a program that does more than one thing. So both sides of a comparison begin with
/// the same loads.
///
/// # Errors
///
/// The system allows no tracing, or the operation panics.
pub fn measure<S, T, E: fmt::Debug>(
    state: S,
    operation: impl FnOnce(S) -> Result<T, E>,
) -> io::Result<Cost> {
    let (all, written) = run(state, operation)?;
    let (around, _) = run((), |()| Ok::<_, E>(()))?;
    let mut lines = written.lines();
    let allocations = lines.next().and_then(|line| line.parse().ok());
    let call = |line: &str| {
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default().to_owned();
        let arguments = words.filter_map(|word| word.parse().ok()).collect();
        Call { name, arguments }
    };
    Ok(Cost {
        calls: lines.map(call).collect(),
        instructions: all - around,
        allocations: allocations.ok_or_else(|| io::Error::other("the child wrote nothing"))?,
    })
}

fn run<S, T, E: fmt::Debug>(
    state: S,
    operation: impl FnOnce(S) -> Result<T, E>,
) -> io::Result<(u64, String)> {
    let mut job = Some((state, operation));
    let child = |report: &mut io::PipeWriter| {
        let Some((state, operation)) = job.take() else {
            return Ok(());
        };
        backend::restart();
        let (mut marked, mut result) = ([Ok(()), Ok(())], MaybeUninit::uninit());
        let [before, behind] = &mut marked;
        let allocated = allocation_counter::measure(|| {
            *before = mark();
            once(black_box(state), operation, &mut result);
            *behind = mark();
        });
        marked.into_iter().collect::<io::Result<()>>()?;
        // SAFETY: `once` has written it. It is never dropped: its release would be noted too.
        if let Err(error) = unsafe { result.assume_init_ref() } {
            return Err(io::Error::other(format!("{error:?}")));
        }
        let mut text = format!("{}\n", allocated.count_total);
        for call in backend::calls() {
            text.push_str(&call.name);
            for argument in call.arguments {
                text.push_str(&format!(" {argument}"));
            }
            text.push('\n');
        }
        report.write_all(text.as_bytes())
    };
    let counted = steps::count(child, |instruction| !is_backend(instruction));
    // Only the child has run the operation. Its parent must not release the state.
    std::mem::forget(job);
    counted
}

/// A stack frame of its own, so that the operation's instructions are between the marks.
#[inline(never)]
fn once<S, T>(state: S, operation: impl FnOnce(S) -> T, result: &mut MaybeUninit<T>) {
    result.write(operation(state));
}
