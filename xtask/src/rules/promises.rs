//! The promises: refusals of this API that no rule of AscendCL requires.

use super::list::{self, Mistake, names};

/// The path of the list, from the root.
pub(crate) const FILE: &str = "ui-tests/promises.csv";

/// The first line of the file.
const HEADER: &str = "id,area,promise,otherwise,cases";

/// A promise of this API, and the cases that keep it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Promise {
    /// The line in the file, counted from 1.
    pub(super) line: usize,
    pub(crate) id: String,
    pub(super) area: String,
    /// The promise, in one sentence.
    pub(crate) promise: String,
    /// The damage without the promise.
    pub(crate) otherwise: String,
    pub(crate) cases: Vec<String>,
}

impl Promise {
    pub(super) fn mistake(&self, what: &str) -> Mistake {
        Mistake::new(FILE, self.line, format!("{}: {what}", self.id))
    }
}

/// The promises that can be read, and the mistakes of the other lines.
pub(crate) fn parse(text: &str) -> (Vec<Promise>, Vec<Mistake>) {
    let entry = |line, [id, area, promise, otherwise, cases]: [String; 5]| {
        Ok(Promise {
            line,
            id,
            area,
            promise,
            otherwise,
            cases: names(&cases),
        })
    };
    list::read((FILE, HEADER), text, entry)
}

#[cfg(test)]
pub(super) fn sample(lines: &str) -> Vec<Promise> {
    let (promises, mistakes) = parse(&format!("{HEADER}\n{lines}"));
    assert_eq!(mistakes, [], "{lines}");
    promises
}

#[cfg(test)]
mod tests {
    use super::{Promise, parse, sample};

    #[test]
    fn a_promise_is_read() {
        let promises = sample("P-clone,All,Nothing is cloned,\"freed, twice\",device/a;device/b\n");
        let expected = Promise {
            line: 2,
            id: "P-clone".into(),
            area: "All".into(),
            promise: "Nothing is cloned".into(),
            otherwise: "freed, twice".into(),
            cases: vec!["device/a".into(), "device/b".into()],
        };
        assert_eq!(promises, [expected]);
    }

    #[test]
    fn mistakes_name_this_list() {
        let (_, mistakes) = parse("id,rule\n");
        let lines: Vec<_> = mistakes.iter().map(ToString::to_string).collect();
        let expected = "ui-tests/promises.csv:1: is not `id,area,promise,otherwise,cases`";
        assert_eq!(lines, [expected]);
    }
}
