//! The checks of lesson 10.

//# error E0432 E0277 E0599
//> Ok(7)
//> Err(Failed)
//> dead

//# accepted: a failure goes on to the caller
fn check(stream: &mut Stream) -> Result<Memory, Failed> {
    let memory = stream.fence(1);
    Ok(stream.synchronize()?.verify(memory))
}

//# refused E0599 E0616 E0624: a read of unverified memory
//? The numbers of a task that may have failed were read. `Unverified` has no `read`.
fn check(stream: &mut Stream) -> u32 {
    stream.fence(1).read()
}

//# refused E0599: a failure that is ignored
//? `synchronize` returned a proof without looking at the failure. Let it return `Result<Idle, Failed>`.
fn check(stream: &mut Stream) -> Memory {
    let memory = stream.fence(1);
    stream.synchronize().verify(memory)
}

//# refused unused_must_use: a fence whose memory nobody looks at
//? The compiler has no warning for unused `Unverified` memory. Write `#[must_use]` above the structure or the function.
#[deny(unused_must_use)]
fn check(stream: &mut Stream) {
    stream.fence(1);
}

//# refused E0423 E0603: a proof that nobody has
//? A program made an `Idle` itself. Keep its field private.
fn check() -> api::Idle {
    api::Idle(())
}

//# cheat 1: unverified memory can be read
//- impl Unverified {
//+ impl std::ops::Deref for Unverified {
//+     type Target = Memory;
//+     fn deref(&self) -> &Memory {
//+         &self.memory
//+     }
//+ }
//+ impl Unverified {

//# cheat 2: each wait is a proof
//- pub fn synchronize(&mut self) -> Result<Idle, Failed> {
//- if self.has_failed {
//- Err(Failed)
//- } else {
//- Ok(Idle(()))
//- }
//+ pub fn synchronize(&mut self) -> Idle {
//+     Idle(())
//- let memory: Memory = stream.synchronize()?.verify(memory);
//+ let memory: Memory = stream.synchronize().verify(memory);

//# cheat 3: no warning
//- #[must_use = "verify it with an `Idle`, or take it with `accept_unverified`"]
//+ #[allow(dead_code)]

//# cheat 4: a proof for everybody
//- pub struct Idle(());
//+ pub struct Idle(pub ());
