//! Lesson 0: this program reads memory that was never written. Repair `main`; leave `api` as it is.

mod api {
    use std::marker::PhantomData;

    /// The state of memory that was never written.
    pub struct Fresh;
    /// The state of memory that was written.
    pub struct Written;

    pub struct Memory<State> {
        bytes: Vec<u8>,
        _state: PhantomData<State>,
    }

    pub fn malloc(len: usize) -> Memory<Fresh> {
        Memory {
            bytes: vec![0xAA; len],
            _state: PhantomData,
        }
    }

    impl Memory<Fresh> {
        /// Writes all of the memory.
        pub fn fill(mut self, byte: u8) -> Memory<Written> {
            self.bytes.fill(byte);
            Memory {
                bytes: self.bytes,
                _state: PhantomData,
            }
        }
    }

    pub fn first<State: Readable>(memory: &Memory<State>) -> Option<u8> {
        memory.bytes.first().copied()
    }

    #[diagnostic::on_unimplemented(
        message = "this memory is `{Self}`: nothing has written it",
        label = "a read would return old bytes",
        note = "write the memory first: `let memory = memory.fill(7);`"
    )]
    pub trait Readable {}

    impl Readable for Written {}
}

fn main() {
    let memory = api::malloc(4);
    // Your task: fill the memory with the byte 7 before it is read.
    println!("{:?}", api::first(&memory));
}
