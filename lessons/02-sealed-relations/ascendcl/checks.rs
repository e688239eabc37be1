//! The checks of the second part of lesson 2.

//# error E0277
//> [1, 2, 3, 4]
