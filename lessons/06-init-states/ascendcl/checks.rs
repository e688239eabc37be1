//! The checks of the second part of lesson 6.

//# error E0277
//> [7, 7, 7, 7]
