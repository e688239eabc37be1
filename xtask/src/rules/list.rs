//! Reading the lists: a first line with the names of the fields, and one entry per line.

use csv::{ReaderBuilder, StringRecord, Terminator, WriterBuilder};

use crate::finding::Finding;

/// The entries that `entry` makes of lines of `N` fields, and the mistakes of the other lines.
///
/// `entry` gets the number of the line and its fields, and returns their mistakes.
pub(crate) fn read<T, const N: usize>(
    (file, header): (&str, &str),
    text: &str,
    entry: impl Fn(usize, [String; N]) -> Result<T, String>,
) -> (Vec<T>, Vec<Finding>) {
    let mut entries = Vec::new();
    let mut mistakes = Vec::new();
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, line)| line != header) {
        mistakes.push(Finding::new(file, 1, format!("is not `{header}`")));
    }
    for (number, line) in lines {
        match fields(line).and_then(|fields| entry(number, fields)) {
            Ok(entry) => entries.push(entry),
            Err(what) => mistakes.push(Finding::new(file, number, what)),
        }
    }
    (entries, mistakes)
}

/// The fields of a line. No field of a list holds a line break, so a line is an entry.
fn fields<const N: usize>(line: &str) -> Result<[String; N], String> {
    let mut reader = ReaderBuilder::new();
    let mut reader = reader.has_headers(false).from_reader(line.as_bytes());
    let mut record = StringRecord::new();
    let read = reader.read_record(&mut record);
    read.map_err(|error| error.to_string())?;
    // A missing quote, or one that is not doubled, can be read too, but with another meaning.
    let usual = written(&record).map_err(|error| error.to_string())?;
    if usual != line {
        return Err(format!("has quotes in the wrong places; read as `{usual}`"));
    }
    let fields: Vec<_> = record.iter().map(str::to_owned).collect();
    let count = fields.len();
    let wrong = || format!("has {count} fields instead of {N}: a field with a comma needs quotes");
    fields.try_into().map_err(|_| wrong())
}

/// The line for these fields.
fn written(record: &StringRecord) -> csv::Result<String> {
    let mut text = Vec::new();
    let mut writer = WriterBuilder::new();
    let mut writer = writer
        .terminator(Terminator::Any(b'\n'))
        .from_writer(&mut text);
    writer.write_record(record)?;
    writer.flush()?;
    drop(writer);
    Ok(String::from_utf8_lossy(&text)
        .trim_end_matches('\n')
        .to_owned())
}

/// The names in a field: several are separated by semicolons.
pub(crate) fn names(field: &str) -> Vec<String> {
    let names = field.split(';').map(str::trim);
    names.filter(|n| !n.is_empty()).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::{names, read};
    use crate::finding::lines;

    #[test]
    fn entries_are_read_and_mistakes_are_placed() {
        let found = |text: &str| {
            let (entries, mistakes) = read(("a.csv", "id,what"), text, |number, [id, what]| {
                let says = (!what.is_empty()).then(|| format!("{number} {id} {what}"));
                says.ok_or(format!("{id}: says nothing"))
            });
            (entries, lines(&mistakes))
        };
        let text =
            "id,what\nA,\"one, \"\"two\"\"\"\nB,\nC\nD,\"x\nE,three\nB,\"x\"\"\nC,x\"y\nD,\"x\"\n";
        let (entries, mistakes) = found(text);
        assert_eq!(entries, ["2 A one, \"two\"", "6 E three"]);
        let expected = [
            "a.csv:3: B: says nothing",
            "a.csv:4: has 1 fields instead of 2: a field with a comma needs quotes",
            "a.csv:5: has quotes in the wrong places; read as `D,x`",
        ];
        assert_eq!(mistakes.get(..3), Some(&expected.map(String::from)[..]));
        assert_eq!(mistakes.len(), 6, "{mistakes:?}");
        assert_eq!(found("").1, ["a.csv:1: is not `id,what`"]);
        assert_eq!(names("a/b; c/d;"), ["a/b", "c/d"]);
    }
}
