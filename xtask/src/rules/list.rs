//! Reading both lists: a first line with the names of the fields, and one entry per line.

use std::fmt;

use csv::{ReaderBuilder, StringRecord, Terminator, WriterBuilder};

/// A mistake in a file, with its remedy.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mistake {
    /// The path of the file, from the root.
    file: String,
    /// Counted from 1.
    line: usize,
    what: String,
}

impl Mistake {
    pub(super) fn new(file: impl Into<String>, line: usize, what: impl Into<String>) -> Self {
        let (file, what) = (file.into(), what.into());
        Self { file, line, what }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

/// The entries that `entry` makes of lines of `N` fields, and the mistakes of the other lines.
///
/// `entry` gets the number of the line and its fields, and returns their mistakes.
pub(crate) fn read<T, const N: usize>(
    (file, header): (&str, &str),
    text: &str,
    entry: impl Fn(usize, [String; N]) -> Result<T, String>,
) -> (Vec<T>, Vec<Mistake>) {
    let mut entries = Vec::new();
    let mut mistakes = Vec::new();
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, line)| line != header) {
        mistakes.push(Mistake::new(file, 1, format!("is not `{header}`")));
    }
    for (number, line) in lines {
        match fields(line).and_then(|fields| entry(number, fields)) {
            Ok(entry) => entries.push(entry),
            Err(what) => mistakes.push(Mistake::new(file, number, what)),
        }
    }
    (entries, mistakes)
}

/// The fields of a line. No field of a list holds a line break, so a line is an entry.
fn fields<const N: usize>(line: &str) -> Result<[String; N], String> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .from_reader(line.as_bytes());
    let mut record = StringRecord::new();
    reader
        .read_record(&mut record)
        .map_err(|error| error.to_string())?;
    // A missing quote, or one that is not doubled, can be read too, but with another meaning.
    let usual = written(&record)?;
    if usual != line {
        return Err(format!("has quotes in the wrong places; read as `{usual}`"));
    }
    let fields: Vec<_> = record.iter().map(str::to_owned).collect();
    let count = fields.len();
    <[String; N]>::try_from(fields).map_err(|_| {
        format!("has {count} fields instead of {N}: a field with a comma needs quotes")
    })
}

/// The line for these fields.
fn written(record: &StringRecord) -> Result<String, String> {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::Any(b'\n'))
        .from_writer(Vec::new());
    writer
        .write_record(record)
        .map_err(|error| error.to_string())?;
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
    Ok(text.trim_end_matches('\n').to_owned())
}

/// The names in a field: several are separated by semicolons.
pub(crate) fn names(field: &str) -> Vec<String> {
    let names = field.split(';').map(str::trim);
    names.filter(|n| !n.is_empty()).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::{names, read};

    fn lines(text: &str) -> (Vec<String>, Vec<String>) {
        let list = ("a/list.csv", "id,what");
        let (entries, mistakes) = read(list, text, |number, [id, what]| {
            if what.is_empty() {
                return Err(format!("{id}: says nothing"));
            }
            Ok(format!("{number} {id} {what}"))
        });
        (entries, mistakes.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn entries_are_read_and_mistakes_are_placed() {
        let (entries, mistakes) = lines("id,what\nA,\"one, two\"\nB,\nC\nD,\"x\nE,three\n");
        assert_eq!(entries, ["2 A one, two", "6 E three"]);
        assert_eq!(
            mistakes,
            [
                "a/list.csv:3: B: says nothing",
                "a/list.csv:4: has 1 fields instead of 2: a field with a comma needs quotes",
                "a/list.csv:5: has quotes in the wrong places; read as `D,x`",
            ]
        );
    }

    #[test]
    fn quotes_stand_around_commas_and_quotes_only() {
        let (entries, mistakes) =
            lines("id,what\nA,\"one \"\"two\"\"\"\nB,\"x\"\"\nC,x\"y\nD,\"x\"\n");
        assert_eq!(entries, ["2 A one \"two\""]);
        assert_eq!(mistakes.len(), 3, "{mistakes:?}");
    }

    #[test]
    fn the_first_line_is_checked() {
        for text in ["", "id\n"] {
            let (_, mistakes) = lines(text);
            assert_eq!(mistakes, ["a/list.csv:1: is not `id,what`"], "{text:?}");
        }
    }

    #[test]
    fn names_are_separated_by_semicolons() {
        assert_eq!(names("a/b; c/d;"), ["a/b", "c/d"]);
        assert_eq!(names(""), Vec::<String>::new());
    }
}
