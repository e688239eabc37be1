//! Ranks, and lists of operations between them, as Rust.

use super::{Printer, RANKS};
use crate::program::{Collective, Lengths, Name, Step};

impl Printer {
    /// Ranks: threads that run at the same time.
    pub(super) fn ranks(&mut self, step: &Step) {
        self.line(RANKS);
        self.depth += 1;
        for (number, rank) in step.body.iter().enumerate() {
            let head = format!("start(threads, {number}, || -> Result<()> {{");
            self.block(&head, rank, "Ok(())", "}),");
        }
        self.depth -= 1;
        self.line("]))?;");
    }

    /// The lines in front of an operation with a list: `list` or `matrix`, and `own` for the rank.
    pub(super) fn list(&mut self, kind: Collective, lengths: Lengths, (comm, from): (Name, Name)) {
        let word = match lengths {
            Lengths::Equal => "equal",
            Lengths::More => "more",
            Lengths::Gap => "gap",
            Lengths::Short => "short",
        };
        self.line(&format!(
            "let (own, ranks) = ({comm}.ranks().own(), {comm}.ranks());"
        ));
        self.line(&format!(
            "let each = {word}(ranks.size() as usize, {from}.len());"
        ));
        match kind {
            Collective::AllToAllVC(_) => {
                self.line("let matrix = ranks.count_matrix(&rows(&each))?;");
            }
            // What a rank sends to another one is what it receives from it.
            Collective::AllToAllV(_) => {
                self.line("let list = ranks.counts(&row(&each, own.number() as usize))?;");
            }
            _ => self.line("let list = ranks.counts(&each)?;"),
        }
    }
}
