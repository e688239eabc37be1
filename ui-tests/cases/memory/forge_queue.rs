//! Makes a queue of a type of one's own.

use ascendcl::queue::Queue;

struct Mine;
impl Queue for Mine {} //~ mistake
//~ instead: fn takes_any_queue<Q: Queue>() {}
