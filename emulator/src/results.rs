//! Lists of results, and results of lists.
//!
//! `collect` does the same with adapters that the compiler translates anew for each iterator: five times as much as these
//! loops.

#![expect(
    clippy::while_let_on_iterator,
    reason = "a `for` loop moves the iterator once more, in each of more than a hundred instances"
)]

/// Returns a list of what an iterator gives, for the many short lists. A long one is `collect`ed, which knows its length.
pub(crate) fn list_of<T>(mut items: impl Iterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    while let Some(item) = items.next() {
        list.push(item);
    }
    list
}

/// Returns texts with another one between them. The standard library's function has a loop for each length of that one.
pub(crate) fn joined(texts: &[&str], between: &str) -> String {
    let mut all = String::new();
    for (at, text) in texts.iter().enumerate() {
        if at > 0 {
            all.push_str(between);
        }
        all.push_str(text);
    }
    all
}

/// Returns the values of results, or the first error.
pub(crate) fn every<T, E>(mut results: impl Iterator<Item = Result<T, E>>) -> Result<Vec<T>, E> {
    let mut values = Vec::new();
    while let Some(result) = results.next() {
        values.push(result?);
    }
    Ok(values)
}

/// Returns the values if all are there.
#[cfg(any(feature = "models", feature = "media"))]
pub(crate) fn every_some<T>(mut options: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    let mut values = Vec::new();
    while let Some(option) = options.next() {
        values.push(option?);
    }
    Some(values)
}
