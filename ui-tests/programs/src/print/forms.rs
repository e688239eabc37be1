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

    /// A hand-over: every second one between two streams of one binding is a signal, and every fourth one has a number besides.
    pub(super) fn handoff(&self, of: (Name, Name, Name, Name), to: Name) -> String {
        let (from, second, event, memory) = of;
        let binding = self.bindings.get(&from);
        let is_one = self.bindings.get(&second) == binding;
        let (first, second, event) = (
            self.exclusive(from),
            self.exclusive(second),
            self.exclusive(event),
        );
        let call = match memory.number % 4 {
            0 | 2 => "signal",
            // A stream that stops behind a failure writes no number.
            1 if !self.stops_on_failure => "counted",
            _ => "",
        };
        match binding.filter(|_| is_one && !call.is_empty()) {
            Some(binding) => {
                format!("let mut {to} = {call}({binding}, {first}, {second}, {event}, {memory})?;")
            }
            None => format!("let mut {to} = {from}.handoff({second}, {event}, {memory})?;"),
        }
    }
}
