//! The controls of memory that grows.

use super::list::{Control, Judge};
use crate::program::Reach;

pub(super) const RESERVED: &[Control] = &[
    Control {
        name: "the next elements are not read before they are written",
        edits: &[(
            "src/memory/reserved/operand.rs",
            "impl<D, T, Q> Sealed for Tail<'_, D, T, Q> {}
",
            "impl<D, T, Q> Sealed for Tail<'_, D, T, Q> {}
impl<D, T, C: AnyDevice, S: AnyStream> Source<(C, S)> for Tail<'_, D, T, (C, S)> {
    type Place = Reserved<D>;
    type Elements = [T];
    const WAITS: bool = false;

    fn source(&self) -> NonNull<[T]> {
        self.part.raw()
    }
}
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Reserved,
        kind: Some("ReadTail"),
    },
    Control {
        name: "only an idle buffer is unmapped",
        edits: &[
            (
                "src/memory/reserved.rs",
                "    /// Maps memory for more elements, as [`ReservedBuf::map_mem`] does, while queued work uses those that there are.
",
                "    /// Unmaps memory.
    pub fn unmap_mem(&mut self) -> Result<()> {
        self.resource_mut().unmap_mem()
    }

    /// Maps memory for more elements, as [`ReservedBuf::map_mem`] does, while queued work uses those that there are.
",
            ),
            (
                "src/remedy/methods.rs",
                "    pub fn unmap_mem(&mut self)",
                "    pub fn unmap_mem_of_idle(&mut self)",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Reserved,
        kind: Some("UnmapMem"),
    },
    Control {
        name: "a part of memory that grows is within its elements",
        edits: &[(
            "src/memory/reserved.rs",
            "        if start > end || end > len {
",
            "        if start > end || end > len.max(1 << 20) {
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Reserved,
        kind: Some("ReadGrownOn"),
    },
    Control {
        name: "a buffer that grows unmaps no memory that has an element",
        edits: &[(
            "src/memory/reserved.rs",
            "self.range.needed(self.len, size_of::<T>())",
            "self.range.needed(0, size_of::<T>())",
        )],
        found_by: Judge::Checker,
        needs: Reach::Reserved,
        kind: Some("UnmapMem"),
    },
    Control {
        name: "a buffer that grows is parked while work uses it",
        edits: &[(
            "src/memory/reserved.rs",
            "        parking.park(users, parked);
",
            "        let _ = (parking, users);
        // SAFETY: none, this is a control.
        let _ = unsafe { (parked.free)(parked.pointer) };
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Reserved,
        kind: Some("ReserveMem"),
    },
];
