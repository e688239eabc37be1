//! Makes a queue of a type of one's own.

use ascendcl::Npu;
use ascendcl::queue::Queue;

struct Mine;
impl Queue for Mine { //~ mistake
    type Device = Npu<0>; //~ mistake
} //~ mistake
//~ instead: fn takes_any_queue<Q: Queue<Device = Npu<0>>>() {}
