//! Tokens: the pieces of text that the model knows, by number.

use crate::Result;

/// The tokens, and the length of the longest one.
#[derive(Debug)]
pub(crate) struct Tokens {
    tokens: Vec<String>,
    longest: usize,
}

impl Tokens {
    /// Divides `text` into tokens of these lengths.
    pub(crate) fn new(text: &str, lengths: &[u8]) -> Result<Tokens> {
        let mut rest = text;
        let mut tokens = Vec::with_capacity(lengths.len());
        for length in lengths {
            match rest.split_at_checked(usize::from(*length)) {
                Some((token, others)) if !token.is_empty() => {
                    tokens.push(token.to_owned());
                    rest = others;
                }
                _ => bail!(
                    "the list of tokens is damaged at the end of {:?}",
                    tokens.last()
                ),
            }
        }
        let longest = tokens.iter().map(String::len).max().unwrap_or_default();
        Ok(Tokens { tokens, longest })
    }

    /// The text of a token.
    pub(crate) fn text(&self, number: usize) -> &str {
        self.tokens.get(number).map_or("", String::as_str)
    }

    /// The numbers of the tokens of a text: from its beginning, always the longest token that fits.
    pub(crate) fn encode(&self, text: &str) -> Result<Vec<usize>> {
        let mut numbers = Vec::new();
        let mut rest = text;
        while let Some(character) = rest.chars().next() {
            let lengths = (1..=self.longest.min(rest.len())).rev();
            let mut fitting = lengths.filter_map(|length| {
                let (piece, others) = rest.split_at_checked(length)?;
                let number = self.tokens.iter().position(|token| token == piece)?;
                Some((number, others))
            });
            let Some((number, others)) = fitting.next() else {
                bail!(
                    "the model has no token for {character:?}: it knows the letters and marks of English only"
                );
            };
            numbers.push(number);
            rest = others;
        }
        Ok(numbers)
    }
}
