//! Lesson 10: work that is over has not always succeeded.

mod api {
    pub struct Memory {
        number: u32,
    }

    impl Memory {
        pub fn read(&self) -> u32 {
            self.number
        }
    }

    #[derive(Debug)]
    pub struct Failed;

    /// The proof that a stream has succeeded.
    pub struct Idle(());

    /// A stream whose work may fail.
    pub struct Stream {
        has_failed: bool,
    }

    impl Stream {
        pub fn new(has_failed: bool) -> Stream {
            Stream { has_failed }
        }

        /// Runs work, and waits until it is over.
        // Your task: the result is `Unverified`, and the compiler warns if it is not used.
        pub fn fence(&self, number: u32) -> Memory {
            let number = if self.has_failed { 0xDEAD } else { number };
            Memory { number }
        }

        // Your task: a stream that has failed returns `Err(Failed)`.
        pub fn synchronize(&mut self) -> Idle {
            Idle(())
        }
    }

    // Your task: `idle.verify(unverified)` and `unverified.accept_unverified()` return the memory.
}

use api::{Failed, Memory, Stream, Unverified};

fn run(stream: &mut Stream) -> Result<u32, Failed> {
    let memory: Unverified = stream.fence(7);
    let memory: Memory = stream.synchronize()?.verify(memory);
    Ok(memory.read())
}

fn main() {
    println!("{:?}", run(&mut Stream::new(false)));
    println!("{:?}", run(&mut Stream::new(true)));
    let old = Stream::new(true).fence(7).accept_unverified();
    println!("{:x}", old.read());
}
