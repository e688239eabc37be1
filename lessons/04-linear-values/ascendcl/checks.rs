//! The checks of the second part of lesson 4.

//# error E0382
//> [1, 2, 3]
