//! Vector clocks: for each stream, the number of tasks that are known to be over.

/// The number of a stream in the checker.
pub(super) type StreamId = usize;

/// For each stream, the number of the last task that comes before a point in the order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Clock {
    last: Vec<u64>,
    /// Whether further tasks, which are not known, may come before.
    excused: bool,
}

impl Clock {
    /// Returns the last task of a stream that comes before; 0 means none.
    pub(super) fn of(&self, stream: StreamId) -> u64 {
        self.last.get(stream).copied().unwrap_or(0)
    }

    /// Returns whether a task comes before, or may come before.
    pub(super) fn covers(&self, stream: StreamId, number: u64) -> bool {
        self.excused || self.of(stream) >= number
    }

    /// Returns whether all tasks of the other clock come before.
    pub(super) fn covers_all(&self, other: &Clock) -> bool {
        let mut last = other.last.iter().enumerate();
        last.all(|(stream, number)| self.covers(stream, *number))
    }

    /// Marks that any task may come before.
    pub(super) fn excuse(&mut self) {
        self.excused = true;
    }

    /// Marks that the tasks that come before are known again.
    pub(super) fn accept(&mut self) {
        self.excused = false;
    }

    /// Returns whether further tasks may come before.
    pub(super) fn is_excused(&self) -> bool {
        self.excused
    }

    /// Adds a task, and the earlier tasks of its stream, to those that come before.
    pub(super) fn raise(&mut self, stream: StreamId, number: u64) {
        if self.last.len() <= stream {
            self.last.resize(stream + 1, 0);
        }
        if let Some(known) = self.last.get_mut(stream) {
            *known = number.max(*known);
        }
    }

    /// Removes the tasks of a stream after this one from those that come before.
    pub(super) fn lower(&mut self, stream: StreamId, number: u64) {
        if let Some(known) = self.last.get_mut(stream) {
            *known = number.min(*known);
        }
    }

    /// Adds all tasks of the other clock.
    pub(super) fn join(&mut self, other: &Clock) {
        for (stream, number) in other.last.iter().enumerate() {
            self.raise(stream, *number);
        }
        self.excused |= other.excused;
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn joining_keeps_the_later_of_both() {
        let (mut one, mut other) = (Clock::default(), Clock::default());
        one.raise(0, 5);
        other.raise(0, 3);
        other.raise(2, 7);
        one.join(&other);
        assert_eq!((one.of(0), one.of(1), one.of(2), one.of(9)), (5, 0, 7, 0));
        assert!(one.covers(2, 7) && !one.covers(2, 8));
    }
}
