//! Draws arguments by their kind.

use std::mem::offset_of;

use ascendcl_sys::{
    aclmdlRICondTaskParams, aclrtMallocAttribute, aclrtMallocConfig, aclrtRandomNumTaskInfo,
    aclrtTaskUpdateInfo,
};

use crate::arena::{Arena, PLACE};
use crate::list::{Argument, Function, Shape, void};
use crate::pools::Pools;
use crate::random::Random;

/// What an argument is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// A handle of this kind.
    Handle(&'static str),
    /// A place for a handle, or an array of handles.
    Handles(&'static str),
    /// An address that the emulator looks up.
    Address,
    /// A place for an address, or an array of addresses.
    Addresses,
    /// Host memory that the emulator dereferences.
    Host,
    /// A text.
    Text,
    /// A place for a value of so many bytes, or an array of them.
    Values(usize),
    /// An array of pointers to structures.
    Pointers,
    /// A number, or an enumeration, of so many bytes.
    Number(usize),
    /// A structure of more than eight bytes.
    Structure(usize),
    /// A function of the program.
    Hook(usize),
}

/// Names of `void *` arguments whose address the emulator looks up. Other arguments of this type are dereferenced, or
/// are handed on.
const LOOKED_UP: [&str; 20] = [
    "addr",
    "devAddr",
    "devPtr",
    "dev_ptr",
    "dst",
    "expectPtr",
    "hostPtr",
    "leftValue",
    "outputAddr",
    "pHost",
    "ptr",
    "rightValue",
    "stamp",
    "src",
    "tensorData",
    "virPtr",
    "virPtrDst",
    "virPtrSrc",
    "workspace",
    "data",
];

/// Structures that the program knows by their address only: the emulator looks the address up.
const OPAQUE: [&str; 1] = ["aclrtStreamConfigHandle"];

/// Structures of numbers alone, which may have any content.
const PLAIN: [&str; 13] = [
    "aclrtPhysicalMemProp",
    "aclrtMemLocation",
    "aclrtMemAccessDesc",
    "aclrtMemcpyBatchAttr",
    "aclrtMemPoolProps",
    "aclrtMemManagedLocation",
    "aclrtCntNotifyRecordInfo",
    "aclrtCntNotifyWaitInfo",
    "aclrtIpcEventHandle",
    "dim3",
    "aclrtBarrierTaskInfo",
    "aclrtPlaceHolderInfo",
    "aclrtStreamAttrValue",
];

/// Beginnings of the names of functions that take a size and a pointer, where the size is not that of what the pointer
/// points to.
const SIZES_OF_THEIR_OWN: [&str; 9] = [
    "aclrtMalloc",
    "aclrtReserveMemAddress",
    "aclrtMemAllocManaged",
    "acldvppMalloc",
    "hi_mpi_dvpp_malloc",
    "aclrtMemPoolMalloc",
    "aclrtHostRegister",
    "aclrtAllocBuf",
    "aclrtMemSetAccess",
];

const SMALL: [u64; 12] = [0, 1, 1, 2, 2, 3, 4, 5, 8, 16, 33, 50];
const SIZES: [u64; 14] = [0, 1, 2, 4, 8, 16, 31, 32, 64, 64, 100, 512, 1000, 4096];
const EXTREMES: [u64; 16] = [
    u64::MAX,
    u64::MAX - 1,
    1 << 63,
    (1 << 63) - 1,
    1 << 62,
    u32::MAX as u64,
    1 << 32,
    (1 << 32) - 1,
    1 << 31,
    (1 << 31) - 1,
    1 << 21,
    1 << 40,
    (1 << 21) + 1,
    0xffff,
    1 << 16,
    255,
];

/// The part of a type behind the pointer.
fn pointee(ty: &'static str) -> &'static str {
    let ty = ty
        .strip_prefix("*mut ")
        .or_else(|| ty.strip_prefix("*const "));
    ty.unwrap_or_default()
}

/// Whether a function reads its argument `data`, which is host memory: the header of a picture, or a binary.
fn reads_data(function: &str) -> bool {
    let reads = [
        "GetImageInfo",
        "PredictDecSize",
        "CreateBinary",
        "BinaryLoad",
    ];
    reads.iter().any(|name| function.contains(name))
}

fn last(path: &'static str) -> &'static str {
    path.rsplit("::").next().unwrap_or(path)
}

impl Argument {
    /// What this argument is for. `opaque` has the names of the types without a size.
    pub(crate) fn class(&self, opaque: &[&'static str]) -> Class {
        let inner = pointee(self.ty);
        match self.shape {
            Shape::Hook(address) => Class::Hook(address),
            Shape::Value(size) if size > 8 => Class::Structure(size),
            Shape::Value(size) => Class::Number(size),
            Shape::Pointer(_, name) if name == void() => match inner {
                // An alias of `void *`.
                "" => Class::Handle(last(self.ty)),
                _ if LOOKED_UP.contains(&self.name) => Class::Address,
                _ => Class::Host,
            },
            Shape::Pointer(0, name) => Class::Handle(last(name)),
            Shape::Pointer(_, name) if OPAQUE.contains(&last(name)) => Class::Handle(last(name)),
            Shape::Pointer(1, "i8" | "u8") => Class::Text,
            Shape::Pointer(size, name) => {
                let deeper = pointee(inner);
                if deeper == "c_void" {
                    Class::Addresses
                } else if opaque.contains(&deeper) {
                    Class::Handles(deeper)
                } else if deeper.is_empty() && name.ends_with(void()) {
                    Class::Handles(last(inner))
                } else if inner.starts_with("*const hi_") {
                    Class::Pointers
                } else {
                    Class::Values(size)
                }
            }
        }
    }
}

/// Draws the arguments of one thread.
pub(crate) struct Hand {
    pub(crate) random: Random,
    pub(crate) arena: Arena,
    pub(crate) opaque: Vec<&'static str>,
    /// The kinds that this thread does not take from other threads.
    pub(crate) is_alone: bool,
}

impl Hand {
    /// Draws a word for each argument of a function.
    pub(crate) fn words(&mut self, function: &Function, pools: &Pools) -> Vec<u64> {
        let classes: Vec<_> = function
            .arguments
            .iter()
            .map(|argument| match argument.class(&self.opaque) {
                Class::Address if argument.name == "data" && reads_data(function.name) => {
                    Class::Host
                }
                class => class,
            })
            .collect();
        // A size must not be greater than what a pointer beside it points to.
        let has_array = classes.iter().any(|class| {
            matches!(
                class,
                Class::Host
                    | Class::Text
                    | Class::Values(_)
                    | Class::Pointers
                    | Class::Handles(_)
                    | Class::Addresses
            )
        });
        let is_bounded = has_array
            && !SIZES_OF_THEIR_OWN
                .iter()
                .any(|start| function.name.starts_with(start));
        let arguments = function.arguments.iter().zip(classes);
        arguments
            .map(|(argument, class)| self.word(argument, class, is_bounded, pools))
            .collect()
    }

    fn word(&mut self, argument: &Argument, class: Class, is_bounded: bool, pools: &Pools) -> u64 {
        match class {
            Class::Hook(address) if self.random.chance(90) => address as u64,
            Class::Hook(_) => 0,
            Class::Handle(kind) => self.handle(kind, pools),
            Class::Address => self.address(pools),
            Class::Number(size) => self.number(argument, size, is_bounded, pools),
            Class::Structure(size) => {
                let content = self.structure(argument.ty, size, pools);
                self.place(&content)
            }
            _ if self.random.chance(4) => 0,
            Class::Handles(kind) => {
                let handles: Vec<u64> = (0..64).map(|_| self.handle(kind, pools)).collect();
                self.words_in_place(&handles)
            }
            Class::Addresses => {
                let addresses: Vec<u64> = (0..64).map(|_| self.address(pools)).collect();
                self.words_in_place(&addresses)
            }
            Class::Pointers => {
                let structure = self.place(&[0; 64]);
                self.words_in_place(&[structure; 64])
            }
            Class::Text => {
                let text = self.text(pools);
                self.place(&text)
            }
            Class::Host => {
                let content: Vec<u8> = (0..64).map(|_| self.small() as u8).collect();
                self.place(&content)
            }
            Class::Values(size) => {
                let content: Vec<u8> = (0..64)
                    .flat_map(|_| self.value(pointee(argument.ty), size, pools))
                    .take(PLACE)
                    .collect();
                self.place(&content)
            }
        }
    }

    fn place(&mut self, content: &[u8]) -> u64 {
        self.arena.place(content).expose_provenance() as u64
    }

    fn words_in_place(&mut self, words: &[u64]) -> u64 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        self.place(&bytes)
    }

    fn small(&mut self) -> u64 {
        self.random.pick(&SMALL)
    }

    fn handle(&mut self, kind: &'static str, pools: &Pools) -> u64 {
        let live = pools.live(kind);
        match self.random.below(100) {
            0..80 if !live.is_empty() => {
                // Mostly one of the last ones.
                let recent = if self.random.chance(70) {
                    3
                } else {
                    live.len()
                };
                let back = self.random.below(recent);
                live.get(live.len().saturating_sub(back + 1))
                    .copied()
                    .unwrap_or_default()
            }
            80..88 if !pools.dead().is_empty() => self.random.pick(pools.dead()),
            88..92 => match pools.all().as_slice() {
                [] => 0,
                // Two threads must not use a set of attributes at once, which C leaves to the program.
                all => match self.random.pick(all) {
                    (kind, _) if !self.is_alone && OPAQUE.contains(&kind) => 0,
                    (_, handle) => handle,
                },
            },
            92..94 => self.small(),
            94..95 => self.random.pick(&EXTREMES),
            95..96 => self.random.next(),
            _ => 0,
        }
    }

    fn address(&mut self, pools: &Pools) -> u64 {
        let offset = match self.random.below(10) {
            0..6 => 0,
            6..9 => self.random.pick(&SIZES),
            _ => self.random.pick(&[1_u64 << 21, 4096, 1, u64::MAX, 8]),
        };
        match self.random.below(100) {
            0..75 if !pools.memory.is_empty() => {
                self.random.pick(&pools.memory).wrapping_add(offset)
            }
            75..88 => self.place(&[7; 4096]).wrapping_add(offset % 4097),
            88..91 => self.handle("aclrtStream", pools),
            91..93 => self.small(),
            93..96 => self.random.pick(&EXTREMES),
            _ => 0,
        }
    }

    fn number(&mut self, argument: &Argument, size: usize, is_bounded: bool, pools: &Pools) -> u64 {
        let name = argument.name.to_ascii_lowercase();
        if argument.ty.ends_with("bool") {
            return self.random.next() & 1;
        }
        // A wait without a limit ends only if the work does.
        if name.contains("timeout") || name.starts_with("milli") {
            return self.random.pick(&[1, 1, 1, 2, 3, 10, 0]);
        }
        let counts = [
            "size", "count", "num", "len", "max", "pitch", "width", "height", "bytes",
        ];
        if counts.iter().any(|word| name.contains(word)) {
            return match self.random.below(10) {
                0..2 if !is_bounded => self.random.pick(&EXTREMES),
                0..7 if !is_bounded => self.random.pick(&SIZES),
                _ => self.small(),
            };
        }
        let number = match self.random.below(100) {
            0..60 => self.small(),
            60..70 => self
                .random
                .pick(&[6, 7, 9, 10, 11, 12, 13, 20, 26, 27, 28, 30, 100, 101]),
            70..80 if !pools.numbers.is_empty() => self.random.pick(&pools.numbers),
            80..84 => u64::MAX,
            84..90 => self.random.pick(&EXTREMES),
            _ => 0,
        };
        // Floats and short numbers are the first bytes of the word.
        if size == 0 { 0 } else { number }
    }

    fn text(&mut self, pools: &Pools) -> Vec<u8> {
        let mut text = match self.random.below(10) {
            0..3 if !pools.texts.is_empty() => {
                let which = self.random.below(pools.texts.len());
                pools.texts.get(which).cloned().unwrap_or_default()
            }
            3..7 => {
                let words = [
                    "",
                    "runtime",
                    "name",
                    "Ascend910B1",
                    "opp",
                    "a.json",
                    "%s%n",
                    "\u{e9}",
                    "CANN",
                ];
                self.random.pick(&words).into()
            }
            7..9 => {
                let length = self.random.below(80);
                (0..length)
                    .map(|_| (self.random.next() as u8).max(1))
                    .collect()
            }
            _ => vec![b'x'; 4000],
        };
        // A file of this name is in the folder of the child.
        text.iter_mut()
            .filter(|byte| **byte == b'/')
            .for_each(|byte| *byte = b'_');
        text
    }

    /// The content of one value of an array, or of a structure.
    fn value(&mut self, ty: &'static str, size: usize, pools: &Pools) -> Vec<u8> {
        let ty = last(ty);
        if size <= 8 && !ty.contains('*') {
            let number = match ty {
                "bool" => self.random.next() & 1,
                "f32" => u64::from((self.small() as f32).to_bits()),
                _ if self.random.chance(4) => self.random.pick(&EXTREMES),
                _ => self.small(),
            };
            return number.to_ne_bytes().into_iter().take(size).collect();
        }
        self.structure(ty, size, pools)
    }

    /// The content of a structure. One with pointers has valid ones.
    fn structure(&mut self, ty: &'static str, size: usize, pools: &Pools) -> Vec<u8> {
        let mut bytes = vec![0; size];
        match ty {
            "aclrtMallocConfig" => {
                let mut attributes = [0; 4 * size_of::<aclrtMallocAttribute>()];
                self.plain(&mut attributes);
                put(
                    &mut bytes,
                    offset_of!(aclrtMallocConfig, attrs),
                    self.place(&attributes),
                );
                let count = self.random.below(5) as u64;
                put(&mut bytes, offset_of!(aclrtMallocConfig, numAttrs), count);
            }
            "aclrtRandomNumTaskInfo" => {
                self.plain(&mut bytes);
                put(
                    &mut bytes,
                    offset_of!(aclrtRandomNumTaskInfo, randomParaAddr),
                    self.address(pools),
                );
                put(
                    &mut bytes,
                    offset_of!(aclrtRandomNumTaskInfo, randomResultAddr),
                    self.address(pools),
                );
                put(
                    &mut bytes,
                    offset_of!(aclrtRandomNumTaskInfo, randomCounterAddr),
                    self.address(pools),
                );
            }
            "aclrtTaskUpdateInfo" => {
                let value = offset_of!(aclrtTaskUpdateInfo, val);
                put(
                    &mut bytes,
                    offset_of!(aclrtTaskUpdateInfo, id),
                    self.small() % 4,
                );
                put(&mut bytes, value, self.address(pools));
                put(&mut bytes, value + 8, self.small());
            }
            "aclmdlRICondTaskParams" => {
                let instances: Vec<u64> = (0..64).map(|_| self.handle("aclmdlRI", pools)).collect();
                let array = self.words_in_place(&instances);
                put(
                    &mut bytes,
                    offset_of!(aclmdlRICondTaskParams, modelRIArray),
                    array,
                );
                let handle = self.handle("aclmdlRICondHandle", pools);
                put(
                    &mut bytes,
                    offset_of!(aclmdlRICondTaskParams, handle),
                    handle,
                );
                // The type, and behind it the number of branches.
                let branches = self.random.below(6) as u64;
                let both = self.random.below(4) as u64 | (branches << 32);
                put(&mut bytes, offset_of!(aclmdlRICondTaskParams, type_), both);
            }
            _ if PLAIN.contains(&ty) => self.plain(&mut bytes),
            _ => {}
        }
        bytes
    }

    /// Fills a structure with small numbers and some extreme ones.
    fn plain(&mut self, bytes: &mut [u8]) {
        for word in bytes.chunks_exact_mut(4) {
            let number = if self.random.chance(2) {
                u64::MAX
            } else {
                self.small() % 5
            };
            word.copy_from_slice(&(number as u32).to_ne_bytes());
        }
    }
}

/// Stores a word in a structure.
fn put(bytes: &mut [u8], offset: usize, word: u64) {
    let place = bytes.get_mut(offset..offset + 8).unwrap();
    place.copy_from_slice(&word.to_ne_bytes());
}
