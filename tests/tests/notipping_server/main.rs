//! The No Tipping server and its clients, as the course's own programs meet them: over sockets on the loopback.

mod hostile;
mod matches;
mod programs;
mod support;
