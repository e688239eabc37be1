//! Makes a type of one's own an element type of tensors.

use ascendcl::bounds::Element;
use ascendcl::sys;

#[derive(Clone, Copy)]
struct Mine;
impl Element for Mine { //~ mistake
    const DATA_TYPE: sys::aclDataType = sys::ACL_FLOAT; //~ mistake
} //~ mistake
//~ instead: fn takes_any_element<T: Element>() -> sys::aclDataType { T::DATA_TYPE }
