//! A person who plays from elsewhere, on a page: what is asked is shown there, and the answer comes as protocol 1 has it.

use super::{Dialect, Heard, JsonLines, Opening, Request};
use crate::game::AnyPosition;
use crate::protocol::{Expect, Since};
use crate::verdict::Verdict;

/// Is told of each request: the turn's number, and the position before it.
pub type Asked = Box<dyn FnMut(u32, Box<dyn AnyPosition>) + Send>;

/// Speaks JSON lines. Whoever closes the line gives the match up: that is no fault.
pub struct Visiting {
    lines: JsonLines,
    asked: Asked,
}

impl Visiting {
    /// `asked` is called just before a request is sent; it must not wait for anything.
    pub fn new(asked: Asked) -> Visiting {
        Visiting { lines: JsonLines, asked }
    }
}

impl Dialect for Visiting {
    fn greet(&mut self, _opening: &Opening<'_>, _out: &mut Vec<u8>) -> bool {
        false
    }

    fn request(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        (self.asked)(request.turn, request.position.clone_box());
        self.lines.request(request, out);
    }

    fn farewell(&mut self, verdict: &Verdict, position: &dyn AnyPosition, since: &Since, out: &mut Vec<u8>) {
        self.lines.farewell(verdict, position, since, out);
    }

    fn hear(&mut self, line: &[u8], first: bool, awaited: &Expect<'_>) -> Heard {
        self.lines.hear(line, first, awaited)
    }

    fn at_end(&mut self) -> Option<Heard> {
        Some(Heard::Quit)
    }
}
