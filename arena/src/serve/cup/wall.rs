//! What goes round on a wall: the table, the latest upset, a match that is being played. Each is a page that leads to the next one, so
//! that a browser that is left alone for a day gathers nothing.

use super::list::Stage;
use super::view::View;
use super::{Cups, Seen};
use crate::report::{plain_text as text, wall_table};
use crate::serve::Site;
use crate::serve::html::Page;
use crate::serve::match_page::match_address;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// So many bots are on the wall at once.
const LINES: usize = 12;

/// What `wall` is in the address of a match that is shown in the round of its cup.
pub(in crate::serve) const ROUND: &str = "round";

/// For how many seconds a match stays.
const MATCH: u32 = 45;

/// How long each page stays, in seconds: what it has by itself, or what the address says.
#[derive(Clone, Copy)]
pub(in crate::serve) struct Pace(Option<u32>);

impl Pace {
    /// What stands behind `every=` in an address. Whatever is no number says nothing.
    pub fn read(text: Option<&str>) -> Pace {
        Pace(text.and_then(|text| text.parse().ok()).map(|seconds: u32| seconds.clamp(1, 3600)))
    }

    fn of(self, usual: u32) -> u32 {
        self.0.unwrap_or(usual)
    }

    /// The same for the next address, after what stands there.
    fn key(self) -> String {
        self.0.map(|seconds| format!("&amp;every={seconds}")).unwrap_or_default()
    }
}

/// What of the cup itself is on the wall.
#[derive(Clone, Copy)]
enum Step {
    /// A page of the table, from 0.
    Table(usize),
    Upset,
}

impl Step {
    fn address(self, view: &View, pace: Pace) -> String {
        let (cup, pace) = (view.address(), pace.key());
        match self {
            Step::Table(page) => format!("{cup}?wall=table&amp;page={}{pace}", page + 1),
            Step::Upset => format!("{cup}?wall=upset{pace}"),
        }
    }

    fn seconds(self) -> u32 {
        match self {
            Step::Table(_) => 15,
            Step::Upset => 10,
        }
    }
}

pub(super) async fn page(site: &Arc<Site>, name: &str, step: &str, page: Option<&str>, pace: Pace) -> Response {
    let view = match Cups::view(site, name, None).await {
        Ok(view) => view,
        Err(trouble) => return trouble.page(site, name),
    };
    let pages = view.entrants.len().div_ceil(LINES).max(1);
    let mut steps: Vec<Step> = (0..pages).map(Step::Table).collect();
    steps.extend(view.upset.as_ref().map(|_| Step::Upset));
    let wanted = page.and_then(|page| page.parse::<usize>().ok()).unwrap_or(1);
    // What is gone by now is left out.
    let at = steps.iter().position(|known| match known {
        Step::Table(page) => step != "upset" && page + 1 == wanted,
        Step::Upset => step == "upset",
    });
    let at = at.unwrap_or(0);
    let next = match (steps.get(at + 1), view.running.first()) {
        (Some(step), _) => step.address(&view, pace),
        (None, Some(id)) => format!("{}?wall={ROUND}{}", match_address(&view.name, id), pace.key()),
        (None, None) => steps[0].address(&view, pace),
    };
    let shown = match steps[at] {
        Step::Table(page) => wall_table(&view.page(), page * LINES, LINES),
        Step::Upset => {
            format!("<h2>The latest upset</h2>\n<p class=\"upset\">{}</p>\n", view.upset.as_deref().unwrap_or_default())
        }
    };
    let bar = bar(&view, &next, pace.of(steps[at].seconds()), pace);
    let body = format!("{bar}<main class=\"wall\">\n{shown}</main>\n");
    Page { title: &view.name, styles: &["cup.css", "wall.css"], scripts: &["wall.js"], body }.html(site).into_response()
}

/// What stands over a match in the round of its cup; nothing where that cannot be shown.
pub(in crate::serve) async fn bar_of_match(site: &Site, cup: &str, pace: Pace) -> Option<String> {
    let view: Seen = Cups::view(site, cup, None).await.ok()?;
    Some(bar(&view, &Step::Table(0).address(&view, pace), pace.of(MATCH), pace))
}

/// What stands over each page of the round: the cup, and how it goes on. Where the next page is gone, the round begins anew.
fn bar(view: &View, next: &str, seconds: u32, pace: Pace) -> String {
    let of = view.course.planned.map(|planned| format!(" of {planned}")).unwrap_or_default();
    let stage = match view.stage() {
        Stage::Running => "being played",
        Stage::Finished => "finished",
        Stage::Stopped => "stopped",
    };
    format!(
        "<div id=\"round\" data-next=\"{next}\" data-begin=\"{}\" data-seconds=\"{seconds}\">\n\
         <p><b>{}</b> · {} · {}{of} matches · {stage}</p>\n\
         <p id=\"away\" role=\"status\" hidden>The arena does not answer. It is tried again.</p>\n\
         <button type=\"button\" id=\"pause\" aria-pressed=\"false\">Pause</button> <a href=\"{}\">The cup</a>\n</div>\n",
        Step::Table(0).address(view, pace),
        text(&view.name),
        text(view.page().game),
        view.course.played,
        view.address()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_what_the_address_says_within_bounds() {
        for (text, seconds, key) in [
            (None, 45, ""),
            (Some("5"), 5, "&amp;every=5"),
            (Some("0"), 1, "&amp;every=1"),
            (Some("99999"), 3600, "&amp;every=3600"),
            (Some("\"><b>"), 45, ""),
        ] {
            let pace = Pace::read(text);
            assert_eq!((pace.of(MATCH), pace.key().as_str()), (seconds, key), "{text:?}");
        }
    }
}
