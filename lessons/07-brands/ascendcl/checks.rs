//! The checks of the second part of lesson 7.

//# error none E0515
//> device 0: Some(7)
//> device 1: Some(7)
