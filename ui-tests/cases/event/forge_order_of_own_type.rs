//! Says that streams can wait for events with flags of one's own.

use ascendcl::event::CanOrder;

enum Mine {}
impl CanOrder for Mine {} //~ mistake
//~ instead: fn takes_ordering_events<C: CanOrder>(_: Mine) {}
