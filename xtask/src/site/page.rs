//! The pages: one for each refusal, one for each mistake in C, and the list of all.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::c::Program;
use super::gallery::{Class, Entry, Line, ORDER};
use super::markdown::{Piece, pieces};

const TITLE: &str = "Mistakes that do not compile";

/// A page. `up` leads to the root of the site: it is empty or `../`.
fn page(title: &str, up: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · ascendcl" }
                link rel="stylesheet" href=(format!("{up}style.css"));
            }
            body {
                a.skip href="#content" { "To the content" }
                header {
                    a.home href=(format!("{up}index.html")) { "ascendcl" }
                    span { (TITLE) }
                }
                main id="content" { (content) }
            }
        }
    };
    page.into_string()
}

/// Words with code.
fn words(text: &str) -> Markup {
    html! {
        @for piece in pieces(text) {
            @match piece {
                Piece::Words(words) => (words),
                Piece::Code(code) => code { (code) },
            }
        }
    }
}

/// A program whose marked lines have a class and a sign, for readers who do not see colours.
fn program(lines: &[Line], class: &str, sign: &str) -> Markup {
    html! {
        pre tabindex="0" {
            @for line in lines {
                span class=(if line.differs { class } else { "" }) {
                    span.sign aria-hidden="true" { @if line.differs { (sign) } @else { " " } }
                    (line.text) "\n"
                }
            }
        }
    }
}

/// A message of the compiler. Its sentences wrap. The lines with code do not, because the marks below the code have to
/// stay below it.
fn message(text: &str) -> Markup {
    html! {
        pre.message tabindex="0" {
            @for line in text.lines() {
                span class=(if is_code(line) { "source" } else { "" }) { (line) "\n" }
            }
        }
    }
}

/// A message without the marks that a case has for its twin, which the program on the page does not have either, and without
/// the placeholders that make it the same on each computer.
fn without_marks(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("//~ instead"));
    let lines = lines.map(|line| line.replace(" //~ mistake", ""));
    let lines = lines.map(|line| {
        line.replace("$WORKSPACE/", "")
            .replace("and $N others", "and others")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether a line of a message is one with code or with marks below code: behind its number, if it has one, is a bar.
fn is_code(line: &str) -> bool {
    let rest = line
        .trim_start()
        .trim_start_matches(|c: char| c.is_ascii_digit());
    rest.trim_start().starts_with('|')
}

/// The page of a refusal, between its neighbours.
pub(super) fn refusal(entry: &Entry, before: Option<&Entry>, after: Option<&Entry>) -> String {
    let link = |neighbour: &Entry| format!("../{}", neighbour.page());
    let content = html! {
        p.path { a href=(format!("../index.html#area={}", entry.area)) { (entry.area) } " / " (entry.name) }
        h1 { (entry.title()) }
        p.lead { (words(&entry.head)) }
        div.pair {
            section {
                h2 { "The mistake" }
                (program(&entry.case, "wrong", "✗"))
            }
            section {
                h2 { "The accepted twin" }
                (program(&entry.twin, "right", "✓"))
            }
        }
        h2 { "The compiler says" }
        (message(&without_marks(&entry.message)))
        h2 { "Why" }
        dl {
            @for reason in &entry.reasons {
                dt id=(reason.id) {
                    @if reason.otherwise.is_empty() { "Rule of AscendCL " } @else { "Promise of this API " }
                    (reason.id)
                }
                dd {
                    (words(&reason.text)) "."
                    @if !reason.otherwise.is_empty() { " Otherwise " (words(&reason.otherwise)) "." }
                }
            }
        }
        @if !entry.classes.is_empty() { (in_c(&entry.classes)) }
        @if !entry.bugs.is_empty() {
            h2 { "In public programs" }
            ul { @for bug in &entry.bugs { li { (words(&bug.mistake)) } } }
        }
        nav.neighbours aria-label="neighbours" {
            @if let Some(before) = before { a rel="prev" href=(link(before)) { "← " (before.title()) } }
            @if let Some(after) = after { a rel="next" href=(link(after)) { (after.title()) " →" } }
        }
    };
    page(&entry.title(), "../", &content)
}

/// The reaction of C to a class of mistakes.
fn in_c(classes: &[Class]) -> Markup {
    html! {
        h2 { "In C" }
        @for class in classes {
            p {
                "For the class of mistakes \u{201c}" (words(&class.misuse)) "\u{201d} the C runtime does this: "
                (words(&class.in_c)) ". Here, " (words(&class.here)) "."
            }
            @if !class.findings.is_empty() {
                p {
                    "As a C program, with the report of the emulator's checker: "
                    @for (index, finding) in class.findings.iter().enumerate() {
                        @if index > 0 { ", " }
                        a href=(format!("../checker/{finding}.html")) { (finding) }
                    }
                    "."
                }
            }
        }
    }
}

/// The page of a mistake in C.
pub(super) fn finding(program: &Program, entries: &[Entry]) -> String {
    let is_of = |entry: &&Entry| {
        let mut classes = entry.classes.iter();
        classes.any(|class| class.findings.contains(&program.name))
    };
    let content = html! {
        p.path { a href="../index.html#checker" { "checker" } " / " (program.name) }
        h1 { (program.title()) }
        p.lead {
            "This C program compiles. The emulator runs it with " code { "ASCENDCL_EMULATOR_CHECK" }
            " and reports the mistake."
        }
        h2 { "The program" }
        pre tabindex="0" { (program.source) }
        h2 { "The checker says" }
        pre.message tabindex="0" { (program.report) }
        h2 { "The same mistake with this API" }
        ul {
            @for entry in entries.iter().filter(is_of) {
                li { a href=(format!("../{}", entry.page())) { (entry.title()) } }
            }
        }
    };
    page(program.title(), "../", &content)
}

/// The list of all refusals, with a search.
pub(super) fn index<'p>(entries: &[Entry], findings: impl Iterator<Item = &'p Program>) -> String {
    let areas = ORDER
        .iter()
        .filter(|area| entries.iter().any(|entry| entry.area == **area));
    let areas: Vec<&&str> = areas.collect();
    let mut codes: Vec<&str> = entries.iter().map(Entry::code).collect();
    codes.sort_unstable();
    codes.dedup();
    let mut classes: Vec<&str> = Vec::new();
    for class in entries.iter().flat_map(|entry| &entry.classes) {
        if !classes.contains(&class.misuse.as_str()) {
            classes.push(&class.misuse);
        }
    }
    let content = html! {
        h1 { (TITLE) }
        p.lead {
            "Each page has a program with a mistake, the message of the Rust compiler, the accepted program, which differs "
            "only in the marked lines, and the behaviour of C. In each area the mistakes that most programs can make come first."
        }
        form role="search" {
            label for="words" { "Search" }
            input id="words" type="search" placeholder="free, stream, E0505 ..." autocomplete="off";
            label for="area" { "Area" }
            select id="area" {
                option value="" { "all" }
                @for area in &areas { option { (area) } }
            }
            label for="class" { "Class" }
            select id="class" {
                option value="" { "all" }
                @for class in classes { option { (class.replace('`', "")) } }
            }
            label for="code" { "Code" }
            select id="code" {
                option value="" { "all" }
                @for code in codes { option { (code) } }
            }
        }
        p id="count" role="status" { (entries.len()) " refusals" }
        @for area in areas {
            section.area data-area=(area) {
                h2 { (area) }
                ol {
                    @for entry in entries.iter().filter(|entry| entry.area == **area) { (item(entry)) }
                }
            }
        }
        section id="checker" {
            h2 { "The same mistakes in C" }
            p { "These C programs compile. The checker of the emulator finds their mistakes when they run." }
            ul { @for program in findings { li { a href=(format!("checker/{}.html", program.name)) { (program.title()) } " " span.code { (program.name) } } } }
        }
        script { (PreEscaped(include_str!("search.js"))) }
    };
    page(TITLE, "", &content)
}

/// A refusal in the list. The attributes are those that the search compares.
fn item(entry: &Entry) -> Markup {
    let classes = entry
        .classes
        .iter()
        .map(|class| class.misuse.replace('`', ""));
    let classes: Vec<String> = classes.collect();
    let rules = entry.reasons.iter().map(|reason| reason.id.as_str());
    let rules: Vec<&str> = rules.collect();
    html! {
        li data-code=(entry.code()) data-class=(classes.join("|")) data-words=(format!("{} {}", rules.join(" "), entry.summary())) {
            a href=(entry.page()) { (entry.title()) }
            " " span.code { (entry.code()) }
            p { (words(&entry.head)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_code, message, without_marks};

    #[test]
    fn the_marks_and_placeholders_are_not_in_the_message() {
        let text =
            " 8 |     a(); //~ mistake\n   |     ^ here\n 9 |     //~ instead: b();\n10 |     c();";
        let expected = " 8 |     a();\n   |     ^ here\n10 |     c();";
        assert_eq!(without_marks(text), expected);
        let text = "  --> $WORKSPACE/src/op/plan.rs\n          and $N others";
        let expected = "  --> src/op/plan.rs\n          and others";
        assert_eq!(without_marks(text), expected);
    }

    #[test]
    fn the_lines_of_a_message_with_code_do_not_wrap() {
        let lines = [
            "error[E0505]: cannot move",
            "   |",
            " 9 |     a | b",
            "   |     ^ here",
            "   = note: a | b",
        ];
        assert_eq!(lines.map(is_code), [false, true, true, true, false]);
        let text = message("a\n  | b").into_string();
        assert!(
            text.contains("<span class=\"\">a\n</span><span class=\"source\">  | b\n</span>"),
            "{text}"
        );
    }
}
