//! The controls of pools.

use super::list::{Control, Judge};
use crate::program::Reach;

pub(super) const POOLS: &[Control] = &[
    Control {
        name: "memory of a pool borrows the pool",
        edits: &[(
            "src/memory/pool.rs",
            "    ) -> Result<Queued<'dev, (D, S), Buf<'p, Pooled<D>, [T], Uninit>>>
",
            "    ) -> Result<Queued<'dev, (D, S), Buf<'dev, Pooled<D>, [T], Uninit>>>
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Pools,
        kind: Some("MallocFrom"),
    },
    Control {
        name: "the default stream allocates from no pool",
        edits: &[(
            "src/memory/pool.rs",
            "        S: PoolStream,
        D: 'p,
",
            "        D: 'p,
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Pools,
        kind: Some("DefaultStream"),
    },
    Control {
        name: "a pool gets memory in the order of its stream alone",
        edits: &[(
            "src/park/pools.rs",
            "home.filter(|home| home.is(device, stream))",
            "home",
        )],
        found_by: Judge::Checker,
        needs: Reach::Pools,
        kind: Some("Handoff"),
    },
    Control {
        name: "a stream that ends frees no memory of a pool any more",
        edits: &[(
            "src/stream/end.rs",
            "        pools::stream_leaves(core.parking().key(), name);
",
            "",
        )],
        found_by: Judge::Checker,
        needs: Reach::Pools,
        kind: Some("MallocFrom"),
    },
    Control {
        name: "a pool is destroyed behind a wait",
        edits: &[(
            "src/memory/pool.rs",
            "        current.into_inner().core().wait_and_release()?;
",
            "        let _ = current;
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Pools,
        kind: Some("DestroyPool"),
    },
    Control {
        name: "a dropped pool is destroyed behind a wait",
        edits: &[(
            "src/memory/pool.rs",
            "park(&[None], parked);",
            "park(&[], parked);",
        )],
        found_by: Judge::Checker,
        needs: Reach::Pools,
        kind: Some("CreatePool"),
    },
];
