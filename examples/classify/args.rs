//! The command line.

use std::path::{Path, PathBuf};

use clap::Parser;

/// Names what pictures show, with a network of an ONNX file.
///
/// The media engine decodes the pictures and scales them, and three streams run the network. This happens on a card where
/// there is CANN, and on the emulator elsewhere; ASCENDCL_BACKEND chooses: `cann`, `emulator`, or the path of a
/// libascendcl.so. A card takes an `.om` file, which atc makes of the ONNX file.
#[derive(Debug, Parser)]
#[command(
    name = "classify",
    after_help = "The answers go to stdout, pictures without an answer to stderr. Exit status: 0 if each picture has an \
                  answer, 1 if one has none or something failed, 2 for a wrong command line."
)]
pub(crate) struct Args {
    /// JPEG files, and folders with them [default: examples/classify/pictures]
    #[arg(value_name = "PICTURE")]
    pictures: Vec<PathBuf>,

    /// The network: it reads pictures of 1 or 3 colours, and returns a number for each class [default:
    /// examples/classify/digits.onnx]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// The names of the classes, one in each line [default: those of the default network]
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// How many classes to print for a picture
    #[arg(long, value_name = "N", default_value = "5", value_parser = count)]
    pub(crate) top: usize,

    /// Print JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,

    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,

    /// Which device computes
    #[arg(long, value_name = "ID", default_value_t = 0)]
    pub(crate) device: u32,
}

impl Args {
    /// The files and folders to look at.
    pub(crate) fn pictures(&self) -> Vec<PathBuf> {
        if self.pictures.is_empty() {
            return vec![ours("pictures")];
        }
        self.pictures.clone()
    }

    pub(crate) fn model(&self) -> PathBuf {
        self.model.clone().unwrap_or_else(|| ours("digits.onnx"))
    }

    /// The file with the names. A network of the user has none by default.
    pub(crate) fn labels(&self) -> Option<PathBuf> {
        match (&self.labels, &self.model) {
            (Some(labels), _) => Some(labels.clone()),
            (None, Some(_)) => None,
            (None, None) => Some(ours("labels.txt")),
        }
    }
}

/// A file of the example: here, or where the example was built.
fn ours(name: &str) -> PathBuf {
    let here = Path::new("examples/classify").join(name);
    if here.exists() {
        here
    } else {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(here)
    }
}

/// A number of things, of which there is at least one.
fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("give a whole number from 1 on".into()),
    }
}
