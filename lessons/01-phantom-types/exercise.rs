//! Lesson 1: give `Buffer` a place in its type.

mod api {
    /// A place: memory of the host.
    pub enum Host {}
    /// A place: memory of the device.
    pub enum Device {}

    // Your task: a parameter for the place, here and in the four functions.
    pub struct Buffer {
        numbers: Vec<u32>,
    }

    /// Returns a buffer of the host.
    pub fn host(numbers: &[u32]) -> Buffer {
        Buffer {
            numbers: numbers.to_vec(),
        }
    }

    /// Copies a buffer of the host to the device.
    pub fn upload(from: &Buffer) -> Buffer {
        Buffer {
            numbers: from.numbers.clone(),
        }
    }

    /// Copies a buffer of the device to the host.
    pub fn download(from: &Buffer) -> Buffer {
        Buffer {
            numbers: from.numbers.clone(),
        }
    }

    /// Returns the numbers of a buffer of the host.
    pub fn numbers(buffer: &Buffer) -> &[u32] {
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
