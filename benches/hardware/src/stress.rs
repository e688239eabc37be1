//! Random programs of the typed API, whose results are compared byte by byte.

use std::time::Duration;

use ascendcl::event::Order;
use ascendcl::{Current, HostSide, Npu, Result, Stream, StreamName};

enum First {}
impl StreamName for First {}
enum Second {}
impl StreamName for Second {}
enum Third {}
impl StreamName for Third {}

/// The device of the programs.
type D = Npu<0>;

/// Three streams of a thread, and what makes the programs random.
struct Lab<'t, 'dev, 'acl> {
    current: Current<'t, 'dev, D>,
    host: HostSide<'acl>,
    first: Stream<'t, 'dev, D, First>,
    second: Stream<'t, 'dev, D, Second>,
    third: Stream<'t, 'dev, D, Third>,
    random: u64,
    /// The bytes that were compared, and how many of them were wrong.
    compared: usize,
    wrong: usize,
}

/// A program. It gets data, and returns what the hardware has made of them, which must be the same.
type Program = fn(&mut Lab<'_, '_, '_>, &[u8]) -> Result<Vec<u8>>;

const PROGRAMS: [(&str, Program); 8] = [
    ("upload, download", plain),
    ("hand-over to a second and a third stream", handed_over),
    ("two readers of one upload", shared),
    ("lent memory of Rust", lent),
    ("buffers that are dropped while queued", dropped),
    ("a staging buffer that is filled again", staged),
    ("waits with a limit, repeated", limited),
    ("functions of the host between copies", host_functions),
];

/// Runs `rounds` random programs. Returns whether each byte was right.
pub(crate) fn run(current: Current<'_, '_, D>, host: HostSide<'_>, rounds: usize) -> Result<bool> {
    let (first, second, third) = (
        current.create_stream()?,
        current.create_stream()?,
        current.create_stream()?,
    );
    let mut lab = Lab {
        current,
        host,
        first,
        second,
        third,
        random: 0x9e37_79b9_7f4a_7c15,
        compared: 0,
        wrong: 0,
    };
    for _ in 0..rounds {
        // 1 byte to 16 MiB, as many small ones as large ones.
        let size = 1 << lab.below(24);
        let size = size + lab.below(size);
        let start = lab.below(256);
        let data: Vec<u8> = (0..size).map(|place| (place * 31 + start) as u8).collect();
        let place = lab.below(PROGRAMS.len());
        let (name, program) = PROGRAMS[place];
        let made = program(&mut lab, &data)?;
        let wrong = made
            .iter()
            .zip(&data)
            .filter(|(made, data)| made != data)
            .count()
            + made.len().abs_diff(data.len());
        if wrong > 0 {
            println!("{name}: {wrong} of {size} bytes are wrong");
        }
        lab.compared += size;
        lab.wrong += wrong;
    }
    println!(
        "{rounds} random programs: {} bytes compared, {} wrong",
        lab.compared, lab.wrong
    );
    Ok(lab.wrong == 0)
}

impl Lab<'_, '_, '_> {
    /// A random number below `most`.
    fn below(&mut self, most: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random % most as u64) as usize
    }
}

fn plain(lab: &mut Lab<'_, '_, '_>, data: &[u8]) -> Result<Vec<u8>> {
    let (stream, host) = (&mut lab.first, lab.host);
    let from = stream.malloc_host_from(host, data)?;
    let there = stream.memcpy_async(stream.malloc(data.len())?, &from)?;
    let back = stream.memcpy_async(stream.malloc_host(host, data.len())?, &there)?;
    Ok(stream.synchronize()?.take(back).to_vec())
}

fn handed_over(lab: &mut Lab<'_, '_, '_>, data: &[u8]) -> Result<Vec<u8>> {
    let (host, len) = (lab.host, data.len());
    let mut event = lab.current.create_event::<Order>()?;
    let from = lab.first.malloc_host_from(host, data)?;
    let there = lab.first.memcpy_async(lab.first.malloc(len)?, &from)?;
    let there = lab.first.handoff(&mut lab.second, &mut event, there)?;
    let copy = lab.second.memcpy_async(lab.second.malloc(len)?, &there)?;
    let fence = lab.second.fence(event, copy)?;
    let (copy, _event) = lab.third.wait_fence(fence)?;
    let back = lab
        .third
        .memcpy_async(lab.third.malloc_host(host, len)?, &copy)?;
    lab.first.synchronize()?;
    lab.second.synchronize()?;
    Ok(lab.third.synchronize()?.take(back).to_vec())
}

fn shared(lab: &mut Lab<'_, '_, '_>, data: &[u8]) -> Result<Vec<u8>> {
    let (host, len) = (lab.host, data.len());
    let from = lab.first.malloc_host_from(host, data)?;
    let there = lab
        .first
        .memcpy_async(lab.first.malloc(len)?, &from)?
        .share();
    let fence = lab
        .first
        .fence(lab.current.create_event::<Order>()?, there)?;
    let (one, two) = (
        lab.second.wait_shared(&fence)?,
        lab.third.wait_shared(&fence)?,
    );
    let mut one = lab
        .second
        .memcpy_async(lab.second.malloc_host(host, len)?, &one)?;
    let two = lab
        .third
        .memcpy_async(lab.third.malloc_host(host, len)?, &two)?;
    let two = lab.third.synchronize()?.take(two);
    let one = lab.second.synchronize()?.get_mut(&mut one).to_vec();
    Ok(if one[..] == two[..] { one } else { Vec::new() })
}

fn lent(lab: &mut Lab<'_, '_, '_>, data: &[u8]) -> Result<Vec<u8>> {
    let mut made = vec![0; data.len()];
    let stream = &mut lab.first;
    lab.current.scope(|scope| -> Result<()> {
        let from = stream.adopt(scope.lend(data));
        let mut to = stream.adopt(scope.lend(&mut made[..]));
        let there = stream.memcpy_async(stream.malloc(data.len())?, &from)?;
        stream.memcpy_async(&mut to, &there)
    })??;
    Ok(made)
}

fn dropped(lab: &mut Lab<'_, '_, '_>, data: &[u8]) -> Result<Vec<u8>> {
    let (stream, host, len) = (&mut lab.first, lab.host, data.len());
    let from = stream.malloc_host_from(host, data)?;
    let there = stream.memcpy_async(stream.malloc(len)?, &from)?;
    let back = stream.memcpy_async(stream.malloc_host(host, len)?, &there)?;
    drop((from, there));
    // Other owners ask for memory of the same sizes, and write it on another stream.
    let others = lab
        .second
        .memset_async(lab.second.malloc::<u8>(len)?, 0xee)?;
    let mut noise = lab.second.malloc_host_from(host, &vec![0xdd; len])?;
    lab.second.memcpy_async(&mut noise, &others)?;
    lab.second.synchronize()?;
    Ok(stream.synchronize()?.take(back).to_vec())
}

fn staged(lab: &mut Lab<'_, '_, '_>, data: &[u8]) -> Result<Vec<u8>> {
    let (stream, host, mut made) = (&mut lab.second, lab.host, Vec::new());
    let piece = data.len().div_ceil(4);
    let mut staging = stream.malloc_host_from(host, &vec![0; piece])?;
    for part in data.chunks(piece) {
        stream.synchronize()?.get_mut(&mut staging)[..part.len()].copy_from_slice(part);
        let there = stream.memcpy_async(stream.malloc(piece)?, &staging)?;
        let back = stream.memcpy_async(stream.malloc_host(host, piece)?, &there)?;
        made.extend_from_slice(&stream.synchronize()?.take(back)[..part.len()]);
    }
    Ok(made)
}

fn limited(lab: &mut Lab<'_, '_, '_>, data: &[u8]) -> Result<Vec<u8>> {
    let (stream, host, len) = (&mut lab.third, lab.host, data.len());
    let from = stream.malloc_host_from(host, data)?;
    let mut there = stream.memcpy_async(stream.malloc(len)?, &from)?;
    for _ in 0..20 {
        stream.memcpy_async(&mut there, &from)?;
    }
    let back = stream.memcpy_async(stream.malloc_host(host, len)?, &there)?;
    let mut limit = Duration::from_millis(1);
    loop {
        match stream.synchronize_within(limit) {
            Ok(idle) => return Ok(idle.take(back).to_vec()),
            Err(error) if error.code() == Some(ascendcl::sys::ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) => {
                limit *= 2
            }
            Err(error) => return Err(error),
        }
    }
}

fn host_functions(lab: &mut Lab<'_, '_, '_>, data: &[u8]) -> Result<Vec<u8>> {
    let (stream, host, len) = (&mut lab.first, lab.host, data.len());
    let turned: Vec<u8> = data.iter().map(|byte| !byte).collect();
    let mut staging = stream.malloc_host_from(host, &turned)?;
    stream.launch_host_func_on(&mut staging, |bytes| {
        bytes.iter_mut().for_each(|byte| *byte = !*byte)
    })?;
    let there = stream.memcpy_async(stream.malloc(len)?, &staging)?;
    let back = stream.memcpy_async(stream.malloc_host(host, len)?, &there)?;
    Ok(stream.synchronize()?.take(back).to_vec())
}
