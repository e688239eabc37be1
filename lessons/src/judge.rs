//! The judgement of a program: it compiles, it prints the right lines, and the given mistakes are refused.

use std::path::Path;

use random_programs::said::Refusal;
use ui_tests::twin;

use crate::compile::Compiler;
use crate::course::{Check, Exercise};
use crate::files::Result;

/// The result for a program.
#[derive(Debug)]
pub(crate) enum Verdict {
    Passed,
    /// It does not compile.
    Refused(Vec<Refusal>),
    /// It compiles and is wrong: one sentence, and advice.
    Wrong {
        what: String,
        advice: String,
    },
}

fn wrong(what: impl Into<String>, advice: impl Into<String>) -> Verdict {
    let (what, advice) = (what.into(), advice.into());
    Verdict::Wrong { what, advice }
}

/// Judges the program in `file`, whose text is `text`.
pub(crate) fn judge(
    compiler: &Compiler,
    exercise: &Exercise,
    file: &Path,
    text: &str,
) -> Result<Verdict> {
    let errors = compiler.check(file)?;
    if !exercise.checks.case.is_empty() {
        return case(compiler, exercise, text, errors);
    }
    if !errors.is_empty() {
        return Ok(Verdict::Refused(errors));
    }
    if let Some(wrong) = run(compiler, exercise, file)? {
        return Ok(wrong);
    }
    for check in &exercise.checks.accepted {
        let errors = compiler.check_text(&behind(text, check))?;
        if let Some(error) = errors.first() {
            let what = format!("this must compile, and does not: {}", check.title);
            return Ok(wrong(what, format!("{}\n{}", check.advice, error.rendered)));
        }
    }
    for check in &exercise.checks.refused {
        if let Some(wrong) = refused(compiler, text, check)? {
            return Ok(wrong);
        }
    }
    Ok(Verdict::Passed)
}

/// Compares the output of a program with the expected lines.
fn run(compiler: &Compiler, exercise: &Exercise, file: &Path) -> Result<Option<Verdict>> {
    let said = match compiler.run(file)? {
        Ok(said) => said,
        Err(said) => return Ok(Some(wrong("the program fails when it runs", said))),
    };
    if said.lines().eq(&exercise.checks.prints) {
        return Ok(None);
    }
    let expected = exercise.checks.prints.join("\n");
    let said = if said.is_empty() { "nothing\n" } else { &said };
    let advice = format!("It prints\n{said}and it should print\n{expected}");
    Ok(Some(wrong(
        "the program compiles and prints something else",
        advice,
    )))
}

/// Looks for a mistake that compiles behind the program.
pub(crate) fn refused(compiler: &Compiler, text: &str, check: &Check) -> Result<Option<Verdict>> {
    let Check {
        title,
        codes,
        advice,
        code,
    } = check;
    let errors = compiler.check_text(&behind(text, check))?;
    if errors.is_empty() {
        let advice = format!("{advice}\nThe mistake:\n\n{}", code.trim());
        return Ok(Some(wrong(format!("a mistake compiles: {title}"), advice)));
    }
    let other = errors.iter().find(|error| !codes.contains(&error.code));
    Ok(other.map(|error| {
        let what = format!("a mistake is refused for another reason than expected: {title}");
        let advice = format!(
            "Expected was {}. Perhaps a name or a signature of the exercise has changed.\n{}",
            codes.join(" or "),
            error.rendered
        );
        wrong(what, advice)
    }))
}

/// The program with the code of a check in a module behind it. There, private items of inner modules are not visible.
fn behind(text: &str, check: &Check) -> String {
    format!(
        "{text}\nmod lesson_check {{\nuse super::*;\n{}}}\n",
        check.code
    )
}

/// Judges a program that is a ui case: it is refused at the marked lines, and its twin runs.
fn case(
    compiler: &Compiler,
    exercise: &Exercise,
    text: &str,
    errors: Vec<Refusal>,
) -> Result<Verdict> {
    let twin = match twin::twin(text) {
        Ok(twin) => twin,
        Err(problems) => {
            let lines = problems.iter();
            let lines = lines.map(|(line, what)| format!("line {line}: {what}"));
            let advice: Vec<String> = lines.collect();
            return Ok(wrong("the marks are not right", advice.join("\n")));
        }
    };
    if errors.is_empty() {
        let advice = "A case must not compile. Which line is the mistake?";
        return Ok(wrong("the case compiles", advice));
    }
    let lines = (1..).zip(text.lines());
    let marked = lines.filter(|(_, line)| line.trim_end().ends_with("//~ mistake"));
    let marked: Vec<usize> = marked.map(|(number, _)| number).collect();
    let is_right = |error: &Refusal| {
        let is_marked = error.lines.iter().all(|line| marked.contains(line));
        exercise.checks.case.contains(&error.code) && is_marked
    };
    if !errors.iter().all(is_right) {
        return Ok(Verdict::Refused(errors));
    }
    let file = compiler.write(&twin)?;
    if let Some(error) = compiler.check(&file)?.first() {
        let what = "the case is refused for the right reason, and its twin does not compile";
        return Ok(wrong(what, error.rendered.clone()));
    }
    Ok(run(compiler, exercise, &file)?.unwrap_or(Verdict::Passed))
}
