//! The bot of the benchmarks of whole cups.

use nix::time::{ClockId, clock_gettime};
use std::io::{self, BufRead, BufReader, Write};
use std::time::Duration;

/// A bot of Flip that makes no flip, in any number of matches, after so much processor time for each answer.
pub fn empty_moves(burn: Duration) -> io::Result<()> {
    let mut input = BufReader::with_capacity(64 * 1024, io::stdin().lock());
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if let Some(rest) = line.strip_prefix(br#"{"type":"turn","turn":"#) {
            burn_for(burn)?;
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            output.write_all(b"{\"turn\":")?;
            output.write_all(&rest[..digits])?;
            output.write_all(b",\"move\":[]}\n")?;
        } else if line.starts_with(br#"{"type":"start""#) {
            output.write_all(b"{\"type\":\"ready\",\"reuse\":true}\n")?;
        }
        output.flush()?;
    }
}

fn burn_for(time: Duration) -> io::Result<()> {
    if time.is_zero() {
        return Ok(());
    }
    let used = || clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from);
    let until = used()? + time;
    while used()? < until {}
    Ok(())
}
