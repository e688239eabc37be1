//! Lesson 6: fresh memory is written by value, and written memory in its place.

mod api {
    use std::marker::PhantomData;

    pub enum Init {}
    pub enum Uninit {}

    pub struct Memory<State> {
        numbers: Vec<u32>,
        _state: PhantomData<State>,
    }

    pub fn malloc(len: usize) -> Memory<Uninit> {
        Memory {
            numbers: vec![0xDEAD; len],
            _state: PhantomData,
        }
    }

    impl Memory<Init> {
        pub fn read(&self) -> &[u32] {
            &self.numbers
        }
    }

    /// What a copy can write.
    pub trait Destination {
        /// What the copy gives back.
        type Written;

        fn write(self, from: &[u32]) -> Self::Written;
    }

    impl Destination for Memory<Uninit> {
        type Written = Memory<Init>;

        fn write(mut self, from: &[u32]) -> Memory<Init> {
            self.numbers.clear();
            self.numbers.extend_from_slice(from);
            Memory {
                numbers: self.numbers,
                _state: PhantomData,
            }
        }
    }

    impl Destination for &mut Memory<Init> {
        type Written = ();

        fn write(self, from: &[u32]) {
            self.numbers.clear();
            self.numbers.extend_from_slice(from);
        }
    }

    pub fn copy<To: Destination>(to: To, from: &[u32]) -> To::Written {
        to.write(from)
    }
}

use api::{Init, Memory, copy, malloc};

fn main() {
    let mut memory: Memory<Init> = copy(malloc(3), &[1, 2, 3]);
    println!("{:?}", memory.read());
    copy(&mut memory, &[4, 5, 6]);
    println!("{:?}", memory.read());
}
