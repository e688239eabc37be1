//! Makes a type of one's own a place where operands are.

use ascendcl::Npu;
use ascendcl::bounds::Site;

struct Anywhere;
impl Site for Anywhere { //~ mistake
    type Device = Npu<0>; //~ mistake
} //~ mistake
//~ instead: fn takes_any_site<X: Site<Device = Npu<0>>>(_: Anywhere) {}
