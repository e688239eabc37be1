//! Lesson 10: work that is over and work that has succeeded have two types.

mod api {
    pub struct Memory {
        number: u32,
    }

    impl Memory {
        pub fn read(&self) -> u32 {
            self.number
        }
    }

    /// Memory whose work is over, successfully or not.
    #[must_use = "verify it with an `Idle`, or take it with `accept_unverified`"]
    pub struct Unverified {
        memory: Memory,
    }

    impl Unverified {
        /// Returns the memory. If a task has failed, it has older numbers.
        pub fn accept_unverified(self) -> Memory {
            self.memory
        }
    }

    #[derive(Debug)]
    pub struct Failed;

    /// The proof that a stream has succeeded.
    pub struct Idle(());

    impl Idle {
        pub fn verify(&self, unverified: Unverified) -> Memory {
            unverified.memory
        }
    }

    /// A stream whose work may fail.
    pub struct Stream {
        has_failed: bool,
    }

    impl Stream {
        pub fn new(has_failed: bool) -> Stream {
            Stream { has_failed }
        }

        /// Runs work, and waits until it is over.
        pub fn fence(&self, number: u32) -> Unverified {
            let number = if self.has_failed { 0xDEAD } else { number };
            Unverified {
                memory: Memory { number },
            }
        }

        /// Waits for the stream. Only a stream that has succeeded returns the proof.
        pub fn synchronize(&mut self) -> Result<Idle, Failed> {
            if self.has_failed {
                Err(Failed)
            } else {
                Ok(Idle(()))
            }
        }
    }
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
