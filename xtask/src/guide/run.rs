//! Running a program of the guide, and comparing its output with the chapter.

use std::process::Command;

use super::chapter::Chapter;
use super::programs::Run;

/// Stands for any text within a line of an output: addresses differ from run to run.
const ANY: char = '…';

/// Runs a program without CANN and without settings of the user, and returns the differences from the chapter.
pub(super) fn compare(chapter: &Chapter, run: &Run, mut command: Command) -> Vec<String> {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("ASCEND") {
            command.env_remove(name);
        }
    }
    // A program of the guide has findings only where the chapter shows them.
    command.env("ASCENDCL_EMULATOR_CHECK", "leaks");
    command.envs(run.variables.iter().map(|(name, value)| (name, value)));
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => return vec![chapter.finding(run.line, &format!("does not start: {error}"))],
    };
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let (said, wanted): (Vec<_>, Vec<_>) = (said.lines().collect(), run.output.lines().collect());
    let same = said.len() == wanted.len()
        && said
            .iter()
            .zip(&wanted)
            .all(|(said, wanted)| is_like(said, wanted));
    let mut findings = Vec::new();
    if !same {
        let what = format!("the program prints\n{}\n", said.join("\n"));
        findings.push(chapter.finding(run.line, &what));
    }
    // A program that ends with an error says so on the screen.
    let fails =
        |line: &&str| line.starts_with("Error: ") || line.starts_with("ascendcl-emulator: ");
    if output.status.success() == wanted.iter().any(fails) {
        let what = format!("the program ends with {}", output.status);
        findings.push(chapter.finding(run.line, &what));
    }
    findings
}

/// Whether a line is the wanted one, in which [`ANY`] stands for any text.
fn is_like(line: &str, wanted: &str) -> bool {
    let mut parts = wanted.split(ANY);
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    true
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::super::chapter::Chapter;
    use super::super::programs::Run;
    use super::{compare, is_like};

    #[test]
    fn dots_stand_for_any_text() {
        assert!(is_like("at 0x12 of 3", "at 0x… of 3"));
        assert!(is_like("at 0x12 of 3", "at …"));
        assert!(is_like("a12b34c", "a…b…c"));
        assert!(!is_like("at 0x12 of 4", "at 0x… of 3"));
        assert!(!is_like("a12c34b", "a…b…c"));
        assert!(!is_like("ab", "a"));
    }

    #[test]
    fn other_output_and_another_end_are_found() {
        let chapter = Chapter::sample("a.md", "");
        let found = |script: &str, output: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            let run = Run {
                line: 3,
                variables: vec![("WORD".into(), "one".into())],
                output: output.into(),
            };
            compare(&chapter, &run, command)
        };
        assert_eq!(found("echo $WORD; echo two", "one\ntwo\n"), [""; 0]);
        assert_eq!(found("echo Error: no; exit 1", "Error: no\n"), [""; 0]);
        let other = found("echo two", "one\n");
        assert_eq!(other, ["a.md:3: the program prints\ntwo\n"]);
        let ends = found("echo one; exit 3", "one\n").concat();
        let words = "a.md:3: the program ends with exit status: 3";
        assert!(ends.starts_with(words), "{ends}");
        let ends = found("echo Error: no", "Error: no\n").concat();
        assert!(ends.contains("exit status: 0"), "{ends}");
    }
}
