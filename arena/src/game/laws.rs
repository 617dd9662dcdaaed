//! Laws that hold for every game, run over the table of games, so that a new game is tested before anyone writes
//! a test for it.
