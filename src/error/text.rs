//! The runtime's error texts, which are long: the cause, and the rest.
//!
//! CANN's texts have several lines and say the same at each level of its calls. They begin with
//! `[PID: 7] 2026-01-31-08:00:00.000.000 Invalid_Argument(EH0009): aclrtMalloc failed. Value 0 for ..`, and end with
//! `Solution:`, `TraceBack` and, at each line, `[FUNC:..][FILE:..][LINE:..]` (observed, runtime 1.17).

/// A longer cause is cut, in characters.
const LONGEST: usize = 300;

/// What stands behind the cause.
const ENDS: [&str; 4] = ["Solution:", "TraceBack", "[PID:", "[FUNC:"];

/// The cause that a text of `aclGetRecentErrMsg` names, in one line and without `call`, which is said already.
pub(super) fn cause(call: &str, text: &str) -> String {
    let line = text.lines().collect::<Vec<_>>().join(" ");
    let body = without_head(&line);
    let end = ENDS.iter().filter_map(|end| body.find(end)).min();
    let said = body.get(..end.unwrap_or(body.len())).unwrap_or_default();
    let said = without_call(call, without_code(said.trim()));
    // Of a form that nobody knows all is shown.
    let said = if said.is_empty() { line.trim() } else { said };
    cut(said.strip_suffix('.').unwrap_or(said))
}

/// A text without what stands in front of the cause: the process, the time, the kind of the error.
fn without_head(text: &str) -> &str {
    let text = text.trim_start();
    let word = text.split(' ').next().unwrap_or_default();
    let kind = word.strip_suffix(':').unwrap_or_default();
    let rest = if text.starts_with("[PID:") {
        text.split_once(']').map(|(_, rest)| rest)
    } else if is_code(kind) || is_kind(kind) || is_time(word) {
        text.get(word.len()..)
    } else {
        text.strip_prefix("Inner Error!")
    };
    rest.map_or(text, without_head)
}

/// A cause without the code of the report that follows it.
fn without_code(text: &str) -> &str {
    let (rest, last) = text.rsplit_once(' ').unwrap_or(("", text));
    let is_head = last.strip_suffix(':').is_some_and(is_code);
    if is_head { rest.trim_end() } else { text }
}

/// Whether this is `EH0009`.
fn is_code(word: &str) -> bool {
    let (letters, digits) = word.split_at_checked(2).unwrap_or_default();
    digits.len() == 4
        && letters.bytes().all(|byte| byte.is_ascii_uppercase())
        && digits.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether this is `Invalid_Argument(EH0009)`.
fn is_kind(word: &str) -> bool {
    let code = word
        .split_once('(')
        .and_then(|(_, code)| code.strip_suffix(')'));
    code.is_some_and(is_code)
}

/// Whether this is `2026-01-31-08:00:00.000.000`.
fn is_time(word: &str) -> bool {
    let is_part = |part: char| part.is_ascii_digit() || matches!(part, '-' | ':' | '.');
    word.len() > 10 && word.contains(':') && word.chars().all(is_part)
}

/// A cause without the function that it begins with.
fn without_call<'t>(call: &str, text: &'t str) -> &'t str {
    let said = text
        .strip_prefix(call)
        .map(|rest| rest.strip_prefix(" failed").unwrap_or(rest));
    let ways = [": ", ". ", " because "];
    let cause = said.and_then(|said| ways.iter().find_map(|way| said.strip_prefix(way)));
    cause.unwrap_or(text)
}

/// The words of a text that its longest length has room for.
fn cut(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(LONGEST) else {
        return text.to_owned();
    };
    let room = text.get(..end).unwrap_or_default();
    let words = room.rsplit_once(' ').map_or(room, |(words, _)| words);
    format!("{words} ...")
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, cause};

    /// The cause in a text, for a call that it does not begin with.
    fn of(text: &str) -> String {
        cause("aclrtOther", text)
    }

    #[test]
    fn of_a_report_the_cause_is_left() {
        let text = "[PID: 4711] 2026-01-31-08:15:30.123.456 Invalid_Argument(EH0009): aclrtMalloc failed. Value 0 for \
                    size is invalid. Reason: it is zero.\n\
                    Solution: Pass a size of 1 or more.\n\
                    TraceBack (most recent call last):\n\
                    aclrtMalloc execution failed, reason=[size][FUNC:Malloc][FILE:memory.cc][LINE:12]";
        let said = "Value 0 for size is invalid. Reason: it is zero";
        assert_eq!(cause("aclrtMalloc", text), said);
        assert_eq!(of(text), format!("aclrtMalloc failed. {said}"));
    }

    #[test]
    fn the_code_may_stand_in_front_and_the_place_behind() {
        let text = "EE9999: Inner Error!\n\
                    EE9999: [PID: 1] 2026-01-31-08:15:30.123.456 Stream synchronize timeout, stream_id=3\
                    [FUNC:Synchronize][FILE:stream.cc][LINE:7]\n\
                    TraceBack (most recent call last):\n\
                    Stream synchronize timeout[FUNC:Wait][FILE:api.cc][LINE:9]";
        assert_eq!(of(text), "Stream synchronize timeout, stream_id=3");
    }

    #[test]
    fn of_several_reports_the_first_counts() {
        let text = "EH0001: [PID: 1] 2026-01-31-08:15:30.123.456 The first. EH0002: [PID: 1] \
                    2026-01-31-08:15:30.123.457 The second.";
        assert_eq!(of(text), "The first");
    }

    #[test]
    fn the_function_is_said_once() {
        for (text, said) in [
            ("aclrtFree failed: it is freed", "it is freed"),
            ("aclrtFree failed. It is freed", "It is freed"),
            ("aclrtFree failed because it is freed", "it is freed"),
            ("aclrtFree: it is freed", "it is freed"),
            (
                "aclrtFreeHost failed: it is freed",
                "aclrtFreeHost failed: it is freed",
            ),
            ("aclrtFree failed", "aclrtFree failed"),
        ] {
            assert_eq!(cause("aclrtFree", text), said);
        }
    }

    #[test]
    fn what_has_another_form_is_shown_as_it_is() {
        for text in [
            "a sentence: with (brackets): and 12:30",
            "EH0009 is a code",
            "[PID: is not closed",
            "[PID: 7] 2026-01-31-08:15:30.123.456",
            "Solution: none",
            "",
        ] {
            assert_eq!(of(text), text);
        }
        assert_eq!(of("one\ntwo"), "one two");
    }

    #[test]
    fn a_cause_without_end_is_cut_behind_a_word() {
        let said = of(&"sätze ".repeat(100));
        assert!(
            said.ends_with("sätze ...") && said.chars().count() <= LONGEST + 4,
            "{said}"
        );
        let word = of(&"ä".repeat(1000));
        assert_eq!(word.chars().count(), LONGEST + 4);
    }
}
