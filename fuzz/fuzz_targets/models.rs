//! New inputs for `tests/parsers/models.rs`.
#![no_main]

#[path = "../../tests/parsers/models.rs"]
mod parser;
#[path = "../../tests/parsers/scratch.rs"]
#[allow(
    dead_code,
    reason = "the fuzzer leaves its files to the system, and some parsers read none"
)]
mod scratch;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| parser::read(bytes));
