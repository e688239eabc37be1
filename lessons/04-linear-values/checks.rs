//! The checks of lesson 4.

//# error E0308 E0599
//> Some(7)

//# accepted: memory is forgotten while it is queued
fn check() {
    let mut machine = Machine::new();
    let memory = machine.malloc();
    std::mem::forget(machine.fill(memory, 1));
}

//# refused E0382: a read after the fill was forgotten
//? The old name of the memory is usable after `fill`. Take the memory by value, and give `Memory` no `Copy` or `Clone`.
fn check() {
    let mut machine = Machine::new();
    let memory = machine.malloc();
    std::mem::forget(machine.fill(memory, 1));
    let _ = machine.read(&memory);
}

//# refused E0382: the same memory twice
//? One `Queued` was returned twice, so two names have one memory. `wait` takes it by value, and it has no `Copy`.
fn check() {
    let mut machine = Machine::new();
    let memory = machine.malloc();
    let queued = machine.fill(memory, 1);
    let _ = (machine.wait(queued), machine.wait(queued));
}

//# refused E0308 E0277: a read of queued memory
//? `read` accepts memory that a job may still write.
fn check() {
    let mut machine = Machine::new();
    let memory = machine.malloc();
    let queued = machine.fill(memory, 1);
    let _ = machine.read(&queued);
}

//# refused E0277 E0599: a copy of memory
//? `Memory` has `Clone`: a second name for the same cell is a way around the queue.
fn check(memory: api::Memory) -> api::Memory {
    api::Memory::clone(&memory)
}

//# cheat 1: memory is copied
//- pub struct Memory {
//+ #[derive(Clone, Copy)]
//+ pub struct Memory {

//# cheat 2: queued memory is copied
//- pub struct Memory {
//+ #[derive(Clone, Copy)]
//+ pub struct Memory {
//- pub struct Queued {
//+ #[derive(Clone, Copy)]
//+ pub struct Queued {

//# cheat 3: queued memory can be used as memory
//- pub struct Queued {
//+ impl std::ops::Deref for Queued {
//+     type Target = Memory;
//+     fn deref(&self) -> &Memory {
//+         &self.memory
//+     }
//+ }
//+ pub struct Queued {

//# cheat 4: memory is cloned
//- pub struct Memory {
//+ #[derive(Clone)]
//+ pub struct Memory {
