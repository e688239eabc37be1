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
    let mut pairs = said.iter().zip(&wanted);
    let is_same = said.len() == wanted.len() && pairs.all(|(said, wanted)| is_like(said, wanted));
    let mut findings = Vec::new();
    if !is_same {
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
    let Some((first, rest)) = wanted.split_once(ANY) else {
        return line == wanted;
    };
    let Some(mut left) = line.strip_prefix(first) else {
        return false;
    };
    let mut parts = rest.split(ANY);
    let last = parts.next_back().unwrap_or_default();
    for part in parts {
        let Some((_, behind)) = left.split_once(part) else {
            return false;
        };
        left = behind;
    }
    left.ends_with(last)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::super::chapter::Chapter;
    use super::super::programs::Run;
    use super::{compare, is_like};

    /// A line, a line of a chapter, and whether the one is like the other.
    const LINES: &str = "\
at 0x12 of 3 | at 0x… of 3 | true
at 0x12 of 3 | at … | true
a12b34c | a…b…c | true
at 0x12 of 4 | at 0x… of 3 | false
a12c34b | a…b…c | false
ab | a | false";

    #[test]
    fn dots_stand_for_any_text() {
        for fields in LINES
            .lines()
            .map(|line| line.split(" | ").collect::<Vec<_>>())
        {
            let [line, wanted, is_it] = fields[..] else {
                unreachable!("{fields:?}");
            };
            assert_eq!(is_like(line, wanted).to_string(), is_it, "{line} {wanted}");
        }
    }

    #[test]
    fn other_output_and_another_end_are_found() {
        let found = |script: &str, output: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            let run = Run {
                line: 3,
                variables: vec![("WORD".into(), "one".into())],
                output: output.into(),
            };
            compare(&Chapter::sample("a.md", ""), &run, command).concat()
        };
        assert_eq!(found("echo $WORD; echo two", "one\ntwo\n"), "");
        assert_eq!(found("echo Error: no; exit 1", "Error: no\n"), "");
        assert_eq!(
            found("echo two", "one\n"),
            "a.md:3: the program prints\ntwo\n"
        );
        let ends = |status| format!("a.md:3: the program ends with exit status: {status}");
        assert_eq!(found("echo one; exit 3", "one\n"), ends(3));
        assert_eq!(found("echo Error: no", "Error: no\n"), ends(0));
    }
}
