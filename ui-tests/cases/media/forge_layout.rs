//! Writes the stride of a picture by hand.

use ascendcl::Result;
use ascendcl::media::{Layout, Nv12, V1}; //~ mistake
//~ instead: use ascendcl::media::{Nv12, V1};

fn wrong(media: &V1<'_>) -> Result<()> {
    let layout = media.layout::<Nv12>(98, 50)?;
    let layout = Layout::<Nv12> { width_stride: 98, ..layout }; //~ mistake
    assert_eq!(layout.height(), 50);
    Ok(())
}
