//! The header of a JPEG: size, components, subsampling, coding and orientation.

use crate::results::list_of;

/// The header of a JPEG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Jpeg {
    /// As stored, before the orientation.
    pub(super) width: u32,
    pub(super) height: u32,
    /// The sampling factors of each component.
    pub(super) sampling: Vec<(u8, u8)>,
    /// The marker of the frame; C0 is baseline.
    frame: u8,
    bits: u8,
    /// The transform of the Adobe marker.
    adobe: Option<u8>,
    is_jfif: bool,
    /// Whether the components have the names R, G and B.
    is_named_rgb: bool,
    /// 5 to 8 exchange width and height.
    orientation: u16,
    /// The numbers of Huffman tables of both kinds, and of quantisation tables.
    tables: (usize, usize, usize),
    scans: usize,
    /// The bytes behind the header of the first scan.
    scan_bytes: u64,
    /// Whether the file has the marker of its end.
    has_end: bool,
}

/// The subsampling of a JPEG.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sampling {
    Gray,
    S444,
    S422,
    S420,
    S440,
    Other,
}

impl Sampling {
    /// The number of pixels that share a colour.
    pub(super) fn shared(self) -> (usize, usize) {
        match self {
            Sampling::S422 => (2, 1),
            Sampling::S420 => (2, 2),
            Sampling::S440 => (1, 2),
            Sampling::Gray | Sampling::S444 | Sampling::Other => (1, 1),
        }
    }
}

/// Reads big-endian or little-endian numbers of a file.
struct Words<'a> {
    bytes: &'a [u8],
    is_little: bool,
}

impl Words<'_> {
    fn short(&self, at: usize) -> Option<u16> {
        let &[a, b] = self.bytes.get(at..at.checked_add(2)?)? else {
            return None;
        };
        Some(if self.is_little {
            u16::from_le_bytes([a, b])
        } else {
            u16::from_be_bytes([a, b])
        })
    }

    fn long(&self, at: usize) -> Option<u32> {
        let (first, second) = (self.short(at)?, self.short(at.checked_add(2)?)?);
        let (high, low) = if self.is_little {
            (second, first)
        } else {
            (first, second)
        };
        Some(u32::from(high) << 16 | u32::from(low))
    }
}

/// Reads the header of a JPEG. The error says what is wrong.
pub(super) fn read(file: &[u8]) -> Result<Jpeg, String> {
    let words = Words {
        bytes: file,
        is_little: false,
    };
    if words.short(0) != Some(0xffd8) {
        return Err("it does not begin with the marker of a JPEG".to_owned());
    }
    let mut found: Option<Jpeg> = None;
    let (mut adobe, mut is_jfif, mut orientation) = (None, false, 1);
    let (mut dc, mut ac, mut quantisers) = ([false; 16], [false; 16], [false; 16]);
    let (mut scans, mut has_end, mut scan_bytes) = (0, false, 0);
    let mut at = 2;
    loop {
        let ended = || "the file ends before its picture".to_owned();
        // Fill bytes may stand in front of a marker, and the data of a scan behind its header.
        let Some(marker) = next_marker(file, &mut at) else {
            if scans > 0 {
                break;
            }
            return Err(ended());
        };
        if marker == 0xd9 {
            has_end = true;
            break;
        }
        if matches!(marker, 0x01 | 0xd0..=0xd8) {
            continue;
        }
        let length = usize::from(words.short(at).ok_or_else(ended)?);
        let body = file.get(at + 2..at + length.max(2)).ok_or_else(ended)?;
        match marker {
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf if found.is_none() => {
                found = Some(frame(marker, body)?);
            }
            0xc4 => tables(body, &mut dc, &mut ac),
            0xdb => quantiser_tables(body, &mut quantisers),
            0xda => {
                if scans == 0 {
                    scan_bytes = file.len().saturating_sub(at + length) as u64;
                }
                scans += 1;
            }
            0xe0 if body.starts_with(b"JFIF\0") => is_jfif = true,
            0xe1 if body.starts_with(b"Exif\0\0") => {
                let tiff = body.get(6..).unwrap_or_default();
                orientation = orientation_of(tiff).unwrap_or(1);
            }
            0xee if body.starts_with(b"Adobe") => adobe = body.get(11).copied(),
            _ => {}
        }
        at += length.max(2);
    }
    let count = |flags: [bool; 16]| flags.iter().filter(|flag| **flag).count();
    let mut jpeg = found.ok_or("it has no frame")?;
    jpeg.adobe = adobe;
    jpeg.is_jfif = is_jfif;
    jpeg.orientation = orientation;
    jpeg.tables = (count(dc), count(ac), count(quantisers));
    jpeg.scans = scans;
    jpeg.scan_bytes = scan_bytes;
    jpeg.has_end = has_end;
    if scans == 0 {
        return Err("it has no scan".to_owned());
    }
    Ok(jpeg)
}

/// Moves behind the next marker and returns it.
fn next_marker(file: &[u8], at: &mut usize) -> Option<u8> {
    loop {
        let rest = file.get(*at..)?;
        let skipped = rest.iter().position(|byte| *byte == 0xff)?;
        let marker = *file.get(*at + skipped + 1)?;
        match marker {
            // A fill byte: the next one may begin a marker.
            0xff => *at += skipped + 1,
            // A data byte of a scan.
            0x00 => *at += skipped + 2,
            marker => {
                *at += skipped + 2;
                return Some(marker);
            }
        }
    }
}

fn frame(marker: u8, body: &[u8]) -> Result<Jpeg, String> {
    let short = |at: usize| {
        let words = Words {
            bytes: body,
            is_little: false,
        };
        words
            .short(at)
            .ok_or("the header of the frame is too short")
    };
    let (height, width) = (u32::from(short(1)?), u32::from(short(3)?));
    let bits = *body.first().ok_or("the header of the frame is empty")?;
    let count = usize::from(*body.get(5).ok_or("the frame has no components")?);
    let components: Vec<&[u8]> = list_of(body.get(6..).unwrap_or_default().chunks_exact(3));
    if components.len() < count || count == 0 {
        return Err("components of the frame are missing".to_owned());
    }
    let component = |entry: &&[u8]| {
        let factors = entry.get(1).copied().unwrap_or_default();
        (factors >> 4, factors & 15)
    };
    let sampling = list_of(components.iter().take(count).map(component));
    if sampling
        .iter()
        .any(|(across, down)| !(1..=4).contains(across) || !(1..=4).contains(down))
    {
        return Err("a sampling factor is out of range".to_owned());
    }
    let names = components
        .iter()
        .take(count)
        .filter_map(|entry| entry.first());
    Ok(Jpeg {
        width,
        height,
        sampling,
        frame: marker,
        bits,
        adobe: None,
        is_jfif: false,
        is_named_rgb: names.copied().eq(*b"RGB"),
        orientation: 1,
        tables: (0, 0, 0),
        scans: 0,
        scan_bytes: 0,
        has_end: false,
    })
}

/// Notes the Huffman tables of a segment.
fn tables(mut body: &[u8], dc: &mut [bool; 16], ac: &mut [bool; 16]) {
    while let Some((head, rest)) = body.split_first() {
        let kind = if head >> 4 == 0 { &mut *dc } else { &mut *ac };
        if let Some(flag) = kind.get_mut(usize::from(head & 15)) {
            *flag = true;
        }
        let codes: usize = rest.iter().take(16).map(|count| usize::from(*count)).sum();
        body = rest.get(16 + codes..).unwrap_or_default();
    }
}

/// Notes the quantisation tables of a segment.
fn quantiser_tables(mut body: &[u8], found: &mut [bool; 16]) {
    while let Some((head, rest)) = body.split_first() {
        if let Some(flag) = found.get_mut(usize::from(head & 15)) {
            *flag = true;
        }
        let bytes = if head >> 4 == 0 { 64 } else { 128 };
        body = rest.get(bytes..).unwrap_or_default();
    }
}

/// Reads the orientation of EXIF data: a number of the type SHORT in the first directory.
fn orientation_of(tiff: &[u8]) -> Option<u16> {
    let is_little = match tiff.get(..2)? {
        b"II" => true,
        b"MM" => false,
        _ => return None,
    };
    let words = Words {
        bytes: tiff,
        is_little,
    };
    if words.short(2)? != 42 {
        return None;
    }
    let directory = words.long(4)? as usize;
    for entry in 0..usize::from(words.short(directory)?) {
        let at = directory.checked_add(2 + entry * 12)?;
        if words.short(at)? == 0x0112 {
            let is_short = words.short(at + 2)? == 3 && words.long(at + 4)? == 1;
            return words
                .short(at + 8)
                .filter(|value| is_short && (1..=8).contains(value));
        }
    }
    None
}

impl Jpeg {
    /// The size after the orientation.
    pub(super) fn turned(&self) -> (u32, u32) {
        if self.is_turned() {
            (self.height, self.width)
        } else {
            (self.width, self.height)
        }
    }

    /// Whether the orientation exchanges width and height.
    pub(super) fn is_turned(&self) -> bool {
        self.orientation >= 5
    }

    pub(super) fn orientation(&self) -> u16 {
        self.orientation
    }

    /// Whether the components are Y, U and V, or Y alone.
    fn is_yuv(&self) -> bool {
        match self.sampling.len() {
            1 => true,
            3 => match self.adobe {
                _ if self.is_jfif => true,
                Some(transform) => transform == 1,
                None => !self.is_named_rgb,
            },
            _ => false,
        }
    }

    /// The subsampling that the query functions report.
    pub(super) fn reported(&self) -> Sampling {
        if !self.is_yuv() {
            return Sampling::Other;
        }
        match self.sampling.as_slice() {
            [(across, down)] if across == down => Sampling::Gray,
            [(y_across, y_down), u, v] if u == v => {
                let (across, down) = *u;
                match (*y_across, *y_down) {
                    (a, d) if a == 2 * across && d == 2 * down => Sampling::S420,
                    (a, d) if a == 2 * across && d == down => Sampling::S422,
                    (a, d) if a == across && d == down => Sampling::S444,
                    (a, d) if a == across && d == 2 * down => Sampling::S440,
                    _ => Sampling::Other,
                }
            }
            _ => Sampling::Other,
        }
    }

    /// Whether prediction treats it as a picture of brightness alone.
    pub(super) fn is_gray(&self) -> bool {
        self.sampling.len() == 1
    }

    /// Whether it has eight bits for each sample.
    pub(super) fn has_eight_bits(&self) -> bool {
        self.bits == 8
    }

    /// Whether the file is whole.
    pub(super) fn has_end(&self) -> bool {
        self.has_end
    }

    /// Returns what is missing if the scan is too short for its picture: a block of 8 x 8 values has two codes at least,
    /// each of one bit. So a short file of a huge picture is refused before the work for its pixels.
    pub(super) fn missing(&self) -> Option<String> {
        let most = |factor: fn(&(u8, u8)) -> u8| {
            let most = self.sampling.iter().map(factor).max();
            u64::from(most.unwrap_or(1))
        };
        let (across, down, blocks) = match self.sampling.as_slice() {
            [_] => (1, 1, 1),
            all => {
                let blocks = all.iter().map(|(a, d)| u64::from(*a) * u64::from(*d));
                (most(|(a, _)| *a), most(|(_, d)| *d), blocks.sum())
            }
        };
        let units = |side: u32, factor: u64| u64::from(side).div_ceil(8 * factor);
        let bits = 2 * units(self.width, across) * units(self.height, down) * blocks;
        let needed = bits.div_ceil(8);
        (self.scan_bytes < needed).then(|| {
            format!(
                "its scan has {} bytes, and {}x{} pixels need {needed} at least",
                self.scan_bytes, self.width, self.height
            )
        })
    }

    /// Returns what the decoder does not decode, if there is something.
    pub(super) fn unsupported(&self) -> Option<String> {
        let (dc, ac, quantisers) = self.tables;
        Some(match self.frame {
            0xc0 | 0xc1 => match self.reported() {
                _ if self.bits != 8 => format!("it has {} bits for each sample", self.bits),
                Sampling::Other => "its colours or its subsampling are not supported".to_owned(),
                _ if dc > 2 || ac > 2 => "it has more than two Huffman tables of a kind".to_owned(),
                _ if quantisers > 3 => "it has more than three quantisation tables".to_owned(),
                _ if self.scans > 1 => format!("it has {} scans", self.scans),
                _ => return None,
            },
            0xc2 => "it is progressive".to_owned(),
            0xc9..=0xcf => "it has arithmetic coding".to_owned(),
            _ => "it is neither baseline nor extended sequential".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Jpeg;

    fn header(sampling: &[(u8, u8)], scan_bytes: u64) -> Jpeg {
        Jpeg {
            width: 33,
            height: 17,
            sampling: sampling.to_vec(),
            frame: 0xc0,
            bits: 8,
            adobe: None,
            is_jfif: false,
            is_named_rgb: false,
            orientation: 1,
            tables: (1, 1, 1),
            scans: 1,
            scan_bytes,
            has_end: true,
        }
    }

    #[test]
    fn a_scan_has_two_bits_for_each_block_at_least() {
        // 5 x 3 blocks; 3 x 2 units of six blocks; 5 x 3 units of three blocks.
        for (sampling, needed) in [
            (&[(1, 1)][..], 4),
            (&[(2, 2)], 4),
            (&[(2, 2), (1, 1), (1, 1)], 9),
            (&[(1, 1), (1, 1), (1, 1)], 12),
        ] {
            assert_eq!(header(sampling, needed).missing(), None);
            let missing = header(sampling, needed - 1).missing();
            let text = format!(
                "its scan has {} bytes, and 33x17 pixels need {needed} at least",
                needed - 1
            );
            assert_eq!(missing, Some(text));
        }
    }
}
