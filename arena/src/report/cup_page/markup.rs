//! Small pieces of markup and the forms of numbers, the same in all parts of the page.

pub(super) use crate::report::frame::text;

use crate::tournament::rating::Rating;
use crate::tournament::tally::Results;

/// A bot's name, cut with an ellipsis where there is no room for all of it.
pub(super) fn bot(name: &str) -> String {
    let name = text(name);
    format!("<span class=\"name\" title=\"{name}\">{name}</span>")
}

/// A part of the page under a heading.
pub(super) fn section(id: &str, heading: &str, body: &str) -> String {
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{heading}</h2>\n{body}</section>\n"
    )
}

/// A table that may be broader than the page: then it scrolls by itself. The head and the rows are markup.
pub(super) fn table(class: &str, label: &str, head: &str, rows: &str) -> String {
    format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\"><table class=\"{class}\">\n\
         <thead>{head}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

/// The head of a column; the heading is markup.
pub(super) fn column(class: &str, heading: &str) -> String {
    format!("<th scope=\"col\"{}>{heading}</th>", class_of(class))
}

/// The head of a row, which is whom or what it tells of; the content is markup.
pub(super) fn row_head(content: &str) -> String {
    format!("<th scope=\"row\" class=\"bot\">{content}</th>")
}

/// A cell; the content is markup.
pub(super) fn cell(class: &str, content: &str) -> String {
    format!("<td{}>{content}</td>", class_of(class))
}

fn class_of(class: &str) -> String {
    if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") }
}

/// A list of sentences.
pub(super) fn sentences(class: &str, lines: &[String]) -> String {
    let items: String = lines.iter().map(|line| format!("<li>{}</li>\n", text(line))).collect();
    format!("<ul class=\"{class}\">\n{items}</ul>\n")
}

/// A file of the results as an address, seen from the page. `:` is told apart from a scheme's.
pub fn address(path: &str) -> String {
    let mut address = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'+' => {
                address.push(byte.into());
            }
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

/// A number in groups of three digits, from five digits on.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    grouped
}

/// So many of something, with its word in the singular or plural.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// `7`, `7½`, `½`.
pub(super) fn points(results: &Results) -> String {
    half_points(results.half_points())
}

/// `+7 =1 −2`.
pub(super) fn won_drawn_lost(results: &Results) -> String {
    format!("+{} ={} −{}", results.won, results.drawn, results.lost)
}

/// Twice the points as people write points.
pub(super) fn half_points(half_points: u64) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".to_string(),
        (whole, 1) => format!("{}½", count(whole)),
        (whole, _) => count(whole),
    }
}

/// The score to the tenth of a percent; empty without a match.
pub(super) fn percent(results: &Results) -> String {
    results.score_pct().map(|pct| format!("{pct:.1}\u{202f}%")).unwrap_or_default()
}

/// A class that colours a cell by its score: `s0` for nothing to `s10` for everything.
pub(super) fn shade(results: &Results) -> String {
    results.score_pct().map(|pct| format!("s{}", (pct / 10.0).round() as u64)).unwrap_or_default()
}

/// Elo with its sign.
pub(super) fn signed(elo: f64) -> String {
    match elo.round() as i64 {
        0 => "0".to_string(),
        more if more > 0 => format!("+{more}"),
        less => format!("−{}", less.unsigned_abs()),
    }
}

/// `, Elo +120 (95 %: +80 to +160)`, to follow what is known besides; nothing without a rating.
pub(super) fn and_elo(rating: Option<Rating>) -> String {
    let told = |rating: Rating| {
        format!(", Elo {} (95 %: {} to {})", signed(rating.elo), signed(rating.low), signed(rating.high))
    };
    rating.map(told).unwrap_or_default()
}

/// A likelihood in percent, never told as certain.
pub(super) fn likelihood(likely: f64) -> String {
    match 100.0 * likely {
        pct if pct > 99.9 => "&gt;99.9\u{202f}%".to_string(),
        pct if pct < 0.1 => "&lt;0.1\u{202f}%".to_string(),
        pct => format!("{pct:.1}\u{202f}%"),
    }
}

/// A time given in milliseconds.
pub(super) fn time(ms: f64) -> String {
    match ms {
        ms if ms < 0.05 => "0\u{202f}ms".to_string(),
        ms if ms < 9.95 => format!("{ms:.1}\u{202f}ms").replace(".0", ""),
        ms if ms < 999.5 => format!("{ms:.0}\u{202f}ms"),
        ms if ms < 99_950.0 => format!("{:.1}\u{202f}s", ms / 1e3).replace(".0", ""),
        ms => format!("{}\u{202f}s", count((ms / 1e3).round() as u64)),
    }
}

/// Names as part of a sentence, the first few of them.
pub(super) fn listed(names: &[&str]) -> String {
    const MOST: usize = 4;
    let names: Vec<String> = names.iter().map(|name| text(name)).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        few if few.len() <= MOST => {
            let (last, rest) = few.split_last().expect("a few are not none");
            format!("{} and {last}", rest.join(", "))
        }
        many => format!("{} and {} others", many[..MOST - 1].join(", "), many.len() - (MOST - 1)),
    }
}
