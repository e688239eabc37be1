//! Reading the lists: a first line with the names of the fields, and an entry in each other line.

use std::io;
use std::ops::Deref;

use csv::{Error, Reader, StringRecord};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _};

use crate::finding::Finding;

/// An entry of a list, with its place.
#[derive(Debug)]
pub(crate) struct Entry<T> {
    file: &'static str,
    /// Counted from 1.
    pub(crate) line: usize,
    pub(crate) of: T,
}

impl<T> Entry<T> {
    pub(crate) fn mistake(&self, what: String) -> Finding {
        Finding::new(self.file, self.line, what)
    }
}

impl<T> Deref for Entry<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.of
    }
}

/// The entries of a list, and the mistakes of the lines that are none.
pub(crate) fn read<T: DeserializeOwned>(
    file: &'static str,
    text: &str,
) -> (Vec<Entry<T>>, Vec<Finding>) {
    let (mut entries, mut mistakes) = (Vec::new(), Vec::new());
    let mut reader = Reader::from_reader(text.as_bytes());
    let head = reader.headers().cloned().unwrap_or_default();
    for record in reader.into_records() {
        let place = record.as_ref();
        let place = place.map_or_else(Error::position, StringRecord::position);
        let line = place.map_or(1, |place| place.line() as usize);
        match record.and_then(|record| entry(&record, &head)) {
            Ok(of) => entries.push(Entry { file, line, of }),
            Err(error) => mistakes.push(Finding::new(file, line, error.to_string())),
        }
    }
    (entries, mistakes)
}

/// No field of a list holds a line break. One that does has lost a quote, and the next entries are in it.
fn entry<T: DeserializeOwned>(record: &StringRecord, head: &StringRecord) -> csv::Result<T> {
    if record.iter().any(|field| field.contains('\n')) {
        let what = "a quote is missing: a field goes on in the next line";
        return Err(io::Error::other(what).into());
    }
    record.deserialize(Some(head))
}

/// A field that has to say something.
pub(crate) fn text<'d, D: Deserializer<'d>>(field: D) -> Result<String, D::Error> {
    let field = String::deserialize(field)?;
    match field.trim() {
        "" => Err(D::Error::custom("says nothing")),
        _ => Ok(field),
    }
}

/// The names in a field, which semicolons separate.
pub(crate) fn names<'d, D: Deserializer<'d>>(field: D) -> Result<Vec<String>, D::Error> {
    let field = String::deserialize(field)?;
    let names = field.split(';').map(str::trim);
    let names = names.filter(|name| !name.is_empty());
    Ok(names.map(String::from).collect())
}

#[cfg(test)]
mod tests {
    use super::{names, read, text};
    use crate::finding::lines;

    #[derive(serde::Deserialize)]
    struct Sample {
        #[serde(deserialize_with = "text")]
        id: String,
        #[serde(deserialize_with = "names")]
        what: Vec<String>,
    }

    #[test]
    fn entries_are_read_and_mistakes_are_placed() {
        let found = |text: &str| {
            let (entries, mistakes) = read::<Sample>("a.csv", text);
            let shown = entries
                .iter()
                .map(|of| format!("{} {} {:?}", of.line, of.id, of.what));
            (shown.collect::<Vec<_>>(), lines(&mistakes).join("\n"))
        };
        let (entries, mistakes) =
            found("what,id\n\"a; c, \"\"d\"\";\",A\nB\nC,x,y\ne,D\nE, \n\"f,E\ng,F\n");
        assert_eq!(entries, ["2 A [\"a\", \"c, \\\"d\\\"\"]", "5 D [\"e\"]"]);
        assert_eq!(mistakes.lines().count(), 4, "{mistakes}");
        for words in [
            "a.csv:3: ",
            "a.csv:4: ",
            "a.csv:6: ",
            "says nothing",
            "a.csv:7: ",
        ] {
            assert!(mistakes.contains(words), "{words}: {mistakes}");
        }
        assert!(found("id,why\nA,b\n").1.contains("missing field `what`"));
        assert!(found("id,what\nA,\"b\n").1.contains("a quote is missing"));
    }
}
