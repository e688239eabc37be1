//! Writing a tensor to a `.npy` file that appears only when it is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bytemuck::Pod;

use crate::Result;
use crate::npy::MAGIC;
use crate::shape::tuple;

/// An incomplete file. It has a temporary name beside its target until [`Output::finish`], and is removed if that is
/// never called.
#[derive(Debug)]
pub(crate) struct Output {
    target: PathBuf,
    temporary: PathBuf,
    file: BufWriter<File>,
    finished: bool,
}

impl Output {
    /// Starts the file `path` with elements of the NumPy type `stored`.
    pub(crate) fn create(
        path: &Path,
        inputs: [&Path; 2],
        stored: &str,
        shape: &[usize],
    ) -> Result<Output> {
        // For a symbolic link, the target is replaced, and not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        for input in inputs {
            if fs::canonicalize(input).is_ok_and(|input| input == target) {
                bail!(
                    "{} is the output and an input: name another file with --out",
                    path.display()
                );
            }
        }
        let refused = |why: &dyn std::fmt::Display| {
            format!(
                "cannot write {}: {why}; name a file in a folder that can be written with --out",
                path.display()
            )
        };
        // Renaming to a device or a pipe would replace it.
        if fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
            return Err(refused(&"it is not a regular file").into());
        }
        if target.file_name().is_none() {
            return Err(refused(&"it is not the name of a file").into());
        }
        let temporary = target.with_file_name(format!(".vector_add.{}.tmp", std::process::id()));
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temporary)
            .map_err(|error| refused(&error))?;
        let mut output = Output {
            target,
            temporary,
            file: BufWriter::new(file),
            finished: false,
        };
        let header = header(stored, shape)?;
        output.bytes(&header)?;
        Ok(output)
    }

    /// Writes the next elements.
    pub(crate) fn write<T: Pod>(&mut self, values: &[T]) -> Result<()> {
        self.bytes(bytemuck::cast_slice(values))
    }

    /// Gives the complete file its name; a file of that name is replaced.
    pub(crate) fn finish(mut self) -> Result<()> {
        let done = self
            .file
            .flush()
            .and_then(|()| fs::rename(&self.temporary, &self.target));
        done.map_err(|error| self.failed(&error))?;
        self.finished = true;
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.file
            .write_all(bytes)
            .map_err(|error| self.failed(&error).into())
    }

    fn failed(&self, error: &io::Error) -> String {
        format!(
            "cannot write {}: {error}; nothing was kept",
            self.target.display()
        )
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.finished {
            // The error that led here is the one to report.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// The file's first bytes, in format version 1.0: everything of rank 8 or less fits it.
fn header(stored: &str, shape: &[usize]) -> Result<Vec<u8>> {
    let shape = tuple(shape);
    let mut text = format!("{{'descr': '{stored}', 'fortran_order': False, 'shape': {shape}, }}");
    // Elements start at a multiple of 64, as NumPy does it; the line ends there.
    let start = MAGIC.len() + 4;
    let padded = (start + text.len() + 1).next_multiple_of(64) - start - 1;
    text = format!("{text:padded$}\n");
    let length = u16::try_from(text.len())?.to_le_bytes();
    Ok([MAGIC, &[1, 0], &length, text.as_bytes()].concat())
}
