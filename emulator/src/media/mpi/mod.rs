//! The second generation of the media engine (`hi_mpi_*`).
//!
//! - `system`: the state of the process, the channels by their numbers, layouts for several engines;
//! - `vpc`, `regions`, `images`: picture processing; `vdec`, `pngd`, `venc`: decoding of JPEG and PNG, encoding of JPEG;
//! - `decoding`: a decoding that waits; `headers`: headers in host memory.
//!
//! There are no streams: a channel has a queue, and a task runs in the thread that waits for its result. A queue has room
//! for 16 results that nobody has fetched, which was observed on a card; a channel can ask for 10 to 350.
//!
//! The codes come from the headers and the manual. What the manual does not say is an assumption: pictures that the engine
//! cannot process are refused by the call that sends them, with `ILLEGAL_PARAM`.

mod decoding;
mod headers;
mod images;
mod pngd;
mod regions;
mod system;
mod vdec;
mod venc;
mod vpc;

pub(crate) use headers::*;
pub(crate) use images::*;
pub(crate) use pngd::*;
pub(crate) use regions::*;
pub(crate) use system::*;
pub(crate) use vdec::*;
pub(crate) use venc::*;
pub(crate) use vpc::*;
