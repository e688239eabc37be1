//! The course itself: each exercise fails as intended, each solution passes, and each cheat is found.

use std::fs;
use std::path::Path;

use super::compile::{Compiler, Library};
use super::judge::{Verdict, judge, refused};
use super::read::Exercise;
use crate::guide::destinations;

/// Everything that is wrong with the course, and the number of its checks.
pub(super) fn try_all(root: &Path, exercises: &[Exercise]) -> Result<(Vec<String>, usize), String> {
    let compiler = Compiler::new(Some(Library::OfWorkspace), false)?;
    let mut wrong = links(root, exercises)?;
    let mut tried = 0;
    for exercise in exercises {
        let found = try_one(&compiler, root, exercise)?;
        tried += 2 + exercise.checks.refused.len() + exercise.checks.cheats.len();
        wrong.extend(
            found
                .into_iter()
                .map(|what| format!("{}: {what}", exercise.folder)),
        );
    }
    Ok((wrong, tried))
}

fn try_one(compiler: &Compiler, root: &Path, exercise: &Exercise) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    let file = |name: &str| root.join(&exercise.folder).join(name);

    let errors = compiler.check(&file("exercise.rs"))?;
    if errors.is_empty() {
        wrong.push("the exercise compiles".to_owned());
    }
    for code in &exercise.checks.errors {
        if !errors.iter().any(|error| error.code == *code) {
            wrong.push(format!("the exercise does not fail with {code}"));
        }
    }
    for error in errors {
        if !exercise.checks.errors.contains(&error.code) {
            wrong.push(format!("the exercise fails otherwise\n{}", error.rendered));
        }
        if !exercise
            .hints
            .errors
            .iter()
            .any(|(code, _)| *code == error.code)
        {
            wrong.push(format!("hints.md does not explain {}", error.code));
        }
    }

    match judge(compiler, exercise, &file("solution.rs"), &exercise.solution)? {
        Verdict::Passed => {}
        Verdict::Refused(errors) => {
            let texts: Vec<&str> = errors.iter().map(|error| error.rendered.as_str()).collect();
            wrong.push(format!("the solution does not compile\n{}", texts.concat()));
        }
        Verdict::Wrong { what, advice } => wrong.push(format!("the solution: {what}\n{advice}")),
    }

    for cheat in &exercise.checks.cheats {
        let text = cheat.apply(&exercise.solution)?;
        if exercise.checks.case.is_empty() {
            // A cheat that does not compile would be found by everything.
            for number in &cheat.found_by {
                let Some(check) = exercise.checks.refused.get(number - 1) else {
                    continue;
                };
                let verdict = refused(compiler, &text, check)?;
                let is_found = matches!(&verdict, Some(Verdict::Wrong { what, .. }) if what.starts_with("a mistake compiles"));
                if !is_found {
                    wrong.push(format!(
                        "check {number} does not find `{}`: {verdict:?}",
                        cheat.title
                    ));
                }
            }
        } else {
            let path = compiler.write(&text)?;
            if let Verdict::Passed = judge(compiler, exercise, &path, &text)? {
                wrong.push(format!("nothing finds `{}`", cheat.title));
            }
        }
    }
    Ok(wrong)
}

/// Links of the texts that lead nowhere, and lessons that the list does not have.
fn links(root: &Path, exercises: &[Exercise]) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    let folders = exercises
        .iter()
        .filter(|e| !e.ascendcl)
        .map(|e| e.folder.as_str());
    for folder in folders.chain(["lessons"]) {
        let path = format!("{folder}/README.md");
        let text = fs::read_to_string(root.join(&path))
            .map_err(|error| format!("cannot read {path}: {error}"))?;
        for link in destinations(&text) {
            let file = link.split('#').next().unwrap_or(&link);
            if !link.contains("://") && !root.join(folder).join(file).exists() {
                wrong.push(format!("{path}: the link {link} leads nowhere"));
            }
        }
        if folder == "lessons" {
            let names = exercises.iter().filter(|e| !e.ascendcl);
            let missing = names.filter(|e| {
                let name = e.folder.trim_start_matches("lessons/");
                !text.contains(&format!("({name}/README.md)"))
            });
            wrong.extend(missing.map(|e| format!("{path} does not list {}", e.folder)));
        }
    }
    Ok(wrong)
}
