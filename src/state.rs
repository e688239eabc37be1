//! Markers: states of memory, and the seals that keep the marker traits closed.

use std::marker::PhantomData;

/// The memory has been written: it may be read.
#[derive(Debug, Clone, Copy)]
pub enum Init {}

/// The memory is fresh: it must be filled or copied to before anything reads it.
#[derive(Debug, Clone, Copy)]
pub enum Uninit {}

#[diagnostic::on_unimplemented(
    message = "this trait of `ascendcl` is sealed: `{Self}` cannot implement it",
    label = "a wrong implementation would make safe calls unsound"
)]
/// Closes a trait: outside this crate nobody can name this one, so nobody can implement what needs it.
pub trait Sealed {}

/// Makes a type parameter invariant without owning anything of it.
pub(crate) type Invariant<T> = PhantomData<fn(T) -> T>;

/// What a value that a thread's binding made carries: the borrow of the binding, the queue or device
/// `Q` by name, and that it stays on its thread.
pub(crate) type Bound<'c, Q> = PhantomData<(&'c (), Invariant<Q>, NotSend)>;

/// Says in compiler errors why a handle stays on its thread, the current context being a property of the thread, and what
/// moves a stream: [`Current::park`](crate::Current::park).
#[expect(
    non_camel_case_types,
    reason = "the compiler prints the name, and people read it"
)]
#[derive(Debug)]
pub(crate) enum ContextIsPerThread_ParkStreamsToMoveThem {}

/// Keeps a type on its thread. A raw pointer is not `Send`, and the compiler prints what it points to.
pub(crate) type NotSend = PhantomData<*const ContextIsPerThread_ParkStreamsToMoveThem>;
