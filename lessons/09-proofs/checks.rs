//! The checks of lesson 9.

//# error E0599
//> 1 2
//> 3
//> waits: 1 1

//# accepted: more work after the last take
fn check(stream: &mut Stream<Upload>) {
    let first = stream.compute(1);
    let idle = stream.synchronize();
    let _ = idle.take(first);
    let second = stream.compute(2);
    let _ = stream.synchronize().take(second);
}

//# refused E0499 E0502: work is queued while the proof is used
//? A `take` came after new work, and the wait did not cover it. `Idle<'_, Name>` must keep the `&mut` borrow of
//? `synchronize`.
fn check(stream: &mut Stream<Upload>) {
    let idle = stream.synchronize();
    let late = stream.compute(1);
    let _ = idle.take(late);
}

//# refused E0308 E0277: a proof of another stream
//? The proof of one stream returned memory of another. `take` needs `Queued<Name>` with the name of its own stream.
fn check(upload: &mut Stream<Upload>, download: &mut Stream<Download>) {
    let queued = upload.compute(1);
    let _ = download.synchronize().take(queued);
}

//# refused E0599: memory without a proof
//? `Queued` returns its memory without a wait. Only the proof has `take`.
fn check(stream: &mut Stream<Upload>) {
    let _ = stream.compute(1).take();
}

//# refused E0382: the same memory twice
//? One `Queued` was taken twice. Take it by value, and give it no `Copy`.
fn check(stream: &mut Stream<Upload>) {
    let queued = stream.compute(1);
    let idle = stream.synchronize();
    let _ = (idle.take(queued), idle.take(queued));
}

//# cheat 1: a proof without a borrow
//- pub fn synchronize(&mut self) -> Idle<'_, Name> {
//+ pub fn synchronize(&mut self) -> Idle<'static, Name> {

//# cheat 2: memory of any stream
//- pub fn take(&self, queued: Queued<Name>) -> u32 {
//+ pub fn take<Other>(&self, queued: Queued<Other>) -> u32 {

//# cheat 3: memory without a proof
//- pub struct Queued<Name> {
//+ impl<Name> Queued<Name> {
//+     pub fn take(self) -> u32 {
//+         self.number
//+     }
//+ }
//+ pub struct Queued<Name> {

//# cheat 4: copies of queued memory
//- pub struct Queued<Name> {
//+ impl<Name> Clone for Queued<Name> {
//+     fn clone(&self) -> Self {
//+         *self
//+     }
//+ }
//+ impl<Name> Copy for Queued<Name> {}
//+ pub struct Queued<Name> {
