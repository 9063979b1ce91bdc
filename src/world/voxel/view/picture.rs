//! Picture: pixels in three bytes each, and how they become a PNG.
//!
//! It knows nothing of worlds. Invariant: `pixels` holds exactly width times height pixels, rows
//! from the top.

use serde::{Deserialize, Serialize};

/// Sides of a picture in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

impl Size {
    /// What minds are shown.
    pub const MIND: Self = Self::new(128, 128);
    /// What people are shown.
    pub const PEOPLE: Self = Self::new(640, 360);

    #[must_use]
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    fn pixels(self) -> usize {
        self.width as usize * self.height as usize
    }
}

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    size: Size,
    pixels: Vec<Rgb>,
}

impl Picture {
    /// A black picture.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self {
            size,
            pixels: vec![[0; 3]; size.pixels()],
        }
    }

    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// All pixels, rows from the top.
    #[must_use]
    pub fn pixels(&self) -> &[Rgb] {
        &self.pixels
    }

    /// The pixel in column `x` of row `y`; black outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Rgb {
        self.index(x, y).map_or([0; 3], |at| self.pixels[at])
    }

    /// Paints a pixel; outside the picture nothing happens.
    pub fn paint(&mut self, x: u32, y: u32, colour: Rgb) {
        if let Some(at) = self.index(x, y) {
            self.pixels[at] = colour;
        }
    }

    fn index(&self, x: u32, y: u32) -> Option<usize> {
        let inside = x < self.size.width && y < self.size.height;
        inside.then(|| y as usize * self.size.width as usize + x as usize)
    }

    /// The rows, to be painted one by one.
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [Rgb]> {
        self.pixels
            .chunks_exact_mut(self.size.width.max(1) as usize)
    }

    /// The picture with every pixel drawn as a square of `times` pixels.
    #[must_use]
    pub fn enlarged(&self, times: u32) -> Self {
        let times = times.max(1);
        let size = Size::new(self.size.width * times, self.size.height * times);
        let mut large = Self::new(size);
        for (y, row) in (0..).zip(large.rows_mut()) {
            for (x, pixel) in (0..).zip(row) {
                *pixel = self.pixel(x / times, y / times);
            }
        }
        large
    }

    /// The picture as a PNG file.
    pub fn to_png(&self) -> Result<Vec<u8>, PngError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.size.width, self.size.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(file)
    }
}

/// A picture without pixels cannot be a PNG.
#[derive(Debug, thiserror::Error)]
#[error("could not write the picture as a PNG")]
pub struct PngError(#[from] png::EncodingError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_reads_back_as_it_was() {
        let mut picture = Picture::new(Size::new(3, 2));
        picture.paint(2, 1, [1, 2, 3]);
        picture.paint(9, 9, [9; 3]);
        let large = picture.enlarged(2);
        let file = large.to_png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file))
            .read_info()
            .unwrap();
        let mut read = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut read).unwrap();
        assert_eq!(read, large.pixels().as_flattened());
        assert_eq!(large.pixel(5, 3), [1, 2, 3]);
        assert_eq!(large.pixel(3, 3), [0; 3]);
    }

    #[test]
    fn a_picture_of_nothing_is_an_error_and_no_panic() {
        assert!(Picture::new(Size::new(0, 5)).to_png().is_err());
    }
}
