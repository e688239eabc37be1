//! The checks of the second part of lesson 3.

//# error E0505
//> released in the right order
