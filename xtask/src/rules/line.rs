//! One line of comma-separated values. A field with a comma or a quote stands in quotes, and a quote
//! within it is doubled; no field of the ledger holds a line break, so a line is a row.

/// The fields of a line, or what is wrong with it.
pub(super) fn fields(line: &str) -> Result<Vec<String>, &'static str> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_field(quoted)?,
            None => plain_field(rest)?,
        };
        fields.push(field);
        match after {
            Some(after) => rest = after,
            None => return Ok(fields),
        }
    }
}

/// A field and what stands behind the comma after it, if there is one.
type Split<'a> = (String, Option<&'a str>);

fn plain_field(text: &str) -> Result<Split<'_>, &'static str> {
    let (field, after) = match text.split_once(',') {
        Some((field, after)) => (field, Some(after)),
        None => (text, None),
    };
    if field.contains('"') {
        return Err("has a quote inside a field: put the field in quotes and double the quote");
    }
    Ok((field.into(), after))
}

/// `text` begins behind the first quote.
fn quoted_field(text: &str) -> Result<Split<'_>, &'static str> {
    let mut field = String::new();
    let mut rest = text;
    loop {
        let Some((part, after)) = rest.split_once('"') else {
            return Err("has a quoted field without an end: close the quote on the same line");
        };
        field.push_str(part);
        if let Some(doubled) = after.strip_prefix('"') {
            field.push('"');
            rest = doubled;
        } else if after.is_empty() {
            return Ok((field, None));
        } else if let Some(after) = after.strip_prefix(',') {
            return Ok((field, Some(after)));
        } else {
            return Err("has text behind a closing quote: double the quotes inside of the field");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fields;

    #[test]
    fn fields_are_separated_and_unquoted() {
        let split = |line: &str| fields(line).unwrap_or_default();
        assert_eq!(split("a,b"), ["a", "b"]);
        assert_eq!(split("a,,"), ["a", "", ""]);
        assert_eq!(split("\"a, b\",c"), ["a, b", "c"]);
        assert_eq!(split("c,\"a \"\"b\"\"\""), ["c", "a \"b\""]);
        assert_eq!(split("\"\",\"\""), ["", ""]);
    }

    #[test]
    fn damaged_quotes_are_told_apart() {
        let what = |line: &str| fields(line).err().unwrap_or_default();
        assert!(what("a\"b").starts_with("has a quote inside a field"));
        assert!(what("x,\"a").starts_with("has a quoted field without an end"));
        assert!(what("\"a\"b,c").starts_with("has text behind a closing quote"));
    }
}
