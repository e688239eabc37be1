//! The checks of the second part of lesson 1.

//# error E0277
//> [1, 2, 3]
