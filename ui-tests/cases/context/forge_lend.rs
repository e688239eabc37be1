//! Makes a type of one's own something that can be lent, at any address.

use ascendcl::memory::Host;
use ascendcl::scope::Lend;

struct Anywhere;
impl Lend for Anywhere { //~ mistake
    type Place = Host; //~ mistake
    type Elements = [u8]; //~ mistake
    type Returned = (); //~ mistake
    type Seen = (); //~ mistake
    const PAGEABLE: bool = false; //~ mistake
    fn into_raw(self) -> std::ptr::NonNull<[u8]> { //~ mistake
        std::ptr::NonNull::from(&[0; 16]) //~ mistake
    } //~ mistake
    fn seen(memory: std::ptr::NonNull<[u8]>, (): ()) -> std::ptr::NonNull<[u8]> { //~ mistake
        memory //~ mistake
    } //~ mistake
    unsafe fn from_raw(_: std::ptr::NonNull<[u8]>) {} //~ mistake
} //~ mistake
//~ instead: fn takes_what_can_be_lent<R: Lend<Place = Host, Elements = [u8]>>() {}
