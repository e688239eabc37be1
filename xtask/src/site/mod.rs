//! `cargo xtask site`: the refusals as a site of static pages, which need no server and no network.
//!
//! With `--test` a browser opens the pages, if one is installed.
//!
//! Everything that the pages say comes from `ui-tests/`, `docs/misuse.md`, `docs/real-bugs.md` and `tests/c/mistakes/`,
//! whose programs run on the emulator when the site is made.

mod browser;
mod c;
mod gallery;
mod links;
mod markdown;
mod page;

use std::fs;
use std::path::Path;

use crate::error::Error;
use crate::output::say;
use crate::process::{root, target};

/// Runs the command.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let (out, is_tested) = match options {
        ["--out", out] => (out, false),
        ["--out", out, "--test"] => (out, true),
        _ => return Err(Error::Usage("`site` takes --out <folder> [--test]".into())),
    };
    let root = root();
    let out = std::env::current_dir()
        .map(|folder| folder.join(out))
        .map_err(|error| Error::Failed(format!("site: {error}")))?;
    let entries = gallery::read(&root)?;
    let scratch = target(&root).join("site");
    let classes = entries.iter().flat_map(|entry| &entry.classes);
    let names = classes.flat_map(|class| class.findings.clone());
    let programs = c::run(&root, &scratch, names)?;

    let mut pages = vec![
        ("style.css".to_owned(), include_str!("style.css").to_owned()),
        (
            "index.html".to_owned(),
            page::index(&entries, programs.values()),
        ),
    ];
    for (index, entry) in entries.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| entries.get(before));
        let after = entries.get(index + 1);
        pages.push((entry.page(), page::refusal(entry, before, after)));
    }
    for program in programs.values() {
        let path = format!("checker/{}.html", program.name);
        pages.push((path, page::finding(program, &entries)));
    }
    let broken = links::broken(&pages);
    if let Some(first) = broken.first() {
        let count = broken.len();
        return Err(Error::Failed(format!(
            "site: {count} broken links: {first}"
        )));
    }
    for (path, text) in &pages {
        write(&out.join(path), text)?;
    }
    say(&format!(
        "site: {} refusals and {} programs of C in {}\n",
        entries.len(),
        programs.len(),
        out.display()
    ));
    if is_tested {
        let is_page = |path: &&str| path.ends_with(".html");
        let pages: Vec<&str> = pages
            .iter()
            .map(|(path, _)| path.as_str())
            .filter(is_page)
            .collect();
        return browser::test(&out, &scratch, &pages);
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder
        .and_then(|()| fs::write(path, text))
        .map_err(|error| Error::Failed(format!("cannot write {}: {error}", path.display())))
}
