//! Lesson 7: a slot can be used with the heap that made it, and with no other one.

mod api {
    use std::marker::PhantomData;

    /// A lifetime that is used as a name. A function makes it invariant.
    type Brand<'id> = PhantomData<fn(&'id ()) -> &'id ()>;

    pub struct Heap<'id> {
        numbers: Vec<u32>,
        _brand: Brand<'id>,
    }

    #[derive(Clone, Copy)]
    pub struct Slot<'id> {
        index: usize,
        _brand: Brand<'id>,
    }

    /// Makes a heap for the time of a call.
    pub fn with_heap<R>(work: impl for<'id> FnOnce(Heap<'id>) -> R) -> R {
        work(Heap {
            numbers: Vec::new(),
            _brand: PhantomData,
        })
    }

    impl<'id> Heap<'id> {
        pub fn put(&mut self, number: u32) -> Slot<'id> {
            self.numbers.push(number);
            Slot {
                index: self.numbers.len() - 1,
                _brand: PhantomData,
            }
        }

        pub fn get(&self, slot: Slot<'id>) -> u32 {
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
