//! Lesson 3: a stream borrows its device.

mod api {
    pub struct Device {
        id: u32,
    }

    // Your task: a stream cannot be used after its device was reset.
    pub struct Stream {
        number: u32,
    }

    impl Device {
        pub fn open(id: u32) -> Device {
            Device { id }
        }

        pub fn create_stream(&self, number: u32) -> Stream {
            Stream { number }
        }

        /// Ends the device, and every object that is left on it.
        pub fn reset(self) {
            println!("reset device {}", self.id);
        }
    }

    impl Drop for Stream {
        fn drop(&mut self) {
            println!("destroy stream {}", self.number);
        }
    }
}

use api::{Device, Stream};

/// Makes a stream that lives as long as the borrow of the device.
fn work(device: &Device) -> Stream<'_> {
    device.create_stream(7)
}

fn main() {
    let device = Device::open(0);
    let stream = work(&device);
    drop(stream);
    device.reset();
}
