//! The checks of lesson 11, whose file is a case of the ui tests.

//# error E0425
//# case E0382
//> 5

//# cheat: no line is marked
//- println!("{}", api::read(&memory)); //~ mistake
//+ println!("{}", api::read(&memory));

//# cheat: the case is refused for a wrong name
//- println!("{}", api::read(&memory)); //~ mistake
//+ println!("{}", api::get(&memory)); //~ mistake

//# cheat: the twin does not compile
//- //~ instead: println!("{}", api::read(&api::wait(queued)));
//+ //~ instead: println!("{}", api::read(&queued));

//# cheat: the twin does nothing
//- //~ instead: println!("{}", api::read(&api::wait(queued)));
//+ //~ instead: drop(queued);

//# cheat: the mistake is somewhere else
//- let queued = api::submit(memory);
//+ let queued = api::submit(memory); //~ mistake
//- println!("{}", api::read(&memory)); //~ mistake
//+ println!("{}", api::read(&memory));
