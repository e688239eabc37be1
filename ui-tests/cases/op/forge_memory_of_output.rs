//! Makes a type of one's own memory that operators write to, at any address.

use ascendcl::Npu;
use ascendcl::bounds::Output;

struct Anywhere;
impl Output<Npu<0>, f32> for Anywhere { //~ mistake
    fn data(&mut self) -> *mut f32 { //~ mistake
        std::ptr::dangling_mut() //~ mistake
    } //~ mistake
} //~ mistake
//~ instead: fn takes_any_output<O: Output<Npu<0>, f32>>(_: O, _: Anywhere) {}
