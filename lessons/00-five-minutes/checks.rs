//! The checks of lesson 0.

//# error E0277
//> Some(7)

//# accepted: memory is filled and read
fn check() {
    let memory = api::malloc(2).fill(1);
    let _ = api::first(&memory);
}

//# refused E0277: a read of fresh memory
//? Fresh memory can be read now, so `main` compiles, and so does the mistake. Restore `mod api` and change `main`.
fn check() {
    let _ = api::first(&api::malloc(2));
}

//# refused E0382: a use of the fresh name after the fill
//? `fill` must take the memory by value. With a reference the old name, with its old state, stays usable.
fn check() {
    let memory = api::malloc(2);
    let _written = memory.fill(1);
    let _again = memory.fill(2);
}

//# cheat 1: fresh memory is readable
//- impl Readable for Written {}
//+ impl Readable for Written {}
//+ impl Readable for Fresh {}

//# cheat 2: the fill copies
//- pub fn fill(mut self, byte: u8) -> Memory<Written> {
//+ pub fn fill(&self, byte: u8) -> Memory<Written> {
//- self.bytes.fill(byte);
//+ let bytes = vec![byte; self.bytes.len()];
//- bytes: self.bytes,
//+ bytes,
