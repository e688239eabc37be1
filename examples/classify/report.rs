//! The answers for people and for programs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use comfy_table::{Table, presets};
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use serde_json::{Value, json};

use crate::Result;

/// The likeliest classes of a picture with their probabilities, or the reason why it has none.
pub(crate) type Answer = Result<Vec<(String, f64)>, String>;

/// Everything that was found out.
pub(crate) struct Report {
    pub(crate) backend: String,
    pub(crate) model: PathBuf,
    pub(crate) answers: Vec<(PathBuf, Answer)>,
}

impl Report {
    /// Prints the answers to stdout, and the pictures without one to stderr. Returns whether each has an answer.
    pub(crate) fn print(&self, json: bool) -> Result<bool> {
        say(&if json { self.json() } else { self.table() })?;
        let mut without = 0;
        for (picture, answer) in &self.answers {
            if let Err(why) = answer {
                without += 1;
                complain(&format!("{}: {why}", picture.display()));
            }
        }
        if without > 0 {
            complain(&format!(
                "{without} of {} pictures have no answer",
                self.answers.len()
            ));
        }
        Ok(without == 0)
    }

    fn table(&self) -> String {
        let mut table = Table::new();
        table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
        let found = self
            .answers
            .iter()
            .filter_map(|(picture, answer)| Some((picture, answer.as_ref().ok()?)));
        let most = found
            .clone()
            .map(|(_, labels)| labels.len())
            .max()
            .unwrap_or(0);
        let mut head = vec!["picture".to_owned(), "class".to_owned()];
        head.extend((1..most).map(|place| format!("or, {}", place + 1)));
        table.set_header(head);
        for (picture, labels) in found {
            let cell = |(label, probability): &(String, f64)| {
                format!("{label} {:.1} %", 100.0 * probability)
            };
            table.add_row(std::iter::once(name(picture)).chain(labels.iter().map(cell)));
        }
        format!("{table}\n{}, {}", self.model.display(), self.backend)
    }

    fn json(&self) -> String {
        let label = |(label, probability): &(String, f64)| json!({ "label": label, "probability": rounded(*probability) });
        let picture = |(picture, answer): &(PathBuf, Answer)| {
            let picture = picture.display().to_string();
            match answer {
                Ok(labels) => {
                    json!({ "picture": picture, "labels": labels.iter().map(label).collect::<Vec<_>>() })
                }
                Err(why) => json!({ "picture": picture, "error": why }),
            }
        };
        let pictures: Vec<Value> = self.answers.iter().map(picture).collect();
        let model = self.model.display().to_string();
        format!(
            "{:#}",
            json!({ "backend": self.backend, "model": model, "pictures": pictures })
        )
    }
}

/// The name of a file without its folder.
fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A probability with six digits, which is what floats of 32 bits have.
fn rounded(probability: f64) -> f64 {
    (probability * 1e6).round() / 1e6
}

/// A progress bar over pictures, if it is `wanted`. It stays hidden where stderr is no terminal.
pub(crate) fn progress(pictures: usize, wanted: bool) -> Result<ProgressBar> {
    if !wanted {
        return Ok(ProgressBar::hidden());
    }
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} pictures, {eta} left")?;
    let bar = ProgressBar::new(pictures as u64).with_style(style);
    // Also when an error ends the work: its line should stand alone.
    Ok(bar.with_finish(ProgressFinish::AndClear))
}

/// Prints to stdout. A closed pipe (`| head`) is not a failure.
fn say(text: &str) -> Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot print to stdout: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Prints an error to stderr as one line.
pub(crate) fn complain(text: &str) {
    let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    // If stderr is closed, the exit status is the only report.
    let _ = writeln!(io::stderr(), "error: {line}");
}
