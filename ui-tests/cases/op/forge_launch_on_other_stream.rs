//! Declares that operands that are queued on one stream are queued on another one, too.

use ascendcl::bounds::QueuedSite;
use ascendcl::stream::Main;
use ascendcl::{Npu, StreamName};

enum Mine {}
impl StreamName for Mine {}

impl QueuedSite<Mine> for (Npu<0>, Main) {} //~ mistake
//~ instead: fn takes_what_is_queued_there<X: QueuedSite<Mine>>(_: X) {}
