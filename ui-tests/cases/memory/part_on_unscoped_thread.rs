//! Gives a part of a buffer to a thread that may still run when the buffer is freed.

use ascendcl::memory::{Dev, SliceMut};
use ascendcl::Npu;

fn wrong(half: SliceMut<'_, Dev<Npu<0>>, [f32]>) {
    std::thread::spawn(move || drop(half)); //~ mistake
    //~ instead: std::thread::scope(|scope| {
    //~ instead:     scope.spawn(move || drop(half));
    //~ instead: });
}
