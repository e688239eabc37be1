//! From the text of a case to the text of its twin, by the marks in the case.
//!
//! ```text
//! device.reset()?; //~ mistake                  this line is not in the twin,
//! //~ instead: stream.destroy()?;               this code stands in the twin only,
//! //~ instead: device.reset()?;                 and so does this
//! ```
//!
//! A mistake may leave something out further up or down, so code of the twin may be anywhere; but a
//! case has at least one line that is a mistake.
//!
//! A twin has as many lines as its case, so that a message about one is a message about the other.

/// What starts every mark. Unknown text after it is refused: it would else be a mere comment.
const MARK: &str = "//~";

/// Something wrong with a case: the line, counted from 1, and a sentence.
pub type Problem = (usize, String);

/// Makes the twin of the case with this text, or says what is wrong with its marks.
pub fn twin(case: &str) -> Result<String, Vec<Problem>> {
    let mut twin = String::with_capacity(case.len());
    let mut problems = Vec::new();
    let mut mistakes = 0;

    for (number, line) in (1..).zip(case.lines()) {
        let Some((code, mark)) = line.split_once(MARK) else {
            twin.push_str(line);
            twin.push('\n');
            continue;
        };
        let mark = mark.trim();
        if mark == "mistake" {
            mistakes += 1;
            if code.trim().is_empty() {
                problems.push((number, "marks no code as a mistake".into()));
            }
        } else if let Some(replacement) = mark.strip_prefix("instead:") {
            if !code.trim().is_empty() {
                problems.push((number, "`instead` needs a line of its own".into()));
            } else if replacement.trim().is_empty() {
                problems.push((number, "`instead` names no code".into()));
            }
            twin.push_str(code);
            twin.push_str(replacement.trim());
        } else {
            problems.push((
                number,
                format!("unknown mark `{mark}`; known are `mistake` and `instead: <code>`"),
            ));
        }
        twin.push('\n');
    }

    if mistakes == 0 {
        problems.push((1, "no line is marked `//~ mistake`".into()));
    } else if problems.is_empty() && code_of(case) == code_of(&twin) {
        problems.push((1, "the twin has the same code as the case".into()));
    }
    if problems.is_empty() {
        Ok(twin)
    } else {
        Err(problems)
    }
}

/// The text without comments and spaces, to compare what two programs do and not how they look.
///
/// It cuts a string literal that holds two slashes; both sides of the comparison are cut alike.
fn code_of(text: &str) -> String {
    text.lines()
        .map(|line| line.split_once("//").map_or(line, |(code, _)| code))
        .flat_map(str::chars)
        .filter(|c| !c.is_whitespace())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::twin;

    #[test]
    fn a_marked_line_is_removed_and_the_others_keep_their_numbers() {
        let case = "//! Head.\nfn main() {\n    wrong(); //~ mistake\n    right();\n}\n";
        let expected = "//! Head.\nfn main() {\n\n    right();\n}\n";
        assert_eq!(twin(case).as_deref(), Ok(expected));
    }

    #[test]
    fn replacements_stand_where_they_are_written() {
        let case =
            "//~ instead: new(c);\na(b); //~ mistake\n //~ instead: a(c);\n //~ instead: d();\n";
        let expected = "new(c);\n\n a(c);\n d();\n";
        assert_eq!(twin(case).as_deref(), Ok(expected));
    }

    #[test]
    fn a_case_without_a_mistake_is_refused() {
        assert_problem("//! Head.\nfn main() {}\n", 1, "no line is marked");
    }

    #[test]
    fn a_twin_equal_to_its_case_is_refused() {
        let same = "fn main() {\n    a(b); //~ mistake\n    //~ instead: a( b );\n}\n";
        assert_problem(same, 1, "same code");
        let comment = "fn main() {} \n// only words //~ mistake\n";
        assert_problem(comment, 1, "same code");
    }

    #[test]
    fn misplaced_and_misspelt_marks_are_refused() {
        assert_problem("a(); //~ mistaek\n", 1, "unknown mark");
        assert_problem("a(); //~ mistake: b();\n", 1, "unknown mark");
        assert_problem("//~ mistake\n", 1, "marks no code");
        assert_problem("a(); //~ mistake\n//~ instead:\n", 2, "names no code");
        assert_problem(
            "a(); //~ mistake\nb(); //~ instead: c();\n",
            2,
            "line of its own",
        );
    }

    fn assert_problem(case: &str, line: usize, words: &str) {
        let problems = twin(case).err().unwrap_or_default();
        let found = problems
            .iter()
            .any(|(at, what)| *at == line && what.contains(words));
        assert!(
            found,
            "no problem `{words}` in line {line}, but {problems:?}"
        );
    }
}
