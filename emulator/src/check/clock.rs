//! Vector clocks: how many tasks of each stream are known to be over.

/// A stream's number in the checker.
pub(super) type StreamId = usize;

/// For each stream, the number of its last task that comes before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Clock {
    last: Vec<u64>,
    /// Whether more may come before, and nobody knows what.
    excused: bool,
}

impl Clock {
    /// The last task of a stream that comes before; 0 is none.
    pub(super) fn of(&self, stream: StreamId) -> u64 {
        self.last.get(stream).copied().unwrap_or(0)
    }

    /// Whether a task comes before, as far as is known.
    pub(super) fn covers(&self, stream: StreamId, number: u64) -> bool {
        self.excused || self.of(stream) >= number
    }

    /// Whether all of the other's tasks come before.
    pub(super) fn covers_all(&self, other: &Clock) -> bool {
        let mut last = other.last.iter().enumerate();
        last.all(|(stream, number)| self.covers(stream, *number))
    }

    /// From now on, anything may come before.
    pub(super) fn excuse(&mut self) {
        self.excused = true;
    }

    /// From now on, what comes before is known again.
    pub(super) fn accept(&mut self) {
        self.excused = false;
    }

    /// Whether more may come before than is known.
    pub(super) fn is_excused(&self) -> bool {
        self.excused
    }

    /// From now on, this task comes before.
    pub(super) fn raise(&mut self, stream: StreamId, number: u64) {
        if self.last.len() <= stream {
            self.last.resize(stream + 1, 0);
        }
        if let Some(known) = self.last.get_mut(stream) {
            *known = number.max(*known);
        }
    }

    /// No more than this task of a stream comes before.
    pub(super) fn lower(&mut self, stream: StreamId, number: u64) {
        if let Some(known) = self.last.get_mut(stream) {
            *known = number.min(*known);
        }
    }

    /// From now on, all that comes before `other` does.
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
