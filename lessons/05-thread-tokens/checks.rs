//! The checks of lesson 5.

//# error E0425 E0433
//> [Some(0), Some(1)]
//> claimed again: false

//# accepted: one binding after the other
fn check(thread: &mut api::Thread) {
    let zero = thread.bind(0);
    let _ = zero.malloc();
    let one = thread.bind(1);
    let _ = one.malloc();
}

//# refused E0499: two bindings at once
//? The first binding was used after the second `bind`, and its device is not current any more. `bind` takes `&mut self`,
//? and `Current<'_>` has the lifetime of this borrow.
fn check(thread: &mut api::Thread) {
    let zero = thread.bind(0);
    let one = thread.bind(1);
    let _ = (zero.malloc(), one.malloc());
}

//# refused E0277: a binding on another thread
//? Another thread used the binding of this thread. Give `Current` a field of type `PhantomData<*const ()>`.
fn check(thread: &mut api::Thread) {
    let current = thread.bind(0);
    std::thread::scope(|scope| {
        scope.spawn(move || current.malloc());
    });
}

//# refused E0277: the token on another thread
//? Another thread got the right to change the device of this thread. Give `Thread` a field of type
//? `PhantomData<*const ()>`.
fn check(mut thread: api::Thread) {
    std::thread::spawn(move || thread.bind(0).malloc());
}

//# refused E0423 E0451 E0063 E0603 E0277 E0599: a token that was not claimed
//? A program made a token without `claim`. Keep the fields of `Thread` private, and give it no `Default`.
fn check() -> api::Thread {
    api::Thread::default()
}

//# cheat 1: a shared right
//- pub fn bind(&mut self, device: u32) -> Current<'_> {
//+ pub fn bind(&self, device: u32) -> Current<'_> {

//# cheat 1: a binding without a borrow
//- pub fn bind(&mut self, device: u32) -> Current<'_> {
//+ pub fn bind(&mut self, device: u32) -> Current<'static> {

//# cheat 2: a binding without a thread
//- _binding: PhantomData<&'thread ()>,
//- _on_one_thread: OnOneThread,
//+ _binding: PhantomData<&'thread ()>,
//- _binding: PhantomData,
//- _on_one_thread: PhantomData,
//+ _binding: PhantomData,

//# cheat 3: a token without a thread
//- pub struct Thread {
//- _on_one_thread: OnOneThread,
//+ pub struct Thread {
//+ _on_one_thread: PhantomData<()>,

//# cheat 4: a token by default
//- pub struct Thread {
//+ #[derive(Default)]
//+ pub struct Thread {
