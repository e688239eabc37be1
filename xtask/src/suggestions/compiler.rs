//! Runs the compiler and reads its messages as JSON.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;
use ui_tests::package::{Package, Program};

use super::failed;
use crate::error::Error;

/// An error, with its offers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) offers: Vec<Offer>,
}

/// A change that the compiler offers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Offer {
    /// Its words.
    pub(super) help: String,
    /// The parts of the text that change. Alternatives follow each other.
    pub(super) edits: Vec<Edit>,
}

/// A range of bytes, and the text that replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

/// The errors of programs, by their files. If there are none, all programs compile.
pub(super) fn check(
    package: &Package<'_>,
    programs: &[Program<'_>],
) -> Result<BTreeMap<String, Vec<Message>>, Error> {
    package.write(programs).map_err(|error| {
        failed(format!(
            "cannot write {}: {error}",
            package.folder.display()
        ))
    })?;
    let output = package
        .check()
        .arg("--message-format=json")
        .output()
        .map_err(|error| failed(format!("cannot start cargo check: {error}")))?;
    let said = errors(&String::from_utf8_lossy(&output.stdout)).map_err(failed)?;
    let known = |file: &String| programs.iter().any(|program| program.file() == *file);
    if output.status.success() == said.is_empty() && said.keys().all(known) {
        return Ok(said);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(failed(format!(
        "the compiler stumbles over something else than a case\n{text}"
    )))
}

/// The errors in the output of Cargo, by the files with the mistakes.
fn errors(output: &str) -> Result<BTreeMap<String, Vec<Message>>, String> {
    let mut errors: BTreeMap<String, Vec<Message>> = BTreeMap::new();
    for line in output.lines() {
        let line: &Value = &serde_json::from_str(line)
            .map_err(|error| format!("cannot read what Cargo says: {error}"))?;
        let message = &line["message"];
        if line["reason"] != "compiler-message" || message["level"] != "error" {
            continue;
        }
        // The main span may be in a macro of another crate; its expansion and other spans show the use. Only the final
        // count of errors has no place.
        let (main, others): (Vec<_>, Vec<_>) =
            list(&message["spans"]).partition(|span| span["is_primary"] == true);
        let files = main
            .iter()
            .chain(&others)
            .flat_map(|span| [Some(*span), span.pointer("/expansion/span")])
            .flatten()
            .filter_map(|span| span["file_name"].as_str());
        let mut of_programs = files.clone().filter(|file| file.starts_with("src/"));
        let Some(file) = of_programs.next().or(files.clone().next()) else {
            continue;
        };
        let offers = list(&message["children"]).filter_map(|child| offer(child, file));
        errors.entry(file.into()).or_default().push(Message {
            offers: offers.collect(),
        });
    }
    Ok(errors)
}

/// The change in `file` that a note of an error offers, if there is one.
fn offer(child: &Value, file: &str) -> Option<Offer> {
    let mut edits = Vec::new();
    for span in list(&child["spans"]) {
        let text = span["suggested_replacement"].as_str()?;
        if span["file_name"] != file {
            return None;
        }
        let byte = |name: &str| usize::try_from(span[name].as_u64()?).ok();
        edits.push(Edit {
            range: byte("byte_start")?..byte("byte_end")?,
            text: text.into(),
        });
    }
    let help = child["message"].as_str()?.into();
    (!edits.is_empty()).then_some(Offer { help, edits })
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::{Edit, Message, Offer, errors};

    /// An error in `src/event/a.rs` with one note, as Cargo prints it.
    fn error(span: &str) -> String {
        let main = r#"{"is_primary":true,"file_name":"src/event/a.rs"}"#;
        let child = format!(r#"{{"message":"consider","spans":[{span}]}}"#);
        format!(
            r#"{{"reason":"compiler-message","message":{{"level":"error","spans":[{main}],"children":[{child}]}}}}"#
        )
    }

    #[test]
    fn offers_are_read_with_their_errors() {
        let span = r#"{"file_name":"src/event/a.rs","byte_start":3,"byte_end":5,"suggested_replacement":"x"}"#;
        let output = format!(
            "{}\n{}\n",
            error(span),
            r#"{"reason":"build-finished","success":false}"#
        );
        let offer = Offer {
            help: "consider".into(),
            edits: vec![Edit {
                range: 3..5,
                text: "x".into(),
            }],
        };
        let expected = [(
            "src/event/a.rs".into(),
            vec![Message {
                offers: vec![offer],
            }],
        )];
        assert_eq!(errors(&output), Ok(expected.into()));
    }

    #[test]
    fn what_changes_nothing_or_another_file_is_no_offer() {
        let elsewhere =
            r#"{"file_name":"src/lib.rs","byte_start":3,"byte_end":5,"suggested_replacement":"x"}"#;
        let note = r#"{"file_name":"src/event/a.rs","byte_start":3,"byte_end":5,"suggested_replacement":null}"#;
        for span in [elsewhere, note, ""] {
            let expected = [("src/event/a.rs".into(), vec![Message::default()])];
            assert_eq!(errors(&error(span)), Ok(expected.into()), "{span}");
        }
    }

    #[test]
    fn an_error_within_a_macro_belongs_to_its_user() {
        let inside = r#"{"is_primary":true,"file_name":"/library/macros.rs"},{"#;
        let output = error("").replace(
            r#""spans":[{"is_primary""#,
            &format!(r#""spans":[{inside}"is_primary""#),
        );
        let expected = [("src/event/a.rs".into(), vec![Message::default()])];
        assert_eq!(errors(&output), Ok(expected.into()));
    }

    #[test]
    fn what_is_not_json_is_not_passed_over() {
        assert!(errors("warning: something\n").is_err());
    }
}
