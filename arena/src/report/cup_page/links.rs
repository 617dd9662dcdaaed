//! Where the links of a cup's page lead: to files beside it, or to other pages where it is served.

use super::markup::{address, bot, text};
use crate::tournament::excerpts::Excerpt;
use crate::tournament::failures::FAILURES;

/// What stands around the page.
#[derive(Clone, Copy, Debug)]
pub enum CupLinks<'a> {
    /// It is a file in the folder of the results.
    Beside,
    /// It is served.
    Served {
        /// Where the cup is: an address such as `/cup/spring`.
        cup: &'a str,
        /// The parameter set that is looked at, from 0.
        set: Option<usize>,
    },
}

impl CupLinks<'_> {
    /// Whether one parameter set alone is looked at.
    pub(super) fn of_one_set(&self) -> bool {
        matches!(self, CupLinks::Served { set: Some(_), .. })
    }

    /// The matches of two bots; those in the file are found by `anchor`.
    pub(super) fn meeting(&self, names: [&str; 2], anchor: &str) -> String {
        let CupLinks::Served { cup, set } = self else { return format!("#{anchor}") };
        let set = set.map(|set| format!("&amp;set={}", set + 1)).unwrap_or_default();
        format!("{cup}/matches?bot={}&amp;against={}{set}", address(names[0]), address(names[1]))
    }

    /// One match: a link.
    pub(super) fn link(&self, excerpt: &Excerpt) -> String {
        let to = match self {
            CupLinks::Beside => address(&excerpt.transcript),
            CupLinks::Served { cup, .. } => format!("{cup}/match/{}", address(&excerpt.id)),
        };
        format!("<a href=\"{to}\">{}</a>", text(&excerpt.id))
    }

    /// To what is kept of a forfeit for whoever is to mend the bot, in brackets; only files have it.
    pub(super) fn why(&self, excerpt: &Excerpt) -> String {
        match self {
            CupLinks::Beside => {
                let to = address(&format!("{FAILURES}/{}/README.txt", excerpt.id));
                format!(" (<a href=\"{to}\">why</a>)")
            }
            CupLinks::Served { .. } => String::new(),
        }
    }

    /// A bot's name, which leads to its page where there is one.
    pub(super) fn bot(&self, name: &str) -> String {
        match self {
            CupLinks::Beside => bot(name),
            CupLinks::Served { cup, .. } => format!("<a href=\"{cup}/bot/{}\">{}</a>", address(name), bot(name)),
        }
    }
}
