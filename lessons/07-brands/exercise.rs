//! Lesson 7: a slot can be used with the heap that made it, and with no other one.

mod api {
    // Your task: a brand for the heap and for its slots.
    pub struct Heap {
        numbers: Vec<u32>,
    }

    #[derive(Clone, Copy)]
    pub struct Slot {
        index: usize,
    }

    /// Makes a heap for the time of a call.
    pub fn with_heap<R>(work: impl FnOnce(Heap) -> R) -> R {
        work(Heap {
            numbers: Vec::new(),
        })
    }

    impl Heap {
        pub fn put(&mut self, number: u32) -> Slot {
            self.numbers.push(number);
            Slot {
                index: self.numbers.len() - 1,
            }
        }

        pub fn get(&self, slot: Slot) -> u32 {
            self.numbers.get(slot.index).copied().unwrap_or(0)
        }
    }
}

use api::{Heap, Slot, with_heap};

/// The compiler knows that both slots are of this heap.
fn sum<'id>(heap: &Heap<'id>, a: Slot<'id>, b: Slot<'id>) -> u32 {
    heap.get(a) + heap.get(b)
}

fn main() {
    let total = with_heap(|mut heap| {
        let (a, b) = (heap.put(30), heap.put(12));
        sum(&heap, a, b)
    });
    println!("{total}");
}
