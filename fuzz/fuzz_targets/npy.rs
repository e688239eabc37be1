//! New inputs for `tests/parsers/npy.rs`.
#![no_main]

/// Leaves the function with an error of this text, as in the example.
macro_rules! bail {
    ($($text:tt)*) => { return Err(format!($($text)*).into()) };
}

#[path = "../../examples/vector_add/npy.rs"]
#[allow(dead_code, reason = "the example uses more of it")]
mod npy;
#[path = "../../tests/parsers/npy.rs"]
mod parser;
#[path = "../../tests/parsers/scratch.rs"]
#[allow(dead_code, reason = "the fuzzer leaves its files to the system")]
mod scratch;
#[path = "../../examples/vector_add/shape.rs"]
#[allow(dead_code, reason = "the example uses more of it")]
mod shape;

/// The results of the example.
type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| parser::read(bytes));
