//! The clock of limits.

/// The clock of waits with a limit: `aclrtSynchronizeStreamWithTimeout`, `aclrtSynchronizeEventWithTimeout`,
/// `aclrtSynchronizeDeviceWithTimeout` and `aclmdlRIExecute`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Clock {
    /// The time of the machine.
    #[default]
    Wall,
    /// The limit does not depend on time. It passes when the awaited work cannot go on, and never before that, however
    /// short it is:
    ///
    /// - a task that hangs, or a wait for a record that an abort has dropped, stands in front of the work, or of a task in
    ///   another stream that the work certainly waits for, or such waits form a circle;
    /// - or nothing that is queued in any stream can go on. A wait for a flag, a notify or a number in memory may be ended
    ///   by any stream, so all of them count. To find this out, the wait runs their tasks, also on [`Schedule::Lazy`](crate::Schedule::Lazy).
    ///
    /// A function of the program that a stream runs, an operation that waits for another rank, and a wait of a stream with
    /// a limit of its own go on. So a function that never returns makes such a wait endless. Other threads of the program
    /// do not count: if one of them would queue the awaited record a moment later, the limit has passed already.
    Still,
}
