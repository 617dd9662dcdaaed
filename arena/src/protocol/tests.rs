//! Lines to and from a bot.
