//! The checks of the second part of lesson 10.

//# error E0277
//> [1, 2, 3]
