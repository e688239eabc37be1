//! What the compiler says as JSON: its errors, and the changes that it offers.

use std::ops::Range;

use serde_json::Value;

/// The code of an error that has none.
pub const NONE: &str = "none";

/// An error of the compiler.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The file of the program with the error, or the first file that the error names.
    pub file: String,
    /// The line in that file.
    pub line: usize,
    /// Such as `E0505`, or the name of a lint, or [`NONE`].
    pub code: String,
    /// Its words.
    pub message: String,
    /// The lines of its main places.
    pub lines: Vec<usize>,
    /// All of it, as the compiler prints it.
    pub rendered: String,
    /// The changes of that file that the compiler offers.
    pub offers: Vec<Offer>,
}

/// A change that the compiler offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Its words.
    pub help: String,
    /// The parts of the text that change. Alternatives follow each other.
    pub edits: Vec<Edit>,
}

/// A range of bytes, and the text that replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The range.
    pub range: Range<usize>,
    /// The text in its place.
    pub text: String,
}

/// The errors in the output of Cargo or of rustc. `is_program` knows the file of a program by its name.
pub fn errors(output: &str, is_program: impl Fn(&str) -> bool) -> Result<Vec<Refusal>, String> {
    let mut errors = Vec::new();
    for line in output.lines() {
        let line: &Value = &serde_json::from_str(line)
            .map_err(|error| format!("cannot read what the compiler says: {error}: {line}"))?;
        // Cargo puts the message of rustc into one of its own.
        let message = Some(&line["message"]).filter(|message| message.is_object());
        let message = message.unwrap_or(line);
        if message["level"] != "error" {
            continue;
        }
        let (main, others): (Vec<_>, Vec<_>) =
            list(&message["spans"]).partition(|span| span["is_primary"] == true);
        // The main span may be in a macro of another crate; its expansion and other spans show the use.
        let spans = main.iter().chain(&others).flat_map(|span| expansions(span));
        let places: Vec<_> = spans.filter_map(place).collect();
        let of_program = places.iter().find(|(file, _)| is_program(file));
        // Only the final count of errors has no place.
        let Some((file, line)) = of_program.or(places.first()).copied() else {
            continue;
        };
        let word = |value: &Value| value.as_str().map(str::to_owned);
        errors.push(Refusal {
            file: file.to_owned(),
            line,
            code: message
                .pointer("/code/code")
                .and_then(word)
                .unwrap_or(NONE.to_owned()),
            message: word(&message["message"]).unwrap_or_default(),
            lines: main
                .iter()
                .filter_map(|span| place(span))
                .map(|(_, line)| line)
                .collect(),
            rendered: word(&message["rendered"]).unwrap_or_default(),
            offers: list(&message["children"])
                .filter_map(|child| offer(child, file))
                .collect(),
        });
    }
    Ok(errors)
}

/// A span, and the use of each macro that it is in.
fn expansions(span: &Value) -> impl Iterator<Item = &Value> {
    std::iter::successors(Some(span), |span| span.pointer("/expansion/span"))
}

fn place(span: &Value) -> Option<(&str, usize)> {
    Some((span["file_name"].as_str()?, number(&span["line_start"])?))
}

fn number(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// The change in `file` that a note of an error offers, if there is one.
fn offer(child: &Value, file: &str) -> Option<Offer> {
    let edit = |span: &Value| {
        let text = span["suggested_replacement"].as_str()?.to_owned();
        let range = number(&span["byte_start"])?..number(&span["byte_end"])?;
        (span["file_name"] == file).then_some(Edit { range, text })
    };
    let edits: Vec<_> = list(&child["spans"]).map(edit).collect::<Option<_>>()?;
    let help = child["message"].as_str()?.into();
    (!edits.is_empty()).then_some(Offer { help, edits })
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The text after edits that do not overlap. `None` if the edits change nothing or do not fit the text.
#[must_use]
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.range.start);
    let mut changed = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        changed.push_str(text.get(done..edit.range.start)?);
        changed.push_str(&edit.text);
        done = edit.range.end;
    }
    changed.push_str(text.get(done..)?);
    (changed != text).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::{Edit, NONE, Offer, Refusal, apply, errors};

    /// An error in `src/p7.rs` as rustc prints it, with this code and one note.
    fn error(code: &str, note: &str) -> String {
        let spans = r#"{"is_primary":false,"file_name":"src/p7.rs","line_start":1},
            {"is_primary":true,"file_name":"src/p7.rs","line_start":3}"#;
        let text = format!(
            r#"{{"level":"error","message":"moved","code":{code},"rendered":"all","spans":[{spans}],
            "children":[{{"message":"consider","spans":[{note}]}}]}}"#
        );
        text.replace('\n', "")
    }

    fn refusal(code: &str, offers: Vec<Offer>) -> Refusal {
        Refusal {
            file: "src/p7.rs".into(),
            line: 3,
            code: code.into(),
            message: "moved".into(),
            lines: vec![3],
            rendered: "all".into(),
            offers,
        }
    }

    fn read(output: &str) -> Result<Vec<Refusal>, String> {
        errors(output, |file| file.starts_with("src/p"))
    }

    #[test]
    fn errors_are_read_with_what_they_offer() {
        let code = r#"{"code":"E0382"}"#;
        let span =
            r#"{"file_name":"src/p7.rs","byte_start":3,"byte_end":5,"suggested_replacement":"x"}"#;
        let offer = Offer {
            help: "consider".into(),
            edits: vec![Edit {
                range: 3..5,
                text: "x".into(),
            }],
        };
        let expected = || Ok(vec![refusal("E0382", vec![offer.clone()])]);
        assert_eq!(read(&error(code, span)), expected());
        let of_cargo = format!(
            "{{\"reason\":\"compiler-message\",\"message\":{}}}\n{{\"reason\":\"build-finished\"}}\n",
            error(code, span)
        );
        assert_eq!(read(&of_cargo), expected());
        let elsewhere = span.replace("p7", "lib");
        let note = span.replace("\"x\"", "null");
        for span in [&elsewhere, &note, ""] {
            let expected = Ok(vec![refusal(NONE, vec![])]);
            assert_eq!(read(&error("null", span)), expected, "{span}");
        }
    }

    #[test]
    fn an_error_within_a_macro_belongs_to_its_user() {
        let span = r#""file_name":"src/p7.rs","line_start":3"#;
        let inside = format!(
            r#""file_name":"/library/macros.rs","line_start":4,"expansion":{{"span":{{{span}}}}}"#
        );
        let found = read(&error("null", "").replace(span, &inside));
        let mut expected = refusal(NONE, vec![]);
        expected.lines = vec![4];
        assert_eq!(found, Ok(vec![expected]));
    }

    #[test]
    fn warnings_and_the_count_of_errors_are_passed_over_and_nothing_else_is() {
        let warning = error("null", "").replace("\"error\"", "\"warning\"");
        assert_eq!(read(&warning), Ok(vec![]));
        assert_eq!(read(r#"{"level":"error","spans":[]}"#), Ok(vec![]));
        assert!(read("warning: something\n").is_err());
    }

    #[test]
    fn edits_apply_in_any_order() {
        let edit = |range, text: &str| Edit {
            range,
            text: text.into(),
        };
        let edits = [edit(4..5, "d"), edit(0..1, "")];
        assert_eq!(apply("a b c", &edits), Some(" b d".into()));
        assert_eq!(apply("a b c", &[edit(0..1, "a")]), None);
        assert_eq!(apply("a", &[edit(5..6, "")]), None);
    }
}
