//! Reading tensors from `.npy` files (format: `numpy.lib.format`, versions 1 to 3).
//!
//! The header is a Python literal of three known keys, so a few lines can read it. Crates for this format add a
//! parser generator and a C compiler to the build.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bytemuck::Pod;
use clap::ValueEnum;

use crate::Result;
use crate::shape::{Walk, elements, tuple};

/// How every file begins.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// No honest header is longer.
const MAX_HEADER: usize = 1 << 20;

/// The highest rank that the operators take.
const MAX_RANK: usize = 8;

/// An element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dtype {
    /// NumPy's float32.
    F32,
    /// NumPy's float16.
    F16,
    /// The bfloat16 of ml_dtypes, which NumPy stores as `V2`; or its bits as uint16.
    Bf16,
    /// NumPy's int32.
    I32,
    /// NumPy's int64.
    I64,
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dtype::F32 => "f32",
            Dtype::F16 => "f16",
            Dtype::Bf16 => "bf16",
            Dtype::I32 => "i32",
            Dtype::I64 => "i64",
        })
    }
}

/// A file whose header was read.
#[derive(Debug)]
pub(crate) struct Npy {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// The element type.
    pub(crate) dtype: Dtype,
    /// How many there are in each dimension.
    pub(crate) shape: Vec<usize>,
    file: File,
    /// The element type as NumPy writes it, `<f4`.
    descr: String,
    fortran: bool,
}

impl Npy {
    /// Opens the files of both operands, which must have one element type.
    pub(crate) fn open_pair(a: &Path, b: &Path, wanted: Option<Dtype>) -> Result<(Npy, Npy)> {
        let a = Npy::open("--a", a, wanted)?;
        let b = Npy::open("--b", b, wanted)?;
        if a.dtype != b.dtype {
            bail!(
                "{} holds {} elements and {} {}: convert one of them with NumPy's `astype`",
                a.path.display(),
                a.dtype,
                b.path.display(),
                b.dtype
            );
        }
        Ok((a, b))
    }

    /// Opens the file that `option` names and reads its header. If the file does not determine the type, `wanted`
    /// does.
    fn open(option: &str, path: &Path, wanted: Option<Dtype>) -> Result<Npy> {
        let name = path.display();
        let fails = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => format!("{name} is cut short: write the file again"),
            _ => format!("cannot read {name}: {error}; name a .npy file with {option}"),
        };
        let found = fs::metadata(path).map_err(fails)?;
        if !found.is_file() {
            bail!("{name} is not a regular file: name a .npy file with {option}");
        }
        let mut file = File::open(path).map_err(fails)?;

        let mut magic = Vec::new();
        file.by_ref()
            .take(MAGIC.len() as u64)
            .read_to_end(&mut magic)
            .map_err(fails)?;
        if magic != MAGIC {
            bail!(
                "{name} is not a .npy file, it does not begin with \\x93NUMPY: write it with `numpy.save`"
            );
        }
        let [major, _minor] = take(&mut file).map_err(fails)?;
        let (length, start) = match major {
            1 => (
                u16::from_le_bytes(take(&mut file).map_err(fails)?).into(),
                10,
            ),
            2 | 3 => (u32::from_le_bytes(take(&mut file).map_err(fails)?), 12),
            _ => bail!(
                "{name} has the format version {major}, and 1 to 3 are known: write it again with \
                 `numpy.save`"
            ),
        };
        let damaged =
            || format!("the header of {name} is damaged: write the file again with `numpy.save`");
        let length = usize::try_from(length)
            .ok()
            .filter(|length| *length <= MAX_HEADER);
        let mut header = vec![0; length.ok_or_else(damaged)?];
        file.read_exact(&mut header).map_err(fails)?;
        let header = String::from_utf8_lossy(&header);

        let descr = value(&header, "descr").ok_or_else(damaged)?;
        let (descr, dtype) = element(descr, wanted).map_err(|why| format!("{name} {why}"))?;
        let shape = value(&header, "shape").and_then(dims).ok_or_else(damaged)?;
        let fortran = match value(&header, "fortran_order") {
            Some(value) if value.starts_with("True") => true,
            Some(value) if value.starts_with("False") => false,
            _ => return Err(damaged().into()),
        };
        if shape.len() > MAX_RANK {
            let rank = shape.len();
            bail!(
                "{name} has {rank} dimensions, and operators take at most {MAX_RANK}: reshape it"
            );
        }
        // Before any allocation: the header may declare any size.
        let promised = elements(&shape).and_then(|elements| elements.checked_mul(dtype.size()));
        let held = found.len().saturating_sub(start + header.len() as u64);
        match promised {
            Some(bytes) if bytes as u64 <= held => {}
            _ => bail!(
                "{name} is cut short: {dtype} elements of the shape {} need {} bytes, and it has \
                 {held}; write the file again",
                tuple(&shape),
                promised.map_or("too many".into(), |bytes| bytes.to_string())
            ),
        }
        Ok(Npy {
            path: path.to_owned(),
            dtype,
            shape,
            file,
            descr,
            fortran,
        })
    }

    /// The element type as NumPy writes it, in this machine's byte order.
    pub(crate) fn stored(&self) -> String {
        let order = if cfg!(target_endian = "big") {
            '>'
        } else {
            '<'
        };
        format!(
            "{order}{}",
            self.descr.trim_start_matches(['<', '>', '|', '='])
        )
    }

    /// The elements in C order, whatever order the file has. `T` is what `dtype` says.
    pub(crate) fn read<T: Pod>(&self) -> Result<Vec<T>> {
        let name = self.path.display();
        let mut values = vec![T::zeroed(); self.shape.iter().product()];
        let bytes = bytemuck::cast_slice_mut::<T, u8>(&mut values);
        let mut file = &self.file;
        file.read_exact(bytes)
            .map_err(|error| format!("cannot read {name}: {error}"))?;
        let foreign = if cfg!(target_endian = "big") {
            '<'
        } else {
            '>'
        };
        if self.descr.starts_with(foreign) {
            for element in bytes.chunks_exact_mut(size_of::<T>()) {
                element.reverse();
            }
        }
        if self.fortran && self.shape.len() > 1 {
            let walk = Walk::fortran(&self.shape).take(values.len());
            values = walk
                .filter_map(|offset| values.get(offset).copied())
                .collect();
        }
        Ok(values)
    }
}

impl Dtype {
    fn size(self) -> usize {
        match self {
            Dtype::F16 | Dtype::Bf16 => 2,
            Dtype::F32 | Dtype::I32 => 4,
            Dtype::I64 => 8,
        }
    }
}

fn take<const N: usize>(file: &mut File) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// The text after a key in the header.
fn value<'h>(header: &'h str, key: &str) -> Option<&'h str> {
    let (_, after) = header
        .split_once(&format!("'{key}'"))
        .or_else(|| header.split_once(&format!("\"{key}\"")))?;
    Some(after.trim_start().strip_prefix(':')?.trim_start())
}

/// The element type that a header's text and the user's wish agree on.
fn element(text: &str, wanted: Option<Dtype>) -> Result<(String, Dtype)> {
    let quote = text.chars().next().filter(|c| *c == '\'' || *c == '"');
    let descr = quote.and_then(|quote| text.split(quote).nth(1));
    let Some(descr) = descr else {
        bail!("holds elements of several fields, which no operator takes: save one field");
    };
    let own = match descr.trim_start_matches(['<', '>', '|', '=']) {
        "f4" => Dtype::F32,
        "f2" => Dtype::F16,
        "i4" => Dtype::I32,
        "i8" => Dtype::I64,
        "V2" | "u2" if wanted == Some(Dtype::Bf16) => Dtype::Bf16,
        "V2" | "u2" => bail!(
            "holds elements of the type '{descr}': if they are bfloat16 numbers, say so with --dtype \
             bf16"
        ),
        _ => bail!(
            "holds elements of the type '{descr}', which is not supported: convert them with NumPy's \
             `astype` to float32, float16, int32 or int64, or to ml_dtypes' bfloat16"
        ),
    };
    if let Some(wanted) = wanted.filter(|wanted| *wanted != own) {
        bail!("holds {own} elements, and --dtype says {wanted}: leave it out, or convert the file");
    }
    Ok((descr.to_owned(), own))
}

/// The numbers of a Python tuple.
fn dims(text: &str) -> Option<Vec<usize>> {
    let (inside, _) = text.strip_prefix('(')?.split_once(')')?;
    let inside = inside.trim().trim_end_matches(',');
    if inside.is_empty() {
        return Some(Vec::new());
    }
    // Python 2 wrote long integers with an L.
    inside
        .split(',')
        .map(|dim| dim.trim().trim_end_matches('L').parse().ok())
        .collect()
}
