//! Measuring a program that uses AscendCL without a card: a backend that only notes its calls, and a counter of the
//! instructions around it.

pub mod backend;
pub mod measure;
mod steps;
pub mod table;
