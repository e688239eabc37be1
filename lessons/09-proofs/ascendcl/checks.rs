//! The checks of the second part of lesson 9.

//# error E0499 E0502
//> [1, 2, 3]
//> [1, 2, 3]
