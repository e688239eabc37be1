//! The mistakes at the end of a chapter: the lines and the message of a ui case, below a line that names the case.
//!
//! The line is ``Case `memory/free_twice` ``. Two blocks follow it: the wrong lines with the right ones, and the
//! compiler's message. `cargo xtask guide --write` writes both.

use ui_tests::area;
use ui_tests::case::Case;
use ui_tests::cases::Cases;

use super::book::Book;

/// The words in front of the name of a case, in each language.
const WORDS: [&str; 2] = ["Case `", "用例 `"];
const MISTAKE: &str = "//~ mistake";
const INSTEAD: &str = "//~ instead: ";

/// The places where a chapter names no case, or has other lines or another message than the case.
pub(super) fn check(book: &Book, cases: &Cases) -> Vec<String> {
    let mut findings = Vec::new();
    for chapter in &book.chapters {
        for (number, line) in (1..).zip(chapter.text.lines()) {
            let name = named(line).filter(|name| find(name, cases).is_none());
            let what = name.map(|name| format!("`{name}` is no case"));
            findings.extend(what.map(|what| chapter.finding(number, &what)));
        }
        let written = written(&chapter.text, cases);
        if written != chapter.text {
            let mut pairs = written.lines().zip(chapter.text.lines());
            let line = pairs.position(|(new, old)| new != old);
            let line = line.map_or(1, |at| at + 1);
            let what = "is not the program or the message of the case above it; \
                        `cargo xtask guide --write` writes both";
            findings.push(chapter.finding(line, what));
        }
    }
    findings
}

/// A text with the lines and messages of today.
pub(super) fn written(text: &str, cases: &Cases) -> String {
    let mut lines = text.lines().peekable();
    let mut written = String::new();
    while let Some(line) = lines.next() {
        written.push_str(line);
        written.push('\n');
        let Some(case) = named(line).and_then(|name| find(name, cases)) else {
            continue;
        };
        for language in ["diff", "text"] {
            while lines.next_if(|line| line.is_empty()).is_some() {}
            let fence = format!("```{language}");
            if lines.next_if(|line| *line == fence).is_some() {
                while lines.next_if(|line| *line != "```").is_some() {}
                lines.next();
            }
        }
        let (difference, message) = (difference(&case.text), message(case));
        let blocks = format!("\n```diff\n{difference}```\n\n```text\n{message}```\n");
        written.push_str(&blocks);
        // The blank line behind the blocks was skipped if there were none yet.
        if lines.peek().is_some_and(|next| !next.is_empty()) {
            written.push('\n');
        }
    }
    written
}

/// The case that a line names, if it is such a line.
fn named(line: &str) -> Option<&str> {
    let words = WORDS.iter().find_map(|words| line.strip_prefix(words))?;
    let (name, rest) = words.split_once('`')?;
    let (folder, _) = name.split_once('/')?;
    let is_case = rest.is_empty() && area::folders().any(|known| known == folder);
    is_case.then_some(name)
}

fn find<'c>(name: &str, cases: &'c Cases) -> Option<&'c Case> {
    let (area, name) = name.split_once('/')?;
    let mut cases = cases.cases.iter();
    cases.find(|case| case.area == area && case.name == name)
}

/// More lines than this between two marked lines are left out.
const BETWEEN: usize = 3;

/// The wrong lines of a case, and the lines that its twin has instead, with the lines between them.
fn difference(text: &str) -> String {
    let lines = signed(text);
    let mut parts: Vec<Vec<&(char, String)>> = Vec::new();
    let mut between = Vec::new();
    for line in &lines {
        between.push(line);
        if line.0 != ' ' {
            match parts.last_mut().filter(|_| between.len() <= BETWEEN + 1) {
                Some(part) => part.append(&mut between),
                None => parts.push(vec![line]),
            }
            between.clear();
        }
    }
    let parts: Vec<String> = parts.iter().map(|part| without_indent(part)).collect();
    parts.join("...\n")
}

/// The lines of a case with their signs in a difference: `-` for a wrong line, `+` for one that the twin has instead, and `=` for
/// the line with the error if it stays as it is.
pub(crate) fn signed(text: &str) -> Vec<(char, String)> {
    let mut lines: Vec<(char, String)> = Vec::new();
    for line in text.lines() {
        let (sign, code) = if let Some(code) = line.strip_suffix(MISTAKE) {
            ('-', code.trim_end().to_owned())
        } else if let Some((indent, code)) = line.split_once(INSTEAD) {
            ('+', format!("{indent}{code}"))
        } else {
            (' ', line.to_owned())
        };
        match lines.last_mut() {
            Some((last @ '-', wrong)) if sign == '+' && *wrong == code => *last = '=',
            _ => lines.push((sign, code)),
        }
    }
    lines
}

/// A line of a difference.
pub(crate) fn signed_line(sign: char, code: &str) -> String {
    let sign = if sign == '=' { ' ' } else { sign };
    format!("{}\n", format!("{sign}{code}").trim_end())
}

/// Lines of a difference, moved to the left as far as possible.
fn without_indent(lines: &[&(char, String)]) -> String {
    let codes = lines.iter().map(|(_, code)| code);
    let codes = codes.filter(|code| !code.is_empty());
    let indents = codes.map(|code| code.len() - code.trim_start().len());
    let indent = indents.min().unwrap_or_default();
    let line =
        |(sign, code): &&(char, String)| signed_line(*sign, code.get(indent..).unwrap_or_default());
    lines.iter().map(line).collect()
}

/// The part of the compiler's message that is about the program: the first error with its own notes, without the
/// names of files and of traits.
fn message(case: &Case) -> String {
    let message = case.message.as_deref().unwrap_or_default();
    let starts = |line: &str, words: &[&str]| words.iter().any(|word| line.starts_with(word));
    let mut lines = message.lines();
    let first = lines.next();
    let follows = |line: &&str| !starts(line, &["note: ", "help: ", "error", "warning"]);
    let lines = first.into_iter().chain(lines.take_while(follows));
    let others = ["--> ", "= help: the trait", "= help: within"];
    let lines = lines.filter(|line| !starts(line.trim_start(), &others));
    let lines = lines.map(|line| line.replace(MISTAKE, "").trim_end().to_owned());
    let mut text: Vec<String> = lines.collect();
    while text
        .pop_if(|line| matches!(line.trim(), "" | "|"))
        .is_some()
    {}
    text.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::book::Book;
    use super::{check, written};
    use ui_tests::case::Case;
    use ui_tests::cases::Cases;

    const CASE: &str = "//! Frees twice.\nfn main() {\n    use(a); //~ mistake\n    //~ instead: use(a);\n    free(a); //~ mistake\n    //~ instead: if a {\n    //~ instead:     free(b);\n}\n";
    const MESSAGE: &str = "\
error[E0382]: use of moved value: `a`
 --> cases/memory/free_twice.rs:3:5
  |
3 |     free(a); //~ mistake
  |          ^ moved
  |
  = help: the trait `Copy` is not implemented
  = note: take it back
note: required by this
 --> src/lib.rs
error[E0000]: another
";
    const WRITTEN: &str = "\
# Memory

Case `memory/free_twice`

```diff
 use(a);
-free(a);
+if a {
+    free(b);
```

```text
error[E0382]: use of moved value: `a`
  |
3 |     free(a);
  |          ^ moved
  |
  = note: take it back
```

More.
";

    fn cases() -> Cases {
        let [area, name, text, message] = ["memory", "free_twice", CASE, MESSAGE].map(String::from);
        let message = Some(message);
        Cases {
            cases: vec![Case {
                area,
                name,
                text,
                message,
            }],
            strays: Vec::new(),
        }
    }

    fn found(text: &str) -> Vec<String> {
        check(&Book::sample([("a.md", text)]), &cases())
    }

    #[test]
    fn an_old_message_and_a_name_of_no_case_are_found() {
        let bare = "# Memory\n\nCase `memory/free_twice`\n\nMore.\n";
        assert_eq!(written(bare, &cases()), WRITTEN);
        assert_eq!(found(WRITTEN), [""; 0]);
        let old = found(&WRITTEN.replace("moved\n", "gone\n"));
        let expected = "a.md:16: is not the program";
        assert!(old.concat().starts_with(expected), "{old:?}");
        let none = found(&WRITTEN.replace("free_twice", "free_thrice"));
        assert_eq!(none, ["a.md:3: `memory/free_thrice` is no case"]);
    }
}
