//! The bound of calls that take memory of one queue: the types of the memory and of the call name the same queue.

use crate::state::Exactly;

/// A queue that is the queue `Q`. Each queue is only itself, so the bound compares two names of queues.
#[diagnostic::on_unimplemented(
    message = "this memory belongs to the queue `{Self}`, and the call is about the queue `{Q}`",
    label = "this call takes memory of `{Q}`",
    note = "call the method on the stream of the memory, or on the proof that its `synchronize` returned",
    note = "memory moves to another stream of its device by `stream.handoff(..)` or a fence",
    note = "memory that is `Numbered` gets the brand of its stream inside the closure: `stream.rebrand(memory)?`"
)]
pub trait SameQueue<Q>: Exactly<Q> {}
#[diagnostic::do_not_recommend]
impl<Q> SameQueue<Q> for Q {}
