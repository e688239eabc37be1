//! Says that idle operands are where those of another site are.

use ascendcl::Npu;
use ascendcl::bounds::SameSite;

struct Anywhere;
impl SameSite<Anywhere> for Npu<0> {} //~ mistake
//~ instead: fn takes_operands_of_one_device<Y: SameSite<Npu<0>>>(_: Anywhere) {}
