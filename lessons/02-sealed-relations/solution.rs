//! Lesson 2: the trait is the table of legal directions, and it is sealed.

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
    pub trait CopyTo<Target>: sealed::Place {
        const KIND: u32;
    }

    impl CopyTo<Device> for Host {
        const KIND: u32 = 1; // ACL_MEMCPY_HOST_TO_DEVICE
    }
    impl CopyTo<Host> for Device {
        const KIND: u32 = 2; // ACL_MEMCPY_DEVICE_TO_HOST
    }
    impl CopyTo<Device> for Device {
        const KIND: u32 = 3; // ACL_MEMCPY_DEVICE_TO_DEVICE
    }

    mod sealed {
        /// Public, so that a public trait can require it; in a private module, so that nobody else can name it.
        pub trait Place {}
        impl Place for super::Host {}
        impl Place for super::Device {}
    }

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
