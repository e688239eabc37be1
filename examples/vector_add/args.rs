//! The command line.

use std::path::{Path, PathBuf};

use clap::Parser;

use crate::Result;
use crate::cpu::{Function, Number};
use crate::npy::Dtype;

/// Adds two tensors on an Ascend NPU and checks the result.
///
/// The tensors are .npy files of NumPy with float32, float16, bfloat16, int32 or int64 elements and
/// at most 8 dimensions; their shapes broadcast as in NumPy. ASCENDCL_BACKEND chooses where to
/// compute: `cann`, `emulator`, or the path of a libascendcl.so. Without it CANN is used where it is
/// found, else the emulator.
#[derive(Debug, Parser)]
#[command(
    name = "vector_add",
    after_help = "Exit status: 0 if the result is right and written, 1 if something failed, 2 for a \
                  wrong command line."
)]
pub(crate) struct Args {
    /// First operand; needs --b [default without both: examples/data/a.npy]
    #[arg(long, value_name = "FILE", requires = "b")]
    a: Option<PathBuf>,

    /// Second operand; needs --a [default without both: examples/data/b.npy]
    #[arg(long, value_name = "FILE", requires = "a")]
    b: Option<PathBuf>,

    /// Where the result goes [default: sum.npy in the current folder, with --mul product.npy]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Which device computes
    #[arg(
        long,
        value_name = "ID",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(crate) device: u32,

    /// Compute a + NUMBER * b
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        allow_negative_numbers = true,
        conflicts_with = "mul"
    )]
    alpha: String,

    /// Multiply instead of adding
    #[arg(long)]
    mul: bool,

    /// Element type, where the files do not say it: bfloat16 is stored as two bytes without a
    /// meaning (|V2) or as uint16
    #[arg(long, value_name = "TYPE", value_enum)]
    pub(crate) dtype: Option<Dtype>,

    /// Host memory for copies, in MiB (fractions too); longer tensors are copied in chunks
    #[arg(long = "chunk-mib", value_name = "MIB", default_value = "64", value_parser = bytes)]
    pub(crate) chunk: usize,

    /// Log every step to stderr
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

impl Args {
    /// The file of the first operand.
    pub(crate) fn a(&self) -> PathBuf {
        self.a.clone().unwrap_or_else(|| supplied("a.npy"))
    }

    /// The file of the second operand.
    pub(crate) fn b(&self) -> PathBuf {
        self.b.clone().unwrap_or_else(|| supplied("b.npy"))
    }

    /// The file of the result.
    pub(crate) fn out(&self) -> PathBuf {
        let default = if self.mul { "product.npy" } else { "sum.npy" };
        self.out.clone().unwrap_or_else(|| default.into())
    }

    /// What to compute. What `--alpha` may be is known once the element type is.
    pub(crate) fn function<T: Number>(&self) -> Result<Function<T>> {
        if self.mul {
            return Ok(Function::Multiply);
        }
        let Ok(alpha) = self.alpha.parse() else {
            bail!(
                "--alpha {} is no number of the files' element type: give {}",
                self.alpha,
                T::RANGE
            );
        };
        Ok(Function::Add { alpha })
    }
}

/// A file of `examples/data`: here, or where the example was built.
fn supplied(name: &str) -> PathBuf {
    let here = Path::new("examples/data").join(name);
    if here.exists() {
        here
    } else {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(here)
    }
}

/// The bytes of a number of MiB.
fn bytes(text: &str) -> Result<usize, String> {
    let bytes = text
        .parse::<f64>()
        .map_or(0.0, |mib| mib * f64::from(1 << 20));
    if (1.0..=f64::from(1 << 20) * f64::from(1 << 20)).contains(&bytes) {
        // CAST: within the range just checked; a fraction of a byte does not matter.
        Ok(bytes as usize)
    } else {
        Err("give a number of MiB above 0 and up to 1048576, such as 64 or 0.5".into())
    }
}
