//! Values of a few objects of a kind: settings that programs rarely use, stored outside the objects.

use crate::sync::{Mutex, lock};

/// An object: the index of its slot, and the generation of the slot. An object that never ends has generation 0.
pub(crate) type Object = (u32, u32);

/// The values, by slot. A later object in the same slot has no value.
#[derive(Debug)]
pub(crate) struct SideTable<V>(Mutex<Vec<Option<(u32, V)>>>);

impl<V: Copy + Default> SideTable<V> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Returns the value of an object.
    pub(crate) fn get(&self, (index, generation): Object) -> Option<V> {
        let values = lock(&self.0);
        let (of, value) = (*values.get(index as usize)?)?;
        (of == generation).then_some(value)
    }

    /// Changes the value of an object, or the default if it has none.
    pub(crate) fn change(&self, (index, generation): Object, change: impl FnOnce(&mut V)) {
        let mut values = lock(&self.0);
        let index = index as usize;
        if values.len() <= index {
            values.resize(index + 1, None);
        }
        if let Some(place) = values.get_mut(index) {
            let had = place.filter(|(of, _)| *of == generation);
            let mut value = had.map_or_else(V::default, |(_, value)| value);
            change(&mut value);
            *place = Some((generation, value));
        }
    }

    /// Removes the value of an object.
    pub(crate) fn remove(&self, (index, generation): Object) {
        if let Some(place) = lock(&self.0).get_mut(index as usize)
            && place.is_some_and(|(of, _)| of == generation)
        {
            *place = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SideTable;

    #[test]
    fn a_value_belongs_to_one_object() {
        let table = SideTable::<u8>::new();
        assert_eq!(table.get((3, 1)), None);
        table.change((3, 1), |value| *value += 7);
        table.change((3, 1), |value| *value += 1);
        table.change((0, 1), |value| *value = 2);
        assert_eq!(table.get((3, 1)), Some(8));
        assert_eq!(table.get((0, 1)), Some(2));
        assert_eq!((table.get((2, 1)), table.get((4, 1))), (None, None));
    }

    #[test]
    fn a_later_object_of_the_slot_begins_anew() {
        let table = SideTable::<u8>::new();
        table.change((0, 1), |value| *value = 7);
        assert_eq!(table.get((0, 2)), None);
        table.remove((0, 2));
        assert_eq!(table.get((0, 1)), Some(7), "another object's was removed");
        table.change((0, 2), |value| *value += 1);
        assert_eq!((table.get((0, 1)), table.get((0, 2))), (None, Some(1)));
        table.remove((0, 2));
        assert_eq!(table.get((0, 2)), None);
    }
}
