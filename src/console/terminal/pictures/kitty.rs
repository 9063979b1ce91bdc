//! Kitty's protocol: a picture as packed pixels in base64, which the terminal stretches over its cells.
//!
//! Invariant: every sequence forbids an answer (`q=2`), and every picture has one of two numbers.

use crate::terminal::pictures::placement::{Placement, at_cell, bounded, scaled};
use base64::Engine;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

/// Two by turns: the next picture is there before the last one goes.
pub(crate) const NUMBERS: [u32; 2] = [7_411, 7_412];
/// Bytes of base64 in one sequence, as the protocol wants it.
const CHUNK: usize = 4096;

/// What puts a picture on the screen.
pub(crate) fn put(spot: &Placement, number: u32) -> Vec<u8> {
    let size = (spot.seen.width, spot.seen.height);
    let (packed, (width, height)) = bounded(size, |width, height| {
        let pixels = scaled(&spot.seen, width, height);
        let packed = pack(pixels.rgb.as_flattened());
        base64::prelude::BASE64_STANDARD.encode(packed).into_bytes()
    });
    let area = spot.area;
    let mut out = at_cell(area.x, area.y).into_bytes();
    let mut chunks = packed.chunks(CHUNK).peekable();
    // The cursor stays (C=1); the cells are filled however many pixels came (c, r).
    let mut keys = format!(
        "a=T,q=2,f=24,o=z,s={width},v={height},i={number},p=1,C=1,c={},r={},",
        area.width, area.height
    );
    while let Some(chunk) = chunks.next() {
        let more = u8::from(chunks.peek().is_some());
        out.extend_from_slice(format!("\x1b_G{keys}m={more};").as_bytes());
        out.extend_from_slice(chunk);
        out.extend_from_slice(b"\x1b\\");
        "q=2,".clone_into(&mut keys);
    }
    out
}

/// What takes a picture off and forgets its pixels.
pub(crate) fn forget(number: u32) -> String {
    format!("\x1b_Ga=d,d=I,i={number},q=2\x1b\\")
}

/// Takes off whatever may be there.
pub(crate) fn forget_all() -> String {
    NUMBERS.map(forget).concat()
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
    // Writing into memory cannot fail.
    let _ = packer.write_all(bytes);
    packer.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::pictures::placement::{BYTES_MAX, PictureMode};
    use crate::terminal::pictures::tests::{gradient, noise};
    use flate2::read::ZlibDecoder;
    use pithead_engine::config::pictures::Protocol;
    use pithead_world::port::Pixels;
    use ratatui::layout::{Rect, Size};
    use std::io::Read;
    use std::sync::Arc;

    fn spot(seen: Pixels) -> Placement {
        Placement {
            area: Rect::new(3, 2, 30, 10),
            screen: Size::new(80, 24),
            mode: PictureMode {
                protocol: Protocol::Kitty,
                cell: Size::new(10, 20),
            },
            seen: Arc::new(seen),
        }
    }

    /// The control data of each sequence, and the picture of all.
    fn read(bytes: &[u8]) -> (Vec<String>, Pixels) {
        let text = std::str::from_utf8(bytes).unwrap();
        let text = text.strip_prefix("\x1b[3;4H").unwrap();
        let (mut keys, mut data) = (Vec::new(), String::new());
        for sequence in text.split_terminator("\x1b\\") {
            let (control, payload) = sequence.split_once(';').unwrap();
            assert!(payload.len() <= CHUNK);
            keys.push(control.strip_prefix("\x1b_G").unwrap().to_owned());
            data.push_str(payload);
        }
        let number = |name: &str| {
            let mut all = keys[0].split(',');
            let value = all.find_map(|key| key.strip_prefix(name)).unwrap();
            value.parse::<u32>().unwrap()
        };
        let packed = base64::prelude::BASE64_STANDARD.decode(data).unwrap();
        let mut bytes = Vec::new();
        ZlibDecoder::new(&packed[..])
            .read_to_end(&mut bytes)
            .unwrap();
        let pixels = Pixels {
            width: number("s="),
            height: number("v="),
            rgb: bytes.as_chunks().0.to_vec(),
        };
        (keys, pixels)
    }

    #[test]
    fn a_picture_comes_out_as_it_went_in_and_asks_for_no_answer() {
        let seen = noise(120, 40);
        let (keys, came) = read(&put(&spot(seen.clone()), 7_411));
        assert!(came == seen, "another picture came out");
        assert!(keys.len() > 2);
        assert!(keys.iter().all(|keys| keys.contains("q=2")));
        assert!(keys[0].contains("c=30,r=10") && keys[0].contains("C=1"));
        let (last, rest) = keys.split_last().unwrap();
        assert!(last.ends_with("m=0") && rest.iter().all(|keys| keys.ends_with("m=1")));
    }

    #[test]
    fn a_picture_that_is_too_long_is_written_at_half_the_size() {
        let bytes = put(&spot(noise(480, 320)), 7_411);
        let (_, came) = read(&bytes);
        assert_eq!((came.width, came.height), (240, 160));
        // The frame of each chunk comes on top.
        assert!(bytes.len() < BYTES_MAX + BYTES_MAX / 64);
        let (_, came) = read(&put(&spot(gradient(480, 320)), 7_411));
        assert_eq!((came.width, came.height), (480, 320));
    }
}
