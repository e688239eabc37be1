//! The judge of these loops, tried on loops that grow.

use ascendcl::stream::Main;

use crate::flat::{Given, ROUNDS, drop_queued, judge, loops, rounds};

loops! {
    fn what_is_parked_without_a_wait_is_caught(Given { current, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let grown = judge(ROUNDS, &|| 0, &mut || drop_queued(&mut stream).unwrap());
        assert!(grown.unwrap_err().starts_with("parked bytes grow"));
    }

    fn an_entry_of_a_table_in_one_of_fifty_rounds_is_caught(Given { .. }) {
        let (mut table, mut nth) = (Vec::new(), 0_usize);
        let grown = judge(ROUNDS, &|| 0, &mut || {
            nth += 1;
            if nth.is_multiple_of(50) {
                table.push(nth);
            }
        });
        assert!(grown.unwrap_err().starts_with("bytes of the heap grow"));
    }

    fn a_forgotten_stream_is_caught(Given { current, .. }) {
        let mut nth = 0_usize;
        let grown = judge(ROUNDS, &|| 0, &mut || {
            let stream = current.create_parked_stream().unwrap();
            nth += 1;
            if nth.is_multiple_of(20) {
                std::mem::forget(stream);
            }
        });
        assert!(grown.unwrap_err().starts_with("streams grow"));
    }

    /// A table that is full by and by passes.
    fn a_table_that_is_full_is_flat(Given { current, .. }) {
        let mut table = std::collections::VecDeque::new();
        rounds(current, || {
            table.push_back(0_u64);
            if table.len() > 500 {
                table.pop_front();
            }
        });
    }
}
