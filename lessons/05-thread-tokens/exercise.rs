//! Lesson 5: a token for the right to change the current device of a thread.

mod api {
    use std::cell::Cell;

    thread_local! {
        static CURRENT: Cell<Option<u32>> = const { Cell::new(None) };
        static CLAIMED: Cell<bool> = const { Cell::new(false) };
    }

    /// Whether this is the first call on this thread.
    fn is_first_claim() -> bool {
        !CLAIMED.replace(true)
    }

    /// Makes a device current, as `aclrtSetDevice` does.
    fn set_device(device: u32) {
        CURRENT.set(Some(device));
    }

    /// Allocates on the current device, and returns it.
    fn malloc() -> Option<u32> {
        CURRENT.get()
    }

    // Your task:
    // - `Thread::claim()` returns `Some` once per thread.
    // - `thread.bind(device)` makes the device current and returns a `Current<'_>`.
    // - `current.malloc()` allocates on the device of the binding.
    // - Neither of the two types leaves its thread.
}

fn on_this_thread(thread: &mut api::Thread) -> [Option<u32>; 2] {
    let zero = thread.bind(0).malloc();
    let one: api::Current<'_> = thread.bind(1);
    [zero, one.malloc()]
}

fn main() {
    let Some(mut thread) = api::Thread::claim() else {
        return;
    };
    println!("{:?}", on_this_thread(&mut thread));
    println!("claimed again: {}", api::Thread::claim().is_some());
}
