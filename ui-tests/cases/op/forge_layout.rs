//! Makes a type of one's own a layout, under which a view would count as contiguous.

use ascendcl::op::{Layout, Tensor};
use ascendcl::Npu;

struct Packed;
impl Layout for Packed { //~ mistake
    const IS_CONTIGUOUS: bool = true; //~ mistake
    type Start = (); //~ mistake
    fn start((): ()) -> usize { //~ mistake
        0 //~ mistake
    } //~ mistake
} //~ mistake
//~ instead: fn takes_any_layout<L: Layout>(_: &Tensor<'_, Npu<0>, f32, L>, _: Packed) {}

fn main() {
    let _ = None::<Tensor<'_, Npu<0>, f32>>;
}
