//! Numbers in device memory that streams write and wait for (`acl/acl_rt.h`).
//!
//! A wait looks at the memory again and again, because a copy or a kernel may write it as well as
//! `aclrtValueWrite`. Meanwhile whoever waits for the stream runs others, of which one may write the number.
//!
//! The manual gives the comparisons and asks for addresses that are multiples of 8; that others are refused is an
//! assumption, as are the codes for them and for flags that there are not. The checker orders a wait only behind
//! writes of `aclrtValueWrite`; where others may have ended it, the checker says nothing.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ascendcl_sys::{ACL_ERROR_RT_PARAM_INVALID, ACL_STREAM_WAIT_VALUE_NOR, aclError, aclrtStream};

use crate::check::{self, Touch};
use crate::device::peer;
use crate::engine::engine;
use crate::engine::queue::{Blocked, Stream};
use crate::engine::submit::{self, own};
use crate::engine::task::{Fault, Task, fault};
use crate::engine::work::{Others, Work};
use crate::error::{fail, null};
use crate::space::number::{Goal, Number, SIZE};

/// How soon a wait looks again.
const LOOK: Duration = Duration::from_millis(1);

/// A number in device memory that a stream writes or waits for.
#[derive(Debug, Clone, Copy)]
struct Value {
    number: Number,
    goal: Goal,
}

impl Value {
    /// What `call` was given.
    fn new(
        call: &str,
        address: *mut c_void,
        number: u64,
        flag: u32,
        flags: u32,
    ) -> Result<Value, aclError> {
        let refused = |why: &str| {
            Err(fail(
                ACL_ERROR_RT_PARAM_INVALID,
                format_args!("{call} failed: devAddr is {address:p}, flag {flag}: {why}"),
            ))
        };
        if flag > flags {
            return refused("there is no such flag; 0 is one in any case");
        }
        if !address.addr().is_multiple_of(SIZE) {
            return refused("the address is no multiple of 8");
        }
        match Number::new(address.addr()) {
            Some(place) => Ok(Value {
                number: place,
                goal: Goal {
                    address: address.addr(),
                    number,
                    flag,
                },
            }),
            None => refused("that is ordinary host memory; pass device memory"),
        }
    }

    /// Whether the wait is over; where the memory is gone, the task tells.
    fn is_met(&self) -> bool {
        let seen = self.number.with(|memory| memory.load(Ordering::Acquire));
        seen.is_err() || seen.is_ok_and(|seen| self.goal.is_met_by(self.goal.address, seen))
    }

    /// Why a stream that stands at the wait cannot go on, and when to look again. It names another stream that has
    /// work left, each in its turn, so that whoever waits runs it.
    fn blocked(&self, own: &Stream) -> Option<(Blocked, Option<Instant>)> {
        static TURN: AtomicUsize = AtomicUsize::new(0);
        if self.is_met() {
            return None;
        }
        let others: Vec<_> = engine()
            .streams
            .iter()
            .map(|(_, stream)| stream)
            .filter(|stream| !ptr::eq(*stream, own) && !stream.is_idle())
            .collect();
        let turn = TURN.fetch_add(1, Ordering::Relaxed);
        let other = others.get(turn.checked_rem(others.len()).unwrap_or(0));
        let blocked = other.map_or(Blocked::Elsewhere, |other| {
            Blocked::Stream(other, other.completed() + 1)
        });
        Some((blocked, Some(Instant::now() + LOOK)))
    }
}

/// Writes a number.
#[derive(Debug, Clone, Copy)]
struct Write(Value);

impl Work for Write {
    fn call(&self) -> &'static str {
        "aclrtValueWrite"
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        let Value { number, goal } = &self.0;
        let written = number.with(|memory| memory.store(goal.number, Ordering::Release));
        written.map_err(|gone| fault(self.call(), gone))
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(*self)
    }

    fn repeated(&self, stream: &'static Stream, number: u64) {
        let Value { goal, .. } = &self.0;
        check::note(|checker| {
            checker.value_written(stream.slot(), number, goal.address, goal.number);
        });
    }
}

/// Waits for a number.
#[derive(Debug, Clone, Copy)]
struct Wait(Value);

impl Work for Wait {
    fn call(&self) -> &'static str {
        "aclrtValueWait"
    }

    fn blocked(&mut self, stream: &'static Stream, _: u64) -> Option<(Blocked, Option<Instant>)> {
        self.0.blocked(stream)
    }

    /// Looks whether the memory is there.
    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        let seen = self.0.number.with(|_| ());
        seen.map_err(|gone| fault(self.call(), gone))
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(*self)
    }

    fn repeated(&self, stream: &'static Stream, _: u64) {
        check::note(|checker| checker.value_awaited(stream.slot(), self.0.goal));
    }

    fn others(&self) -> Others {
        Others::Streams
    }
}

pub(crate) unsafe extern "C" fn aclrtValueWrite(
    devAddr: *mut c_void,
    value: u64,
    flag: u32,
    stream: aclrtStream,
) -> aclError {
    queue("aclrtValueWrite", (devAddr, value, flag, 0), false, stream)
}

pub(crate) unsafe extern "C" fn aclrtValueWait(
    devAddr: *mut c_void,
    value: u64,
    flag: u32,
    stream: aclrtStream,
) -> aclError {
    let last = ACL_STREAM_WAIT_VALUE_NOR;
    queue("aclrtValueWait", (devAddr, value, flag, last), true, stream)
}

/// Queues a write or a wait of an address, a number and a flag, of which the last one is given, too.
fn queue(
    call: &str,
    (address, number, flag, last): (*mut c_void, u64, u32, u32),
    is_wait: bool,
    stream: aclrtStream,
) -> aclError {
    if address.is_null() {
        return null(call, "devAddr");
    }
    let checked = submit::find(call, stream).and_then(|found| {
        let value = Value::new(call, address, number, flag, last)?;
        let target = own(call, found)?;
        peer::device_reaches(call, address.addr())?;
        Ok((target, value))
    });
    let (target, value) = match checked {
        Ok(checked) => checked,
        Err(code) => return code,
    };
    let work: Box<dyn Work> = if is_wait {
        Box::new(Wait(value))
    } else {
        Box::new(Write(value))
    };
    submit::push_told(
        call,
        target,
        false,
        &|task| {
            check::tell(call, |checker, site| {
                // Streams meet there on purpose: what counts is that the memory stays.
                let touch = Touch {
                    dense: false,
                    ..Touch::write(address.addr(), SIZE)
                };
                checker.queued(target.stream.slot(), task, vec![touch], false, site);
            });
            // A task that is kept has no number; its runs tell.
            if task > 0 {
                if is_wait {
                    Wait(value).repeated(target.stream, task);
                } else {
                    Write(value).repeated(target.stream, task);
                }
            }
        },
        |_| Task::Other(work),
    )
}
