//! Bots that attack: the system, the arena, the rival, the results. Each attempt has to come to nothing, and an innocent rival has to
//! be left in peace, under every confinement there is: as root and as an ordinary user, with bubblewrap and without.

mod arenas;
mod builds;
mod doctor;
mod folders;
mod limits;
mod quiet;
mod support;
