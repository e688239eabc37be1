//! The course itself: each exercise fails as intended, each solution passes, and each cheat is found.

use std::path::Path;

use crate::compile::{Compiler, Library};
use crate::course::{Exercise, course};
use crate::files::{Result, root, text};
use crate::judge::{Verdict, judge, refused};

/// Tries all of it.
pub(crate) fn try_all() -> Result<()> {
    let exercises = course()?;
    let compiler = Compiler::new(Some(Library::OfWorkspace), false)?;
    let mut wrong = links(&exercises)?;
    let mut tried = 0;
    for exercise in &exercises {
        tried += 2 + exercise.checks.refused.len() + exercise.checks.cheats.len();
        let found = try_one(&compiler, exercise)?.into_iter();
        wrong.extend(found.map(|what| format!("{}: {what}", exercise.folder)));
    }
    if !wrong.is_empty() {
        return Err(format!("{} findings\n{}", wrong.len(), wrong.join("\n")).into());
    }
    println!(
        "lesson: {} exercises, {tried} programs tried",
        exercises.len()
    );
    Ok(())
}

fn try_one(compiler: &Compiler, exercise: &Exercise) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let file = |name: &str| Path::new(&exercise.folder).join(name);
    let checks = &exercise.checks;

    let errors = compiler.check(&file("exercise.rs"))?;
    if errors.is_empty() {
        wrong.push("the exercise compiles".to_owned());
    }
    for code in &checks.errors {
        if !errors.iter().any(|error| error.code == *code) {
            wrong.push(format!("the exercise does not fail with {code}"));
        }
    }
    for error in errors {
        if !checks.errors.contains(&error.code) {
            wrong.push(format!("the exercise fails otherwise\n{}", error.rendered));
        }
        let mut explained = exercise.hints.errors.iter();
        if !explained.any(|(code, _)| *code == error.code) {
            wrong.push(format!("hints.md does not explain {}", error.code));
        }
    }

    match judge(compiler, exercise, &file("solution.rs"), &exercise.solution)? {
        Verdict::Passed => {}
        Verdict::Refused(errors) => {
            let texts: String = errors.into_iter().map(|error| error.rendered).collect();
            wrong.push(format!("the solution does not compile\n{texts}"));
        }
        Verdict::Wrong { what, advice } => wrong.push(format!("the solution: {what}\n{advice}")),
    }

    for cheat in &checks.cheats {
        let (title, text) = (&cheat.title, cheat.apply(&exercise.solution)?);
        if !checks.case.is_empty() {
            let path = compiler.write(&text)?;
            if let Verdict::Passed = judge(compiler, exercise, &path, &text)? {
                wrong.push(format!("nothing finds `{title}`"));
            }
            continue;
        }
        // A cheat that does not compile would be found by everything.
        for number in &cheat.found_by {
            let Some(check) = checks.refused.get(number - 1) else {
                continue;
            };
            let verdict = refused(compiler, &text, check)?;
            let is_found = matches!(&verdict, Some(Verdict::Wrong { what, .. }) if what.starts_with("a mistake compiles"));
            if !is_found {
                wrong.push(format!(
                    "check {number} does not find `{title}`: {verdict:?}"
                ));
            }
        }
    }
    Ok(wrong)
}

/// Links of the texts that lead nowhere, and lessons that the list does not have.
fn links(exercises: &[Exercise]) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let lessons = exercises.iter().filter(|exercise| !exercise.ascendcl);
    let folders = lessons.map(|exercise| exercise.folder.as_str());
    for folder in folders.clone().chain(["lessons"]) {
        let path = format!("{folder}/README.md");
        // A link ends with `](<destination>)`.
        for link in text(&path)?.split("](").skip(1) {
            let link = link.split(')').next().unwrap_or(link);
            let file = link.split('#').next().unwrap_or(link);
            if !link.contains("://") && !root().join(folder).join(file).exists() {
                wrong.push(format!("{path}: the link {link} leads nowhere"));
            }
        }
    }
    let list = text("lessons/README.md")?;
    for folder in folders {
        let name = folder.trim_start_matches("lessons/");
        if !list.contains(&format!("({name}/README.md)")) {
            wrong.push(format!("lessons/README.md does not list {folder}"));
        }
    }
    Ok(wrong)
}
