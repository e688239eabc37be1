//! The harness of the ui cases: programs that the compiler must refuse, and their accepted twins.
//!
//! A case is one file, `cases/<area>/<mistake>.rs`, with the compiler's message beside it. Its twin
//! is the same program without the mistake and must compile; it is generated from the case, so the
//! two differ only in the lines that the case marks. A refusal proves something only together with
//! its twin: alone, a case could be refused because of a typing error.

pub mod area;
pub mod case;
pub mod cases;
pub mod flow;
pub mod package;
pub mod twin;
pub mod twins;
