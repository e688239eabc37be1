//! The checks of lesson 6.

//# error E0308
//> [1, 2, 3]
//> [4, 5, 6]

//# accepted: fresh and written memory
fn check() {
    let mut memory: Memory<Init> = copy(malloc(1), &[1]);
    let () = copy(&mut memory, &[2]);
}

//# refused E0599 E0624: a read of fresh memory
//? `read` exists for fresh memory. Write `impl Memory<Init>`.
fn check() {
    let memory = malloc(1);
    let _ = memory.read();
}

//# refused E0277 E0308: fresh memory that is written in its place
//? `&mut Memory<Uninit>` is a destination. The type of the variable would remain `Uninit` after the copy.
fn check() {
    let mut memory = malloc(1);
    copy(&mut memory, &[1]);
}

//# refused E0382: the fresh name after the copy
//? The fresh memory was copied to twice, so two names have one memory. Take it by value, and give `Memory` no `Copy`.
fn check() {
    let fresh = malloc(1);
    let _written: Memory<Init> = copy(fresh, &[1]);
    let _again: Memory<Init> = copy(fresh, &[2]);
}

//# cheat 1: a read in each state
//- impl Memory<Init> {
//+ impl<State> Memory<State> {

//# cheat 2: a write in its place in each state
//- impl Destination for &mut Memory<Init> {
//+ impl<State> Destination for &mut Memory<State> {

//# cheat 3: fresh memory by reference
//- pub enum Uninit {}
//+ #[derive(Clone, Copy)]
//+ pub struct Uninit;
//- pub struct Memory<State> {
//- numbers: Vec<u32>,
//+ #[derive(Clone, Copy)]
//+ pub struct Memory<State> {
//+ numbers: &'static [u32],
//- numbers: vec![0xDEAD; len],
//+ numbers: Box::leak(vec![0xDEAD; len].into_boxed_slice()),
//- &self.numbers
//+ self.numbers
//- fn write(mut self, from: &[u32]) -> Memory<Init> {
//- self.numbers.clear();
//- self.numbers.extend_from_slice(from);
//+ fn write(mut self, from: &[u32]) -> Memory<Init> {
//+ self.numbers = Box::leak(from.to_vec().into_boxed_slice());
//- fn write(self, from: &[u32]) {
//- self.numbers.clear();
//- self.numbers.extend_from_slice(from);
//+ fn write(self, from: &[u32]) {
//+ self.numbers = Box::leak(from.to_vec().into_boxed_slice());
