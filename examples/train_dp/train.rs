//! The work of a rank: the gradient of its examples, the sum of all gradients, and a step of AdamW.

use ascendcl::collective::Sum;
use ascendcl::{Current, DeviceTag, HostSide};

use crate::Result;
use crate::data::{ROWS, Random, share};
use crate::network::{Machine, Network, PARAMETERS, WEIGHT};
use crate::ranks::{Rank, Work};

/// How to train.
#[derive(Debug)]
pub(crate) struct Train {
    pub(crate) steps: u32,
    pub(crate) rate: f32,
}

impl Work for Train {
    fn run<D: DeviceTag>(
        &self,
        current: Current<'_, '_, D>,
        host: HostSide<'_>,
        rank: &Rank,
    ) -> Result<()> {
        if rank.size > ROWS {
            return Err(format!(
                "there are {ROWS} examples for {} ranks, and each rank has one at least: start at most {ROWS} ranks",
                rank.size
            )
            .into());
        }
        let comm = rank.join(current)?;
        let mut machine = Machine::new(current, host)?;
        let comm = machine.stream.adopt(comm);

        // Only rank 0 chooses weights. Whoever gets none keeps zeros, and learns nothing.
        let mut random = Random(1);
        let first = |_| WEIGHT * random.next();
        let weights: Vec<f32> = match rank.number {
            0 => (0..PARAMETERS).map(first).collect(),
            _ => vec![0.0; PARAMETERS],
        };
        let mut network = Network::new(&mut machine, &weights, &share(rank.number, rank.size))?;
        let root = comm.rank(0)?;
        machine
            .stream
            .with(&comm)
            .broadcast(root, &mut network.weights)?;

        for _ in 0..self.steps {
            network.differentiate(&mut machine)?;
            machine
                .stream
                .with(&comm)
                .all_reduce_in_place(Sum, &mut network.gradient)?;
            network.learn(&mut machine, self.rate)?;
            rank.say(&format!("{:?}", network.loss(&mut machine)?))?;
        }
        machine.stream.synchronize()?.take(comm).destroy()?;
        drop(network);
        machine.end()
    }
}
