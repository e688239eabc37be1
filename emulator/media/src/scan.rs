//! The scan of a JPEG, for a decoder that takes a marker in it for zeros.

/// More ones than the longest value and the longest code together have: 16 bits each. A byte of ones has a zero byte
/// behind it, so that it is no marker.
const ONES: [u8; 16] = [
    0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0,
];

/// Returns the file with ones in front of each marker that ends data of its scan.
///
/// The decoder reads zeros behind the data, and zeros are a code: it would decode a file without its last rows, with an
/// end behind the rest, as a grey area. The code of ones does not exist (ITU-T T.81 reserves it), so missing data become
/// an error. Data that are complete end before the ones.
pub(crate) fn with_ones(file: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(file.len() + 4 * ONES.len());
    let (head, mut rest) = file.split_at(data(file).unwrap_or(file.len()));
    whole.extend_from_slice(head);
    while let Some(at) = rest.windows(2).position(is_end) {
        let (before, after) = rest.split_at(at);
        whole.extend_from_slice(before);
        whole.extend_from_slice(&ONES);
        // The scan goes on behind the marker of a restart.
        let marker = after.iter().position(|byte| *byte != 0xff);
        let behind = marker.map_or(after.len(), |at| at + 1);
        let (marker, after) = after.split_at(behind);
        whole.extend_from_slice(marker);
        rest = after;
        if !matches!(marker.last(), Some(0xd0..=0xd7)) {
            break;
        }
    }
    whole.extend_from_slice(rest);
    whole
}

/// Whether a marker, or a fill byte of one, begins with these bytes.
fn is_end(bytes: &[u8]) -> bool {
    matches!(bytes, [0xff, second] if *second != 0)
}

/// Returns the offset of the data of the first scan.
fn data(file: &[u8]) -> Option<usize> {
    // Behind the marker of the picture, which has no length.
    let mut at = 2;
    loop {
        at += file.get(at..)?.iter().position(|byte| *byte == 0xff)?;
        at += file.get(at..)?.iter().position(|byte| *byte != 0xff)?;
        let marker = *file.get(at)?;
        at += 1;
        if matches!(marker, 0 | 0x01 | 0xd0..=0xd8) {
            continue;
        }
        let length = file.get(at..at + 2)?;
        at += usize::from(u16::from_be_bytes([*length.first()?, *length.get(1)?]));
        if marker == 0xda {
            return (at <= file.len()).then_some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ONES, with_ones};

    #[test]
    fn ones_stand_before_the_markers_of_the_scan_alone() {
        // A comment that looks like a scan, a scan with a restart, a fill byte and an end, and data behind the end.
        let comment = [0xff, 0xd8, 0xff, 0xfe, 0, 4, 0xff, 0xda];
        let scan = [0xff, 0xda, 0, 3, 7, 1, 0xff, 0, 2];
        let (restart, end) = ([0xff, 0xd3, 3, 4], [0xff, 0xff, 0xd9, 5, 0xff, 0xd9]);
        let file = [&comment[..], &scan, &restart, &end].concat();
        let expected = [&comment[..], &scan, &ONES, &restart, &ONES, &end].concat();
        assert_eq!(with_ones(&file), expected);
    }

    #[test]
    fn a_file_without_a_scan_stays_as_it_is() {
        for file in [
            &[][..],
            &[0xff, 0xd8],
            &[0xff, 0xd8, 0xff],
            &[0xff, 0xd8, 0xff, 0xda, 0],
            &[0xff, 0xd8, 0xff, 0xda, 0, 9, 1],
        ] {
            assert_eq!(with_ones(file), file);
        }
    }
}
