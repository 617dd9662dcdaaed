//! What goes round on a wall: the table, the latest upset, a match that is being played. Each is a page that leads to the next one, so
//! that a browser that is left alone for a day gathers nothing.

use super::Cups;
use super::view::View;
use crate::report::{MATCH_BODY, file_address, plain_text as text, wall_table};
use crate::serve::Site;
use crate::serve::html::Page;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// So many bots are on the wall at once.
const LINES: usize = 12;

/// What is on the wall.
enum Step {
    /// A page of the table, from 0.
    Table(usize),
    Upset,
    Match,
}

impl Step {
    /// Where it is, and for how many seconds it stays.
    fn place(&self, view: &View) -> (String, u32) {
        let cup = view.address();
        match self {
            Step::Table(page) => (format!("{cup}?wall=table&amp;page={}", page + 1), 15),
            Step::Upset => (format!("{cup}?wall=upset"), 10),
            Step::Match => (format!("{cup}?wall=match"), 45),
        }
    }
}

pub(super) async fn page(site: &Arc<Site>, name: &str, step: &str, page: Option<&str>) -> Response {
    let view = match Cups::view(site, name, None).await {
        Ok(view) => view,
        Err(trouble) => return trouble.page(site, name),
    };
    let pages = view.entrants.len().div_ceil(LINES);
    let mut steps: Vec<Step> = (0..pages).map(Step::Table).collect();
    steps.extend(view.upset.as_ref().map(|_| Step::Upset));
    steps.extend(view.running.first().map(|_| Step::Match));
    let wanted = page.and_then(|page| page.parse::<usize>().ok()).unwrap_or(1);
    // What is gone by now is left out.
    let at = steps.iter().position(|known| match known {
        Step::Table(page) => !matches!(step, "upset" | "match") && page + 1 == wanted,
        Step::Upset => step == "upset",
        Step::Match => step == "match",
    });
    let at = at.unwrap_or(0);
    let (next, _) = steps[(at + 1) % steps.len()].place(&view);
    let (_, seconds) = steps[at].place(&view);
    let body = frame(&view, &steps[at], &next, seconds);
    let (styles, scripts): (&[&str], &[&str]) = match steps[at] {
        Step::Match => (&["match.css", "wall.css"], &["match.js", "wall.js"]),
        _ => (&["cup.css", "wall.css"], &["wall.js"]),
    };
    Page { title: &view.name, styles, scripts, body }.html(site).into_response()
}

fn frame(view: &View, step: &Step, next: &str, seconds: u32) -> String {
    let (name, here) = (text(&view.name), view.address());
    let page = view.page();
    let of = view.course.planned.map(|planned| format!(" of {planned}")).unwrap_or_default();
    let state = match (view.is_going_on, view.course.is_over) {
        (true, _) => "being played",
        (false, true) => "finished",
        (false, false) => "stopped",
    };
    let shown = match step {
        Step::Table(page_of_table) => {
            format!("<main class=\"wall\">\n{}</main>\n", wall_table(&page, page_of_table * LINES, LINES))
        }
        Step::Upset => format!(
            "<main class=\"wall\">\n<h2>The latest upset</h2>\n<p class=\"upset\">{}</p>\n</main>\n",
            view.upset.as_deref().unwrap_or_default()
        ),
        Step::Match => {
            let id = view.running.first().map(|id| file_address(id)).unwrap_or_default();
            let at = format!("{here}/match/{id}");
            format!("<div id=\"live\" data-live=\"{at}/live\" data-transcript=\"{at}/transcript\"></div>\n{MATCH_BODY}")
        }
    };
    format!(
        "<div id=\"round\" data-next=\"{next}\" data-seconds=\"{seconds}\">\n<p><b>{name}</b> · {} · {}{of} matches · {state}</p>\n\
         <p id=\"away\" role=\"status\" hidden>The arena does not answer. It is tried again.</p>\n\
         <button type=\"button\" id=\"pause\" aria-pressed=\"false\">Pause</button> <a href=\"{here}\">The cup</a>\n</div>\n{shown}",
        text(page.game),
        view.course.played
    )
}
