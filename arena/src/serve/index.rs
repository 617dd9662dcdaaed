//! Where everybody arrives: the cups that there are, and what is being played.

use super::Site;
use super::cup::list::{Line, Stage, Told, lines};
use super::html::{Page, Way, text, ways};
use super::match_page::match_address;
use super::shelf::NOW;
use crate::report::url_part;
use axum::Router;
use axum::extract::State;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use std::sync::Arc;

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new().route("/", get(home)).route("/index.html", get(home))
}

async fn home(State(site): State<Arc<Site>>) -> Response {
    // Whoever plays one match shows that one.
    match &site.shown()[..] {
        [] => cups(&site, &lines(&site).await).into_response(),
        [.., (id, _)] => Redirect::temporary(&match_address(NOW, id)).into_response(),
    }
}

fn cups(site: &Site, cups: &[Line]) -> Html<String> {
    let items: String = cups.iter().map(item).collect();
    let list = match cups {
        [] => {
            let invite = |way: Way| {
                way.invitation.map(|what| format!("<a class=\"invitation\" href=\"{}\">{what}</a>\n", way.address))
            };
            let invitations: String = ways(site).into_iter().filter_map(invite).collect();
            format!("<p>There is no cup yet. <code>arena tournament run</code> plays one.</p>\n<p>{invitations}</p>\n")
        }
        _ => format!("<ul class=\"cups\">\n{items}</ul>\n"),
    };
    let body = format!("<main>\n<h1>Cups</h1>\n{list}</main>\n");
    Page { title: "Cups", styles: &["cup.css"], scripts: &[], body }.html(site)
}

fn item(cup: &Line) -> String {
    let name = text(&cup.name);
    let told = match &cup.told {
        Ok(told) => told,
        Err(why) => {
            return format!("<li class=\"broken\"><h2>{name}</h2>\n<p>Cannot be shown: {}</p></li>\n", text(why));
        }
    };
    let Told { game, format, stage, played, planned, leader } = told;
    let (class, word) = match stage {
        Stage::Running => ("running", "is being played"),
        Stage::Finished => ("finished", "finished"),
        Stage::Stopped => ("stopped", "stopped"),
    };
    let of = planned.filter(|planned| planned != played).map(|planned| format!(" of {planned}")).unwrap_or_default();
    let first = if *stage == Stage::Finished { "Winner" } else { "Leader" };
    let leader = leader.as_ref().map(|leader| format!(" · {first}: <b>{}</b>", text(leader))).unwrap_or_default();
    format!(
        "<li><h2><a href=\"/cup/{}\">{name}</a></h2>\n<p>{} · {} · <span class=\"state {class}\">{word}</span></p>\n\
         <p>{played}{of} matches{leader}</p></li>\n",
        url_part(&cup.name),
        text(game),
        text(format)
    )
}
