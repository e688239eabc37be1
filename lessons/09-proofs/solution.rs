//! Lesson 9: the wait returns a proof, and the proof returns the memory.

mod api {
    use std::marker::PhantomData;

    pub struct Stream<Name> {
        waits: u32,
        _name: PhantomData<Name>,
    }

    /// Memory that the work of a stream uses.
    pub struct Queued<Name> {
        number: u32,
        _name: PhantomData<Name>,
    }

    impl<Name> Stream<Name> {
        pub fn new() -> Self {
            Stream {
                waits: 0,
                _name: PhantomData,
            }
        }

        /// Queues work that computes a number.
        pub fn compute(&mut self, number: u32) -> Queued<Name> {
            Queued {
                number,
                _name: PhantomData,
            }
        }

        /// Waits until the stream is done.
        pub fn synchronize(&mut self) -> Idle<'_, Name> {
            self.waits += 1;
            Idle {
                _stream: PhantomData,
            }
        }

        pub fn waits(&self) -> u32 {
            self.waits
        }
    }

    /// The proof that a stream is done. Nothing is queued while it is used.
    pub struct Idle<'stream, Name> {
        _stream: PhantomData<&'stream mut Stream<Name>>,
    }

    impl<Name> Idle<'_, Name> {
        pub fn take(&self, queued: Queued<Name>) -> u32 {
            queued.number
        }
    }
}

use api::Stream;

enum Upload {}
enum Download {}

fn main() {
    let mut upload: Stream<Upload> = Stream::new();
    let mut download: Stream<Download> = Stream::new();
    let (a, b) = (upload.compute(1), upload.compute(2));
    let c = download.compute(3);

    let idle = upload.synchronize();
    println!("{} {}", idle.take(a), idle.take(b));
    println!("{}", download.synchronize().take(c));
    println!("waits: {} {}", upload.waits(), download.waits());
}
