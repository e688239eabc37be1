//! Declares that two queues are the same, so that the wait for one would return the memory of the other.

use ascendcl::queue::SameQueue;

struct Upload;
struct Download;

impl SameQueue<Download> for Upload {} //~ mistake
//~ instead: fn takes_same<P: SameQueue<Q>, Q>(_: P, _: Q) {}

fn main() {
    let _ = (Upload, Download);
    //~ instead: takes_same(Upload, Upload);
}
