//! `cargo xtask site`: the refusals as a book of mdBook, which has the search and the pages.
//!
//! Everything that the chapters say comes from `ui-tests/`, `docs/misuse.md`, `docs/real-bugs.md` and `tests/c/mistakes/`,
//! whose programs run on the emulator when the book is written.

mod c;
mod lists;

use std::collections::BTreeMap;
use std::path::Path;

use ui_tests::area;
use ui_tests::case::Case;

use crate::error::{Error, conclude};
use crate::files::{cases, write};
use crate::guide::{Book, Chapter, anchor_of, broken_links, signed, signed_line};
use crate::output::say;
use crate::process::{here, target};
use lists::Lists;

/// The settings of the book.
const BOOK: &str = "[book]\ntitle = \"Mistakes that do not compile\"\nlanguage = \"en\"\n\n\
                    [output.html]\nadditional-css = [\"site.css\"]\n";

/// The colours of messages, and the width of lines.
const STYLE: &str = include_str!("../../data/site.css");

/// Runs the command.
pub(crate) fn command(out: &Path) -> Result<(), Error> {
    let out = here(out)?;
    let lists = Lists::read()?;
    let mut cases = cases()?.cases;
    // In an area first those that stand for a class of mistakes.
    let area = |case: &Case| area::folders().position(|area| *area == case.area);
    cases.sort_by_cached_key(|case| (area(case), lists.place(&case.id()), case.name.clone()));
    let programs = c::run(&target().join("site"), lists.findings())?;

    let mut index = format!(
        "# Mistakes that do not compile\n\n\
         Each of the {} refusals has a program with a mistake (`-`) and the accepted program in its place (`+`), the message \
         of the Rust compiler, the reason, and the behaviour of C. In each area the mistakes that most programs can make come \
         first. The search takes a word, an area, a rule or the code of an error.\n\n| area | refusals |\n|---|--:|\n",
        cases.len()
    );
    let mut chapters = Vec::new();
    for cases in cases.chunk_by(|one, next| one.area == next.area) {
        let area = cases.first().map_or("", |case| &case.area);
        index += &format!("| [{area}]({area}.md) | {} |\n", cases.len());
        chapters.push((area, of_area(area, cases, &lists)));
    }
    let measured = lists.measured(|id| {
        let case = cases.iter().find(|case| case.id() == id);
        case.map_or_else(|| format!("`{id}`, which is no case"), link)
    });
    index += &format!(
        "\n## Ten mistakes on a GPU\n\nThe mistakes in C, without any delay, on the driver of CUDA: the wrong results of all trials. \
         A test of the wrong size finds nothing. The compiler refuses each.\n\n\
         | mistake | 4 KiB | 1 MiB | 64 MiB | refused |\n|---|--:|--:|--:|---|\n{}",
        measured
    );
    chapters.insert(0, ("index", index));
    let mut checker = String::from(
        "# The same mistakes in C\n\nThese C programs compile. The emulator runs them with `ASCENDCL_EMULATOR_CHECK` and \
         reports the mistake.\n",
    );
    let mut refused: BTreeMap<&str, String> = BTreeMap::new();
    for case in &cases {
        let line = format!("- Refused: {}\n", link(case));
        for finding in lists.findings_of(&case.id()) {
            refused.entry(finding).or_default().push_str(&line);
        }
    }
    for (finding, text) in &programs {
        checker += text;
        checker += refused.get(finding).map_or("", String::as_str);
    }
    chapters.push(("checker", checker));

    let chapter = |(name, text): (&str, String)| {
        let name = format!("{name}.md");
        let path = name.clone();
        Chapter { name, path, text }
    };
    let book = Book {
        chapters: chapters.into_iter().map(chapter).collect(),
        ..Book::default()
    };
    conclude(&broken_links(&book))?;
    let mut summary = String::from("# Summary\n\n");
    for Chapter { path, text, .. } in &book.chapters {
        let head = text.lines().next().unwrap_or_default();
        summary += &format!("- [{}]({path})\n", head.trim_start_matches("# "));
        write(out.join("src").join(path), text)?;
    }
    write(out.join("book.toml"), BOOK)?;
    write(out.join("site.css"), STYLE)?;
    write(out.join("src/SUMMARY.md"), &summary)?;
    say!(
        "site: {} refusals and {} programs of C; `mdbook serve --open {}` shows them (`cargo install mdbook`)\n",
        cases.len(),
        programs.len(),
        out.display()
    );
    Ok(())
}

/// The sentence that a case begins with.
fn title(case: &Case) -> &str {
    let head = case.text.lines().next().unwrap_or_default();
    head.trim_start_matches("//! ").trim_end_matches('.')
}

/// A link from any chapter to a refusal.
fn link(case: &Case) -> String {
    let title = title(case);
    format!("[{title}]({}.md#{})", case.area, anchor_of(title))
}

/// The chapter of an area: a list, and then each refusal.
fn of_area(area: &str, cases: &[Case], lists: &Lists) -> String {
    let mut text = format!("# {area}\n\n");
    for case in cases {
        let (title, code) = (title(case), case.code().unwrap_or("error"));
        text += &format!("- [{title}](#{}) `{code}`\n", anchor_of(title));
    }
    for case in cases {
        let (title, about) = (title(case), lists.about(&case.id()));
        let (_, body) = case.text.split_once('\n').unwrap_or_default();
        let lines = signed(body.trim_start()).into_iter();
        let lines = lines.map(|(sign, code)| signed_line(sign, &code));
        let program: String = lines.collect();
        let message = without_marks(case.message.as_deref().unwrap_or_default().trim_end());
        let message = coloured(&message);
        text += &format!(
            "\n## {title}\n\n```diff\n{program}```\n\nThe compiler says\n\n{message}\n\n{about}"
        );
    }
    text
}

/// A message without the marks that a case has for its twin, and without the placeholders that make it the same on each
/// computer.
fn without_marks(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("//~ instead"));
    let lines: Vec<&str> = lines.collect();
    let text = lines.join("\n").replace(" //~ mistake", "");
    text.replace("$WORKSPACE/", "")
        .replace("and $N others", "and others")
}

/// A message as HTML, whose lines have the colours of a terminal.
fn coloured(message: &str) -> String {
    let line = |line: &str| {
        let escaped = line.replace('&', "&amp;").replace('<', "&lt;");
        let words = line.trim_start_matches([' ', '|', '=', '.']);
        let class = match words.split([':', '[']).next() {
            Some("error") => "error",
            Some("help" | "note") => "help",
            _ if words.contains("^^") || words.starts_with('^') => "error",
            _ => return escaped,
        };
        format!("<span class=\"{class}\">{escaped}</span>")
    };
    let lines: Vec<String> = message.lines().map(line).collect();
    format!(
        "<pre class=\"message\"><code>{}</code></pre>",
        lines.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::{coloured, without_marks};

    #[test]
    fn lines_of_a_message_have_colours() {
        let message = "error[E0382]: use of moved value: `a`\n3 | f::<u8>(a)\n  |         ^ moved\n  = help: wait";
        let expected = "<pre class=\"message\"><code><span class=\"error\">error[E0382]: use of moved value: `a`</span>\n\
                        3 | f::&lt;u8>(a)\n<span class=\"error\">  |         ^ moved</span>\n\
                        <span class=\"help\">  = help: wait</span></code></pre>";
        assert_eq!(coloured(message), expected);
    }

    #[test]
    fn the_marks_and_placeholders_are_not_in_the_message() {
        let text = " 8 |     a(); //~ mistake\n 9 |     //~ instead: b();\n  --> $WORKSPACE/src/a.rs\n     and $N others";
        let expected = " 8 |     a();\n  --> src/a.rs\n     and others";
        assert_eq!(without_marks(text), expected);
    }
}
