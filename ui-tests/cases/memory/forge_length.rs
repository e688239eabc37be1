//! Makes a type of one's own the elements of a buffer, as many as it likes.

use std::ptr::NonNull;

use ascendcl::bounds::Elements;

struct Endless;
impl Elements for Endless { //~ mistake
    type Element = u8; //~ mistake
    fn count(_: NonNull<Self>) -> usize { //~ mistake
        usize::MAX //~ mistake
    } //~ mistake
} //~ mistake
//~ instead: fn counts<E: Elements<Element = u8>>(_: NonNull<E>) {}
