//! Measures a program that uses AscendCL, without a card: a backend that only records its calls, and a counter of the
//! instructions outside it.

pub mod backend;
pub mod measure;
mod steps;
pub mod table;
