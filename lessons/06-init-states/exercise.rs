//! Lesson 6: a copy to fresh memory returns written memory.

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

    // Your task: written memory only.
    impl<State> Memory<State> {
        pub fn read(&self) -> &[u32] {
            &self.numbers
        }
    }

    // Your task: `to` is a `Destination`, and the result is what the destination gives back.
    pub fn copy<State>(to: &mut Memory<State>, from: &[u32]) {
        to.numbers.clear();
        to.numbers.extend_from_slice(from);
    }
}

use api::{Init, Memory, copy, malloc};

fn main() {
    let mut memory: Memory<Init> = copy(malloc(3), &[1, 2, 3]);
    println!("{:?}", memory.read());
    copy(&mut memory, &[4, 5, 6]);
    println!("{:?}", memory.read());
}
