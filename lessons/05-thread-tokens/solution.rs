//! Lesson 5: a token for the right to change the current device of a thread.

mod api {
    use std::cell::Cell;
    use std::marker::PhantomData;

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

    /// Raw pointers are neither `Send` nor `Sync`.
    type OnOneThread = PhantomData<*const ()>;

    /// The right to change the current device of this thread.
    pub struct Thread {
        _on_one_thread: OnOneThread,
    }

    /// The fact that a device is current on this thread.
    #[derive(Clone, Copy)]
    pub struct Current<'thread> {
        _binding: PhantomData<&'thread ()>,
        _on_one_thread: OnOneThread,
    }

    impl Thread {
        pub fn claim() -> Option<Thread> {
            is_first_claim().then_some(Thread {
                _on_one_thread: PhantomData,
            })
        }

        pub fn bind(&mut self, device: u32) -> Current<'_> {
            set_device(device);
            Current {
                _binding: PhantomData,
                _on_one_thread: PhantomData,
            }
        }
    }

    impl Current<'_> {
        pub fn malloc(self) -> Option<u32> {
            malloc()
        }
    }
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
