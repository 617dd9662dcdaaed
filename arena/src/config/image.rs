//! What a file is by its first bytes: a program of this machine or another, a script, a text, something else.
//!
//! Knows formats only; whether what it finds may be started is judged elsewhere.

use crate::files::open_regular;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// How much of a first line the system reads when it looks for an interpreter (Linux, BINPRM_BUF_SIZE).
const FIRST_LINE: usize = 256;

/// A file by its first bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Image {
    /// No byte at all.
    Empty,
    /// Begins with `#!`: the bytes after it, to the end of the line (without the newline) or of what the system reads.
    Script { first_line: Vec<u8>, whole_line: bool },
    /// A program in the format of this system.
    Elf(Elf),
    /// Something that another system, or a virtual machine, runs: what it is, and how to start it if there is a way.
    Foreign { what: &'static str, way_out: &'static str },
    /// A text without `#!`; `marked` when a byte order mark stands before its `#!`.
    Text { marked: bool },
    /// Anything else.
    Unknown,
}

/// What matters of an ELF header (System V ABI, "Object Files").
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Elf {
    /// Cut off within its headers.
    CutShort,
    /// Relocatable: compiled, but not linked.
    NotLinked,
    /// For another machine: which.
    OtherMachine(String),
    /// For this machine; `loader` is the program that has to load it, if one has to.
    Native { loader: Option<String> },
}

/// Reads what the file is.
pub(super) fn read_image(path: &Path) -> io::Result<Image> {
    let file = open_regular(path)?;
    let mut head = [0; 1024];
    let length = read_up_to(&file, &mut head, 0)?;
    let head = &head[..length];
    Ok(match head {
        [] => Image::Empty,
        [b'#', b'!', line @ ..] => script(line),
        [0x7f, b'E', b'L', b'F', ..] => Image::Elf(elf(&file, head)?),
        [b'M', b'Z', ..] => Image::Foreign { what: "a Windows program", way_out: "build it for this system" },
        [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] => {
            Image::Foreign { what: "a macOS program", way_out: "build it for this system" }
        }
        [0xca, 0xfe, 0xba, 0xbe, _, _, 0, 45..=255, ..] => {
            Image::Foreign { what: "a compiled Java class", way_out: "start it with `java -cp FOLDER CLASS`" }
        }
        [0xca, 0xfe, 0xba, 0xbe, ..] => Image::Foreign { what: "a macOS program", way_out: "build it for this system" },
        [b'P', b'K', 3, 4, ..] => Image::Foreign {
            what: "an archive (zip or jar)",
            way_out: "unpack it, or start a jar with `java -jar FILE`",
        },
        [0xef, 0xbb, 0xbf, rest @ ..] => Image::Text { marked: rest.starts_with(b"#!") },
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Image::Text { marked: true },
        _ if head.contains(&0) => Image::Unknown,
        _ => Image::Text { marked: false },
    })
}

fn script(line: &[u8]) -> Image {
    let read = &line[..line.len().min(FIRST_LINE - 2)];
    let end = read.iter().position(|byte| *byte == b'\n');
    let whole_line = end.is_some() || line.len() <= read.len();
    Image::Script { first_line: read[..end.unwrap_or(read.len())].to_vec(), whole_line }
}

fn elf(file: &File, head: &[u8]) -> io::Result<Elf> {
    if head.len() < 64 {
        return Ok(Elf::CutShort);
    }
    let header = Header { bytes: head, wide: head[4] == 2, big: head[5] == 2 };
    let (kind, machine) = (header.number(16, 2), header.number(18, 2));
    if header.big != cfg!(target_endian = "big") || !host_machines().contains(&machine) {
        return Ok(Elf::OtherMachine(machine_name(machine)));
    }
    if kind == 1 {
        return Ok(Elf::NotLinked);
    }
    loaded(file, &header)
}

/// Goes through the program's segments: whether each is in the file, and the path in PT_INTERP.
fn loaded(file: &File, header: &Header<'_>) -> io::Result<Elf> {
    const PT_LOAD: u64 = 1;
    const PT_INTERP: u64 = 3;
    const LONGEST: u64 = 4096;
    let (table, entry_size, count) = if header.wide {
        (header.number(32, 8), header.number(54, 2), header.number(56, 2))
    } else {
        (header.number(28, 4), header.number(42, 2), header.number(44, 2))
    };
    let (offset_at, size_at, width, least) = if header.wide { (8, 32, 8, 56) } else { (4, 16, 4, 32) };
    let length = file.metadata()?.len();
    let mut loader = None;
    for index in 0..count {
        let mut entry = [0; 56];
        if read_up_to(file, &mut entry, table.saturating_add(index * entry_size))? < least {
            return Ok(Elf::CutShort);
        }
        let entry = Header { bytes: &entry, wide: header.wide, big: header.big };
        let (kind, offset, size) = (entry.number(0, 4), entry.number(offset_at, width), entry.number(size_at, width));
        if (kind == PT_LOAD || kind == PT_INTERP) && offset.saturating_add(size) > length {
            return Ok(Elf::CutShort);
        }
        if kind == PT_INTERP {
            let mut path = vec![0; size.min(LONGEST) as usize];
            let read = read_up_to(file, &mut path, offset)?;
            let text = path[..read].split(|byte| *byte == 0).next().unwrap_or_default();
            loader = Some(String::from_utf8_lossy(text).into_owned());
        }
    }
    Ok(Elf::Native { loader })
}

struct Header<'a> {
    bytes: &'a [u8],
    wide: bool,
    big: bool,
}

impl Header<'_> {
    /// The number of so many bytes (at most 8) at this place, in the file's byte order.
    fn number(&self, at: usize, width: usize) -> u64 {
        let bytes = self.bytes[at..at + width].iter();
        let push = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        if self.big { bytes.fold(0, push) } else { bytes.rev().fold(0, push) }
    }
}

/// Fills as much of the buffer as the file has at this place.
fn read_up_to(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        let Some(at) = offset.checked_add(filled as u64).filter(|at| *at <= i64::MAX as u64) else { break };
        match file.read_at(&mut buffer[filled..], at) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Machine numbers (System V ABI, e_machine), by the name that Rust has for them.
const MACHINES: [(&str, u64); 10] = [
    ("x86_64", 62),
    ("x86", 3),
    ("aarch64", 183),
    ("arm", 40),
    ("riscv64", 243),
    ("powerpc64", 21),
    ("powerpc", 20),
    ("s390x", 22),
    ("loongarch64", 258),
    ("mips", 8),
];

/// What programs for this machine say of it; with the 32-bit ones that its kernel may run as well.
fn host_machines() -> Vec<u64> {
    let number = |name: &str| MACHINES.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
    let older = match std::env::consts::ARCH {
        "x86_64" => number("x86"),
        "aarch64" => number("arm"),
        _ => None,
    };
    number(std::env::consts::ARCH).into_iter().chain(older).collect()
}

fn machine_name(number: u64) -> String {
    let known = MACHINES.iter().find(|(_, known)| *known == number);
    known.map_or_else(|| format!("machine {number}"), |(name, _)| (*name).to_string())
}
