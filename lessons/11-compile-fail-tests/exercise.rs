//! Uses memory that was given to a machine.

mod api {
    pub struct Memory {
        number: u32,
    }

    pub struct Queued {
        memory: Memory,
    }

    pub fn malloc(number: u32) -> Memory {
        Memory { number }
    }

    pub fn submit(memory: Memory) -> Queued {
        Queued { memory }
    }

    pub fn wait(queued: Queued) -> Memory {
        queued.memory
    }

    pub fn read(memory: &Memory) -> u32 {
        memory.number
    }
}

// Your task: make this case a test of the rule "memory that was submitted cannot be read".
fn main() {
    let memory = api::malloc(5);
    let queued = api::submit(memory);
    println!("{}", api::raed(&memory)); //~ mistake
    //~ instead: println!("{}", api::raed(&queued));
}
