//! Steps that have more than one form, which is the same to the model.

use super::{Flavour, Printer};
use crate::program::Name;

impl Printer {
    /// The binding with which a scope registers memory that it lends: memory of Rust that was not registered before, in a step
    /// of the scope itself, which its thread runs once. To the model, registered memory is lent memory.
    pub(super) fn pinned(&mut self, scope: Name, memory: Name) -> Option<Name> {
        let (binding, depth) = *self.scopes.get(&scope)?;
        let fits = self.depth == depth && matches!(self.flavour(memory), Flavour::Vec);
        (fits && self.registered.insert(memory)).then_some(binding)
    }

    /// A hand-over: every second one between two streams of one binding is a signal.
    pub(super) fn handoff(&self, of: (Name, Name, Name, Name), to: Name) -> String {
        let (from, second, event, memory) = of;
        let binding = self.bindings.get(&from);
        let is_signal = self.bindings.get(&second) == binding && memory.number.is_multiple_of(2);
        let (first, second, event) = (
            self.exclusive(from),
            self.exclusive(second),
            self.exclusive(event),
        );
        match binding.filter(|_| is_signal) {
            Some(binding) => {
                format!("let mut {to} = signal({binding}, {first}, {second}, {event}, {memory})?;")
            }
            None => format!("let mut {to} = {from}.handoff({second}, {event}, {memory})?;"),
        }
    }
}
