//! Traits for the missing step before a call. No type with values implements them.

use std::process;

/// The only type that implements the traits. It has no values.
#[expect(dead_code, reason = "no value has this type")]
pub(super) enum Nobody {}

/// Declares traits that no type with values implements.
macro_rules! missing {
    ($( #[$message:meta] $trait:ident; )*) => { $(
        #[$message]
        pub trait $trait {
            /// The result of an index.
            type Never;
            /// Never runs.
            fn never() -> !;
        }
        // Without any implementation, the compiler would suggest to write one.
        #[diagnostic::do_not_recommend]
        impl $trait for Nobody {
            type Never = Nobody;
            fn never() -> ! {
                process::abort()
            }
        }
    )* };
}

missing! {
    #[diagnostic::on_unimplemented(
        message = "a stream may still use this memory",
        label = "it is in the hands of a stream until the host has waited",
        note = "wait for the stream and take the memory: `let buf = stream.synchronize()?.take(buf);`",
        note = "later work of the same stream may use it now: `stream.memcpy_async(..)`, `queued.tensor(..)`"
    )]
    GivenBack;
    #[diagnostic::on_unimplemented(
        message = "this memory lies behind a fence for which nobody has waited",
        label = "the work in front of the fence may still run",
        note = "wait on the host: `let (unverified, event) = fence.synchronize()?;`",
        note = "or let another stream wait: `let (queued, event) = other.wait_fence(fence)?;`"
    )]
    Waited;
    #[diagnostic::on_unimplemented(
        message = "nobody knows whether the work on this memory has succeeded",
        label = "the work is over, and may have failed",
        note = "let its stream vouch for it: `let buf = stream.synchronize()?.verify(unverified);`",
        note = "or take the memory as it is: `unverified.accept_unverified()`"
    )]
    Verified;
    #[diagnostic::on_unimplemented(
        message = "the program cannot touch device memory",
        label = "the address means something to the device only",
        note = "copy it to host memory first: `current.memcpy(&mut host, &on_device)?`, then `host[..]`",
        note = "where the program runs on the device itself, memory of `malloc` is a slice by `as_slice`"
    )]
    Touched;
    #[diagnostic::on_unimplemented(
        message = "cached device memory is no slice",
        label = "the cache may hold other bytes than the memory",
        note = "allocate what the program touches itself with `malloc`",
        note = "or copy it: `current.memcpy(&mut local, &cached)?`, with a buffer of `malloc_local`"
    )]
    Uncached;
    #[diagnostic::on_unimplemented(
        message = "lent memory belongs to the device until the scope ends",
        label = "work of the device may still use it",
        note = "behind the scope the lender has it again",
        note = "inside, wait for its stream: `stream.synchronize()?.take(lease).into_inner()`"
    )]
    Returned;
    #[diagnostic::on_unimplemented(
        message = "nothing has written this memory",
        label = "fresh memory has no contents to read or to keep",
        note = "write all of it first: `let buf = current.memset(buf, 0)?;`, or as the destination of a copy",
        note = "`buf.into_tensor(shape)` makes it the output of an operator"
    )]
    Written;
    #[diagnostic::on_unimplemented(
        message = "nothing was recorded in this event",
        label = "an event says nothing before a stream has recorded it",
        note = "record it, and ask what that gives: `let recorded = stream.record(&mut event)?;`"
    )]
    WasRecorded;
    #[diagnostic::on_unimplemented(
        message = "no thread is bound to this device",
        label = "AscendCL works with the device that is current on the thread",
        note = "bind the thread, and ask the binding: `let current = thread.set_current(&device)?;`"
    )]
    IsCurrent;
    #[diagnostic::on_unimplemented(
        message = "this memory holds something already",
        label = "only fresh memory is given to an operator by value",
        note = "lend it: `buf.tensor_mut(shape)?`"
    )]
    Fresh;
}
