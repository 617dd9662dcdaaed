//! Bots that are confined as a cup confines them: those of every language play without being asked for anything, build steps
//! work on a copy, and whoever misses something is told what and how it is had. What a hostile bot tries is elsewhere.

mod builds;
mod cups;
mod languages;
mod sight;
mod support;
