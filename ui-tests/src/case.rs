//! One case: its text, the message of the compiler, and the required form of both.

use crate::twin::{self, Problem};

/// Refusals that say nothing about the mistake: the case itself is broken, often by a renamed item.
const BROKEN: [(&str, &str); 5] = [
    ("E0412", "an unknown type"),
    ("E0425", "an unknown name"),
    ("E0432", "an unknown import"),
    ("E0433", "an unknown path"),
    ("E0601", "a missing `fn main`"),
];

/// A program that must not compile.
#[derive(Debug)]
pub struct Case {
    /// The folder of the case, one of [`folders`](crate::area::folders).
    pub area: String,
    /// The name of the file without its ending: the mistake in a few words.
    pub name: String,
    /// The program, with the `main` that its file may leave out.
    pub text: String,
    /// The reviewed message, if it has been written already.
    pub message: Option<String>,
}

/// The program of a file. One without `main` gets one at its end, so that no line changes its number. It names `wrong`, which
/// nothing else uses.
pub(crate) fn program(file: String) -> String {
    let main = if file.contains("fn main(") {
        ""
    } else if file.contains("fn wrong") {
        "\nfn main() {\n    let _ = wrong;\n}\n"
    } else {
        "\nfn main() {}\n"
    };
    file + main
}

impl Case {
    /// The name of the case with its area, as the lists have it.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}/{}", self.area, self.name)
    }

    /// The code of the first error in the message, if it has one.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        let code = self.message.as_deref()?.strip_prefix("error[")?;
        code.split_once(']').map(|(code, _)| code)
    }

    /// The file of the case, seen from the workspace.
    #[must_use]
    pub fn path(&self) -> String {
        format!("ui-tests/{}", self.file("cases"))
    }

    /// The file of the case in one of the folders of this package.
    pub(crate) fn file(&self, folder: &str) -> String {
        format!("{folder}/{}/{}.rs", self.area, self.name)
    }

    /// Everything that is wrong with the form of this case, as `<file>:<line>: <sentence>`.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let path = self.path();
        let of_text = twin::twin(&self.text).err().unwrap_or_default();
        let of_text = self.head_problems().into_iter().chain(of_text);
        let of_text = of_text.map(|(line, what)| format!("{path}:{line}: {what}"));

        let message = path.replace(".rs", ".stderr");
        let of_message = self.message_problems();
        let of_message = of_message
            .into_iter()
            .map(|(line, what)| format!("{message}:{line}: {what}"));
        of_text.chain(of_message).collect()
    }

    /// A reader learns from the first line what the mistake is.
    fn head_problems(&self) -> Vec<Problem> {
        let first = self.text.lines().next().unwrap_or_default();
        let head = first.strip_prefix("//! ").unwrap_or_default();
        if head.ends_with('.') {
            Vec::new()
        } else {
            vec![(1, "the first line is not `//! <one sentence.>`".into())]
        }
    }

    fn message_problems(&self) -> Vec<Problem> {
        let Some(message) = &self.message else {
            let what = "is missing; write it with `cargo xtask ui --bless`, then read it";
            return vec![(1, what.into())];
        };
        let mut problems = Vec::new();
        if !message.starts_with("error") {
            problems.push((1, "does not begin with an error".into()));
        }
        for (number, line) in (1..).zip(message.lines()) {
            if line.starts_with("warning") {
                problems.push((number, "a warning hides the error from the reader".into()));
            }
            for (code, what) in BROKEN {
                if line.starts_with(&format!("error[{code}]")) {
                    let what = format!("is refused because of {what}, not of the mistake");
                    problems.push((number, what));
                }
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, program};

    const TEXT: &str = "//! Waits for nothing.\nfn main() {\n    wait(); //~ mistake\n}\n";
    const MESSAGE: &str = "error[E0308]: mismatched types\n";

    #[test]
    fn a_file_without_main_gets_one_at_its_end() {
        let end = |file: &str| program(file.into()).split_off(file.len());
        assert_eq!(
            end("fn wrong() {}\n"),
            "\nfn main() {\n    let _ = wrong;\n}\n"
        );
        assert_eq!(end("impl A for u8 {}\n"), "\nfn main() {}\n");
        assert_eq!(end("fn wrong() {}\n\nfn main() {}\n"), "");
    }

    #[test]
    fn a_good_case_has_no_problems() {
        assert_eq!(problems(TEXT, Some(MESSAGE)), Vec::<String>::new());
    }

    #[test]
    fn every_rule_is_checked() {
        let no_head = TEXT.replace("//!", "//");
        assert_one(&no_head, Some(MESSAGE), "wait.rs:1: the first line");
        let no_sentence = TEXT.replace("nothing.", "nothing");
        assert_one(&no_sentence, Some(MESSAGE), "wait.rs:1: the first line");
        let unmarked = TEXT.replace("//~ mistake", "");
        assert_one(&unmarked, Some(MESSAGE), "wait.rs:1: no line is marked");
        assert_one(TEXT, None, "wait.stderr:1: is missing");
        assert_one(TEXT, Some(""), "wait.stderr:1: does not begin");
        let warned = format!("{MESSAGE}\nwarning: unused variable\n");
        assert_one(TEXT, Some(&warned), "wait.stderr:3: a warning");
        let broken = "error[E0432]: unresolved import\n";
        assert_one(TEXT, Some(broken), "wait.stderr:1: is refused because");
    }

    fn assert_one(text: &str, message: Option<&str>, words: &str) {
        let problems = problems(text, message);
        let found = problems.len() == 1 && problems.iter().all(|problem| problem.contains(words));
        assert!(
            found,
            "expected one problem with `{words}`, found {problems:?}"
        );
    }

    fn problems(text: &str, message: Option<&str>) -> Vec<String> {
        let case = Case {
            area: "event".into(),
            name: "wait".into(),
            text: text.into(),
            message: message.map(String::from),
        };
        case.problems()
    }
}
