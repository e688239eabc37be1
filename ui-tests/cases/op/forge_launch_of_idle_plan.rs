//! Declares that the operands of a plan, which are idle, are queued on a stream of one's own name.

use ascendcl::bounds::QueuedSite;
use ascendcl::{Npu, StreamName};

enum Mine {}
impl StreamName for Mine {}

impl QueuedSite<Mine> for Npu<0> {} //~ mistake
//~ instead: fn takes_any_queued_site<X: QueuedSite<Mine>>(_: X) {}
