//! All twins as one generated package, so that one `cargo check` proves that they compile.
//!
//! Their `main` functions are never called; that a program also does the right thing is the integration
//! tests' matter.

use crate::case::Case;
use crate::package::{Package, Program};
use crate::twin;

/// The twins of the cases. A case without a twin is an error of its own test and is left out here.
#[must_use]
pub fn programs(cases: &[Case]) -> Vec<Program<'_>> {
    let twins = cases.iter().map(|case| {
        let text = twin::twin(&case.text).ok()?;
        Some(Program {
            area: &case.area,
            name: case.name.clone(),
            text,
        })
    });
    twins.flatten().collect()
}

/// Checks the package that holds the twins. The error holds the compiler's messages, which name the cases.
pub fn check(package: &Package<'_>) -> Result<(), String> {
    let output = package
        .check()
        .arg("--quiet")
        .output()
        .map_err(|error| format!("cannot start cargo check: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let messages = name_cases(&String::from_utf8_lossy(&output.stderr));
    Err(format!(
        "accepted twins do not compile (a line number is that of the case):\n\n{messages}"
    ))
}

/// Points the compiler's messages at the case, whose lines have the same numbers.
fn name_cases(messages: &str) -> String {
    messages
        .replace("--> src/", "--> ui-tests/cases/")
        .replace("::: src/", "::: ui-tests/cases/")
}

#[cfg(test)]
mod tests {
    use super::{name_cases, programs};
    use crate::case::Case;

    #[test]
    fn a_case_without_a_twin_is_left_out() {
        let case = |text: &str| Case {
            area: "event".into(),
            name: "wait_unrecorded".into(),
            text: text.into(),
            message: None,
        };
        let cases = [case("wait(); //~ mistake\n"), case("wait();\n")];
        let texts: Vec<_> = programs(&cases).into_iter().map(|twin| twin.text).collect();
        assert_eq!(texts, ["\n"]);
    }

    #[test]
    fn messages_name_the_case() {
        let message = "error\n --> src/event/wait.rs:3:5\n";
        let expected = "error\n --> ui-tests/cases/event/wait.rs:3:5\n";
        assert_eq!(name_cases(message), expected);
    }
}
