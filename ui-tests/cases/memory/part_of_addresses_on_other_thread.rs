//! Gives a part of a buffer whose elements belong to one thread to another.

use ascendcl::memory::{Host, Slice};

fn wrong(part: Slice<'_, Host, [*const u8]>) { //~ mistake
    //~ instead: fn wrong(part: Slice<'_, Host, [usize]>) {
    std::thread::scope(|scope| {
        scope.spawn(move || drop(part)); //~ mistake
        //~ instead: scope.spawn(move || drop(part));
    });
}
