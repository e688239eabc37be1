//! The checks of the second part of lesson 5.

//# error E0499
//> 16 16
