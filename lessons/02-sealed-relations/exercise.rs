//! Lesson 2: complete the table of legal directions, and seal it.

pub mod api {
    use std::marker::PhantomData;

    pub enum Host {}
    pub enum Device {}

    pub struct Buffer<Place> {
        numbers: Vec<u32>,
        _place: PhantomData<Place>,
    }

    pub fn buffer<Place>(numbers: &[u32]) -> Buffer<Place> {
        Buffer {
            numbers: numbers.to_vec(),
            _place: PhantomData,
        }
    }

    /// The directions in which the device copies, with the constant of C.
    // Your task, second part: no code outside `api` can implement this trait.
    pub trait CopyTo<Target> {
        const KIND: u32;
    }

    impl CopyTo<Device> for Host {
        const KIND: u32 = 1; // ACL_MEMCPY_HOST_TO_DEVICE
    }
    // Your task, first part: device to host has kind 2, device to device has kind 3.

    /// Copies, and returns the kind that C receives.
    pub fn copy<From: CopyTo<To>, To>(to: &mut Buffer<To>, from: &Buffer<From>) -> u32 {
        to.numbers.clone_from(&from.numbers);
        From::KIND
    }
}

use api::{Buffer, Device, Host, buffer, copy};

fn main() {
    let mut host: Buffer<Host> = buffer(&[1, 2, 3]);
    let (mut a, mut b): (Buffer<Device>, Buffer<Device>) = (buffer(&[0; 3]), buffer(&[0; 3]));
    let kinds = [copy(&mut a, &host), copy(&mut b, &a), copy(&mut host, &b)];
    println!("{kinds:?}");
}
