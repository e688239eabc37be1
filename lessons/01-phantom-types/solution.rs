//! Lesson 1: the place of a buffer is a phantom parameter.

mod api {
    use std::marker::PhantomData;

    /// A place: memory of the host.
    pub enum Host {}
    /// A place: memory of the device.
    pub enum Device {}

    pub struct Buffer<Place> {
        numbers: Vec<u32>,
        _place: PhantomData<Place>,
    }

    impl<Place> Buffer<Place> {
        fn new(numbers: Vec<u32>) -> Self {
            Buffer {
                numbers,
                _place: PhantomData,
            }
        }
    }

    /// Returns a buffer of the host.
    pub fn host(numbers: &[u32]) -> Buffer<Host> {
        Buffer::new(numbers.to_vec())
    }

    /// Copies a buffer of the host to the device.
    pub fn upload(from: &Buffer<Host>) -> Buffer<Device> {
        Buffer::new(from.numbers.clone())
    }

    /// Copies a buffer of the device to the host.
    pub fn download(from: &Buffer<Device>) -> Buffer<Host> {
        Buffer::new(from.numbers.clone())
    }

    /// Returns the numbers of a buffer of the host.
    pub fn numbers(buffer: &Buffer<Host>) -> &[u32] {
        &buffer.numbers
    }
}

use api::{Buffer, Device, Host};

fn main() {
    let host: Buffer<Host> = api::host(&[1, 2, 3]);
    let device: Buffer<Device> = api::upload(&host);
    let back: Buffer<Host> = api::download(&device);
    println!("{:?}", api::numbers(&back));
}
