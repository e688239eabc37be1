//! The bounds of calls that take memory of one queue: the types of the memory and of the call name the same queue, and the
//! memory is in the state that the call needs.

use crate::state::Exactly;

/// A queue that is the queue `Q`. Each queue is only itself, so the bound compares two names of queues.
#[diagnostic::on_unimplemented(
    message = "this memory belongs to the queue `{Self}`, and the call is about the queue `{Q}`",
    label = "this call takes memory of `{Q}`",
    note = "call the method on the stream of the memory, or on the proof that its `synchronize` returned",
    note = "memory moves to another stream of its device by `stream.handoff(..)` or a fence",
    note = "memory that is `Numbered` gets the brand of its stream inside the closure: `stream.rebrand(memory)?`"
)]
pub trait SameQueue<Q>: seal::Is<Q> {}
#[diagnostic::do_not_recommend]
impl<Q> SameQueue<Q> for Q {}

/// Memory that a proof gives back: a [`Queued`](crate::Queued) buffer. `T` is only itself, so that the compiler names the
/// missing step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be taken back from a stream",
    label = "expected a `Queued` buffer, by value",
    note = "the output of an operator: `let out = plan.launch(&mut stream)?.into_output();`",
    note = "memory of a fence: wait for the fence, `let (unverified, event) = fence.synchronize()?;`; `Unverified` memory: `idle.verify(memory)`",
    note = "of a part or a reference, take the whole buffer; a buffer that is idle belongs to the program already"
)]
pub trait TakenMemory<T>: Exactly<T> {}
#[diagnostic::do_not_recommend]
impl<T> TakenMemory<T> for T {}

/// Memory that a stream moves on: a buffer that is [`Queued`](crate::Queued) on it. `T` is only itself, so that the compiler
/// names the missing step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not queued on this stream",
    label = "expected a buffer that is `Queued` on the stream of this call, by value",
    note = "move an idle buffer into the stream first: `let queued = stream.adopt(buffer);`",
    note = "move the whole buffer, not a part or a reference: work may use it after the call",
    note = "memory of another stream: `other.handoff(&mut stream, &mut event, buffer)?` moves it here"
)]
pub trait QueuedMemory<T>: Exactly<T> {}
#[diagnostic::do_not_recommend]
impl<T> QueuedMemory<T> for T {}

/// Memory that a proof verifies: [`Unverified`](crate::queue::Unverified) memory. `T` is only itself, so that the compiler
/// names the missing step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no memory to verify",
    label = "expected `Unverified` memory, of a fence, of another stream or of a drained one",
    note = "take queued memory back: `idle.take(memory)` proves that its work has succeeded",
    note = "memory that the program has as a buffer needs no proof: on a device that stops on failure, a wait for a fence is one"
)]
pub trait UnverifiedMemory<T>: Exactly<T> {}
#[diagnostic::do_not_recommend]
impl<T> UnverifiedMemory<T> for T {}

mod seal {
    crate::state::sealed! {
        "a queue is the same as itself only";
        /// Seals [`SameQueue`](super::SameQueue).
        pub trait Is<Q> {}
    }
    #[diagnostic::do_not_recommend]
    impl<Q> Is<Q> for Q {}
}
