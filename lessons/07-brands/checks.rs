//! The checks of lesson 7.

//# error E0107
//> 42

//# accepted: a heap inside the work of another heap
fn check() -> u32 {
    with_heap(|mut outer| {
        let a = outer.put(1);
        with_heap(|mut inner| {
            let b = inner.put(2);
            inner.get(b) + outer.get(a)
        })
    })
}

//# refused none E0521: a slot of another heap
//? A slot was used with the wrong heap. The brand must be invariant, and `with_heap` must take a closure for every `'id`.
fn check() -> u32 {
    with_heap(|mut outer| {
        let a = outer.put(1);
        with_heap(|inner| inner.get(a))
    })
}

//# refused none E0521 E0308 E0582: a slot that leaves its heap
//? A slot was returned from the closure. With `for<'id>` the result cannot contain the brand.
fn check() {
    let _slot = with_heap(|mut heap| heap.put(1));
}

//# cheat 1: a brand that can be shortened
//- type Brand<'id> = PhantomData<fn(&'id ()) -> &'id ()>;
//+ type Brand<'id> = PhantomData<&'id ()>;

//# cheat 1 2: the caller chooses the brand
//- pub fn with_heap<R>(work: impl for<'id> FnOnce(Heap<'id>) -> R) -> R {
//+ pub fn with_heap<'id, R>(work: impl FnOnce(Heap<'id>) -> R) -> R {

//# cheat 1: slots of any heap
//- pub fn get(&self, slot: Slot<'id>) -> u32 {
//+ pub fn get(&self, slot: Slot<'_>) -> u32 {
