//! Makes the tag of a recording.

use ascendcl::stream::GraphBrand;

fn wrong() {
    let brand = GraphBrand(std::marker::PhantomData); //~ mistake
    drop(brand); //~ mistake
    //~ instead: let brand: Option<GraphBrand<'_>> = None;
    //~ instead: drop(brand);
}
