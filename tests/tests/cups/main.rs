//! Whole cups, as an organiser runs them: killed and gone on with, stopped, on a full disk, among hostile bots, in every
//! format, and what is left on record of each.

mod changed;
mod damaged;
mod disturbed;
mod filed;
mod formats;
mod hostile;
mod killed;
mod machine;
mod overnight;
mod processes;
mod record;
mod refused;
mod results;
mod stopped;
mod support;
mod time;
