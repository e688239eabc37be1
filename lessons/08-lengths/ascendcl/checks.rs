//! The checks of the second part of lesson 8.

//# error E0277
//> [1, 2, 3, 4]
