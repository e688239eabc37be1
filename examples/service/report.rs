//! What the service has done, as a table.

use std::fmt;
use std::time::Duration;

use crate::client::Answers;

pub(crate) struct Report {
    pub(crate) backend: String,
    pub(crate) answers: Vec<Answers>,
    /// How often a device was opened again.
    pub(crate) resets: u32,
    /// The bytes in use on the devices, before and after, if they answer.
    pub(crate) memory: Option<(usize, usize)>,
}

impl Report {
    /// Whether each request was answered, the devices answer, and nothing has grown.
    pub(crate) fn is_good(&self) -> bool {
        let (wrong, lost) = (self.sum(|one| one.wrong), self.sum(|one| one.lost));
        let has_grown = self.memory.is_none_or(|(start, end)| end > start);
        wrong == 0 && lost == 0 && !has_grown && ascendcl::parked_bytes() == 0
    }

    fn sum(&self, of: impl Fn(&Answers) -> u32) -> u32 {
        self.answers.iter().map(of).sum()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let right = self.sum(|one| one.right);
        let refused = self.sum(|one| one.refused);
        let (wrong, lost) = (self.sum(|one| one.wrong), self.sum(|one| one.lost));
        let longest = self.answers.iter().map(|one| one.longest).max();
        writeln!(f, "backend {}", self.backend)?;
        writeln!(f, "requests      {:>8}", right + refused + wrong + lost)?;
        writeln!(f, "  right       {right:>8}")?;
        writeln!(f, "  refused     {refused:>8}")?;
        writeln!(f, "  wrong       {wrong:>8}")?;
        writeln!(f, "  lost        {lost:>8}")?;
        writeln!(
            f,
            "longest wait  {:>8.0?}",
            longest.unwrap_or(Duration::ZERO)
        )?;
        writeln!(f, "resets        {:>8}", self.resets)?;
        match self.memory {
            Some((start, end)) => {
                writeln!(f, "bytes in use  {start:>8} at the start, {end} at the end")?
            }
            None => writeln!(f, "bytes in use  unknown: a device does not answer")?,
        }
        write!(
            f,
            "bytes parked  {:>8}, {} objects leaked",
            ascendcl::parked_bytes(),
            ascendcl::leaks()
        )
    }
}
