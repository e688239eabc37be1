//! Numbers in device memory that streams write and wait for (`acl/acl_rt.h`).
//!
//! A wait reads the memory repeatedly, because a copy or a kernel may write the number as well as `aclrtValueWrite`.
//! Meanwhile the thread that waits for the stream runs other streams, because one of them may write the number.
//!
//! The manual has the comparisons and requires addresses that are multiples of 8; the runtime takes others too. It
//! refuses page-locked memory of the host. The code for unknown flags is an assumption. The checker orders a wait only after writes
//! of `aclrtValueWrite`. If another write may have ended the wait, the checker reports nothing.

use std::ffi::c_void;
use std::time::Instant;

use ascendcl_sys::{ACL_STREAM_WAIT_VALUE_NOR, aclError, aclrtStream};

use crate::check::{self, Touch};
use crate::device::peer;
use crate::engine::queue::{Blocked, Stream};
use crate::engine::submit::{self, own};
use crate::engine::task::{Fault, Task, fault};
use crate::engine::work::{self, Others, Work};
use crate::object_calls::{attempt, invalid_below, not_null};
use crate::space::number::{Goal, Number, SIZE};
use crate::space::{Location, space};

/// A number in device memory that a stream writes or waits for.
#[derive(Debug, Clone, Copy)]
struct Value {
    number: Number,
    goal: Goal,
}

impl Value {
    /// Checks the arguments of `call`.
    fn new(
        call: &str,
        address: *mut c_void,
        number: u64,
        flag: u32,
        flags: u32,
    ) -> Result<Value, aclError> {
        let refused = |why: &str| {
            Err(invalid_below(
                call,
                format_args!("devAddr is {:#x}, flag {flag}: {why}", address.addr()),
            ))
        };
        if flag > flags {
            return refused("there is no such flag; 0 is one in any case");
        }
        let is_host = matches!(
            space().locate(address.addr()),
            Location::Pinned(..) | Location::Registered(_)
        );
        match Number::new(address.addr()).filter(|_| !is_host) {
            Some(place) => Ok(Value {
                number: place,
                goal: Goal {
                    address: address.addr(),
                    number,
                    flag,
                },
            }),
            None => refused("that is memory of the host; pass device memory"),
        }
    }

    /// Returns whether the wait is over. It is also over if the memory was freed; the task then reports this.
    fn is_met(&self) -> bool {
        let seen = self.number.load();
        seen.is_err() || seen.is_ok_and(|seen| self.goal.is_met_by(self.goal.address, seen))
    }
}

/// The task that writes a number.
#[derive(Debug, Clone, Copy)]
struct Write(Value);

impl Work for Write {
    fn call(&self) -> &'static str {
        "aclrtValueWrite"
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        let Value { number, goal } = &self.0;
        let written = number.store(goal.number);
        written.map_err(|gone| fault(self.call(), gone))
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(*self)
    }

    fn repeated(&self, stream: &'static Stream, number: u64) {
        let Value { goal, .. } = &self.0;
        check::note(&|checker| {
            checker.value_written(stream.slot(), number, goal.address, goal.number);
        });
    }
}

/// The task that waits for a number.
#[derive(Debug, Clone, Copy)]
struct Wait(Value);

impl Work for Wait {
    fn call(&self) -> &'static str {
        "aclrtValueWait"
    }

    fn blocked(&mut self, stream: &'static Stream, _: u64) -> Option<(Blocked, Option<Instant>)> {
        (!self.0.is_met()).then(|| work::look_again(stream))
    }

    /// Checks that the memory still exists.
    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        let seen = self.0.number.load().map(drop);
        seen.map_err(|gone| fault(self.call(), gone))
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(*self)
    }

    fn repeated(&self, stream: &'static Stream, _: u64) {
        check::note(&|checker| checker.value_awaited(stream.slot(), self.0.goal));
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

/// Queues a write or a wait with an address, a number and a flag; `last` is the largest allowed flag.
fn queue(
    call: &str,
    (address, number, flag, last): (*mut c_void, u64, u32, u32),
    is_wait: bool,
    stream: aclrtStream,
) -> aclError {
    attempt!(not_null(call, "devAddr", address));
    let checked = submit::find(call, stream).and_then(|found| {
        let value = Value::new(call, address, number, flag, last)?;
        let target = own(call, found)?;
        peer::device_reaches(call, address.addr())?;
        Ok((target, value))
    });
    let (target, value) = attempt!(checked);
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
            check::tell(call, &|checker, site| {
                // Several streams access this memory on purpose, so the checker only checks that it is not freed.
                let touch = Touch {
                    dense: false,
                    ..Touch::write(address.addr(), SIZE)
                };
                checker.queued(target.stream.slot(), task, vec![touch], false, site);
            });
            // A task that is stored in a graph has no number; each run of the graph reports it.
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
