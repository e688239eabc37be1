//! Lesson 4: the machine takes memory by value, and returns it after a wait.

mod api {
    /// Memory of the machine: the number of a cell.
    pub struct Memory {
        cell: usize,
    }

    /// A machine with cells, and with jobs that run at the next wait.
    pub struct Machine {
        cells: Vec<u8>,
        jobs: Vec<(usize, u8)>,
    }

    impl Machine {
        pub fn new() -> Machine {
            Machine {
                cells: Vec::new(),
                jobs: Vec::new(),
            }
        }

        pub fn malloc(&mut self) -> Memory {
            self.cells.push(0);
            Memory {
                cell: self.cells.len() - 1,
            }
        }

        pub fn read(&self, memory: &Memory) -> Option<u8> {
            self.cells.get(memory.cell).copied()
        }

        /// Queues a job that writes the memory.
        // Your task: take the memory by value, and return a `Queued`.
        pub fn fill(&mut self, memory: &Memory, byte: u8) {
            self.jobs.push((memory.cell, byte));
        }

        // Your task: `wait` runs the jobs, takes a `Queued` and returns its memory.
        fn run_jobs(&mut self) {
            for (cell, byte) in self.jobs.drain(..) {
                if let Some(cell) = self.cells.get_mut(cell) {
                    *cell = byte;
                }
            }
        }
    }
}

use api::Machine;

fn main() {
    let mut machine = Machine::new();
    let memory = machine.malloc();
    let queued = machine.fill(memory, 7);
    let memory = machine.wait(queued);
    println!("{:?}", machine.read(&memory));
}
