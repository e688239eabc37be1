//! The vector instructions of the emulator's kernels. A function that is called through a pointer or an array that stays in
//! memory silently makes a loop compute its numbers one by one, which takes several times as long and changes no result.

use std::collections::BTreeMap;

use crate::error::{Error, conclude};
use crate::process::{Line, target};

/// What has the kernels: the emulator as a C library, as it is measured beside PyTorch.
const BUILD: &str = "cargo build --quiet --release --package ascendcl-emulator-capi";
const LIBRARY: &str = "release/libascendcl_emulator_capi.so";

/// The most instructions on single numbers for one on vectors. The ends of rows are computed one by one, in loops of their own.
const MOST: usize = 3;

/// The arithmetic of a function: instructions on vectors, and on single numbers.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Arithmetic {
    packed: usize,
    single: usize,
}

/// Prints the arithmetic of each kernel for wide vectors. Fails if one computes its numbers one by one.
pub(super) fn table() -> Result<(), Error> {
    if !cfg!(target_arch = "x86_64") {
        let what = "the kernels for wide vectors are those of x86-64";
        return Err(Error::from(what.to_owned()));
    }
    Line::new(BUILD).run()?;
    let text = Line::new("objdump --disassemble --no-show-raw-insn")
        .with([target().join(LIBRARY)])
        .run_quietly()?;
    let kernels = kernels(&text);
    let mut slow = Vec::new();
    println!("{:>8} {:>8}  kernel", "vectors", "single");
    for (name, Arithmetic { packed, single }) in &kernels {
        println!("{packed:>8} {single:>8}  {name}");
        if *single > packed * MOST {
            slow.push(format!("{name} computes numbers one by one"));
        }
    }
    if kernels.is_empty() {
        return Err(format!("{LIBRARY} has no kernel for wide vectors").into());
    }
    conclude(&slow)
}

/// The kernels among the functions of a disassembly, by name.
fn kernels(text: &str) -> BTreeMap<String, Arithmetic> {
    let mut kernels: BTreeMap<String, Arithmetic> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        if let Some(symbol) = line.strip_suffix(">:") {
            let symbol = symbol.split_once('<').map_or("", |(_, symbol)| symbol);
            let name = format!("{:#}", rustc_demangle::demangle(symbol));
            // The macro `wide!` gives this name to the functions for wide vectors.
            let is_kernel = name.ends_with("::wide");
            current = is_kernel.then(|| kernels.entry(name).or_default());
            continue;
        }
        let operation = line
            .split('\t')
            .nth(1)
            .and_then(|code| code.split(' ').next());
        if let (Some(kernel), Some(operation)) = (&mut current, operation) {
            match kind(operation) {
                Some(true) => kernel.packed += 1,
                Some(false) => kernel.single += 1,
                None => {}
            }
        }
    }
    kernels
}

/// Whether an instruction of arithmetic is on vectors; `None` for other instructions.
fn kind(operation: &str) -> Option<bool> {
    const ARITHMETIC: [&str; 8] = [
        "fmadd", "fmsub", "fnmadd", "fnmsub", "add", "sub", "mul", "div",
    ];
    let operation = operation.strip_prefix('v')?;
    if !ARITHMETIC.iter().any(|start| operation.starts_with(start)) {
        return None;
    }
    match operation.get(operation.len().checked_sub(2)?..)? {
        "ps" | "pd" => Some(true),
        "ss" | "sd" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Arithmetic, kernels};

    #[test]
    fn kernels_are_functions_for_wide_vectors() {
        let text = "\n0000000000001000 <_ZN4sums4wide17h0123456789abcdefE>:\n\
                    1000:\tvfmadd231ps %ymm0,%ymm1,%ymm2\n\
                    1005:\tvfnmadd213ss %xmm0,%xmm1,%xmm2\n\
                    100a:\tvmovups %ymm0,%ymm1\n\
                    100f:\taddps %xmm0,%xmm1\n\
                    \n0000000000002000 <other>:\n\
                    2000:\tvmulps %ymm0,%ymm1,%ymm2\n";
        let found = kernels(text);
        let arithmetic = Arithmetic {
            packed: 1,
            single: 1,
        };
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            [("sums::wide".to_owned(), arithmetic)]
        );
    }
}
