//! The words behind a command.

use crate::error::{Error, usage};

/// The words that are not read yet, and the sentence for those that a command does not take.
pub(crate) struct Options<'a> {
    left: Vec<&'a str>,
    takes: &'a str,
}

impl<'a> Options<'a> {
    pub(crate) fn new(words: &[&'a str], takes: &'a str) -> Self {
        let left = words.to_vec();
        Self { left, takes }
    }

    /// Whether an option is there.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let at = self.left.iter().position(|word| *word == name);
        at.map(|at| self.left.remove(at)).is_some()
    }

    /// The value behind an option.
    pub(crate) fn value(&mut self, name: &str) -> Result<Option<&'a str>, Error> {
        let Some(at) = self.left.iter().position(|word| *word == name) else {
            return Ok(None);
        };
        let value = self
            .left
            .get(at + 1)
            .filter(|value| !value.starts_with('-'));
        let Some(value) = value.copied() else {
            return self.wrong();
        };
        self.left.drain(at..at + 2);
        Ok(Some(value))
    }

    /// The number behind an option.
    pub(crate) fn number(&mut self, name: &str) -> Result<Option<u64>, Error> {
        let number = self.value(name)?.map(str::parse).transpose();
        number.or_else(|_| self.wrong())
    }

    /// The next word that is no option.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        let at = self.left.iter().position(|word| !word.starts_with('-'))?;
        Some(self.left.remove(at))
    }

    /// Fails if a word is left.
    pub(crate) fn end(&self) -> Result<(), Error> {
        if self.left.is_empty() {
            Ok(())
        } else {
            self.wrong()
        }
    }

    pub(crate) fn wrong<T>(&self) -> Result<T, Error> {
        usage(self.takes)
    }
}
