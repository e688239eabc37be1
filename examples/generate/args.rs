//! The command line.

use std::path::{Path, PathBuf};

use clap::Parser;

/// Continues a text with a small language model on an Ascend NPU.
///
/// The model has learned short reports of programs on an NPU, so it writes such ones. It computes
/// on a card where there is CANN, and on the emulator elsewhere; ASCENDCL_BACKEND chooses: `cann`, `emulator`, or the
/// path of a libascendcl.so.
#[derive(Debug, Parser)]
#[command(
    name = "generate",
    after_help = "The text goes to stdout, its speed to stderr. Exit status: 0 if the text is complete, 1 if something \
                  failed, 2 for a wrong command line."
)]
pub(crate) struct Args {
    /// The beginning of the text
    #[arg(long, value_name = "TEXT", default_value = "The stream")]
    pub(crate) prompt: String,

    /// How many tokens to add; a token is a word or a part of one
    #[arg(long, value_name = "N", default_value = "100", value_parser = count)]
    pub(crate) tokens: usize,

    /// Another text for each number
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// How daring the choice of tokens is: 0 always takes the likeliest one
    #[arg(long, value_name = "NUMBER", default_value_t = 0.5, value_parser = temperature, allow_negative_numbers = true)]
    pub(crate) temperature: f64,

    /// Choose among the K likeliest tokens
    #[arg(long, value_name = "K", default_value = "20", value_parser = count)]
    pub(crate) top_k: usize,

    /// The folder of weights.safetensors and expected.safetensors [default: examples/generate]
    #[arg(long, value_name = "FOLDER")]
    model: Option<PathBuf>,

    /// Which device computes
    #[arg(long, value_name = "ID", default_value_t = 0)]
    pub(crate) device: u32,

    /// Record the work of each token before, and queue it by one call
    #[cfg(feature = "graphs")]
    #[arg(long, conflicts_with = "check")]
    pub(crate) graph: bool,

    /// Compare the logits with those of train.py instead, and print the largest difference
    #[arg(long)]
    pub(crate) check: bool,
}

impl Args {
    /// A file of the model: here, or where the example was built.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        if let Some(folder) = &self.model {
            return folder.join(name);
        }
        let here = Path::new("examples/generate").join(name);
        if here.exists() {
            here
        } else {
            Path::new(env!("CARGO_MANIFEST_DIR")).join(here)
        }
    }
}

/// A number of things, of which there is at least one.
fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("give a whole number from 1 on".into()),
    }
}

/// A temperature, which divides logits.
fn temperature(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err("give a number from 0 to 100, such as 0.5".into()),
    }
}
