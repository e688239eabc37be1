//! Makes a type of one's own the name of devices.

use ascendcl::DeviceTag;

enum Mine {}
impl DeviceTag for Mine {} //~ mistake
//~ instead: fn takes_any_device<D: DeviceTag>() {}
