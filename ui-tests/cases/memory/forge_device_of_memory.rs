//! Says that memory of one device can be reached by another.

use ascendcl::Npu;
use ascendcl::bounds::OnDevice;
use ascendcl::memory::Dev;

impl OnDevice<Npu<0>> for Dev<Npu<1>> {} //~ mistake
//~ instead: fn reaches<M: OnDevice<Npu<0>>>() {}
