//! A cup that is being looked at: all who do are told together when its page has changed, and nobody looks after it when none does.

use super::Cups;
use super::view::View;
use crate::serve::events::{self, News, SIGN_OF_LIFE, news};
use crate::serve::{Site, lock};
use axum::body::Bytes;
use axum::response::Response;
use futures_util::stream;
use serde_json::{Map, json};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio::sync::watch;

/// So often it is asked whether something has changed.
const PAUSE: Duration = Duration::from_secs(1);

/// What all who look at a page were told last.
type Told = watch::Sender<Bytes>;

/// Every page that somebody looks at, by cup and parameter set.
pub(super) type Looked = Mutex<HashMap<(String, Option<usize>), Weak<Told>>>;

/// Server-sent events that tell the hash of each part of a page (`parts`), at once and whenever one has changed.
pub(super) fn tell(site: &Arc<Site>, name: &str, set: Option<usize>, view: &View) -> Response {
    let told = look_at(site, name, set, view);
    let receiver = told.subscribe();
    let stream_of_parts = stream::unfold((told, receiver, true), |(told, mut receiver, first)| async move {
        if first {
            let event = receiver.borrow_and_update().clone();
            return Some((Ok::<_, Infallible>(event), (told, receiver, false)));
        }
        let event = match news(&mut receiver).await {
            News::Come => receiver.borrow_and_update().clone(),
            News::Over => return None,
            News::Silence => SIGN_OF_LIFE,
        };
        Some((Ok(event), (told, receiver, false)))
    });
    events::tell(stream_of_parts)
}

fn look_at(site: &Arc<Site>, name: &str, set: Option<usize>, view: &View) -> Arc<Told> {
    let mut looked = lock(&site.cups.looked);
    looked.retain(|_, told| told.strong_count() > 0);
    let key = (name.to_string(), set);
    if let Some(told) = looked.get(&key).and_then(Weak::upgrade) {
        return told;
    }
    let told = Arc::new(Told::new(event(view)));
    looked.insert(key, Arc::downgrade(&told));
    tokio::spawn(follow(Arc::clone(site), name.to_string(), set, Arc::downgrade(&told)));
    told
}

/// Asks again for as long as somebody looks.
async fn follow(site: Arc<Site>, name: String, set: Option<usize>, told: Weak<Told>) {
    loop {
        tokio::time::sleep(PAUSE).await;
        if told.strong_count() == 0 {
            return;
        }
        // One that has become unreadable is told when its page is asked for.
        let view = Cups::view(&site, &name, set).await;
        let (Some(told), Ok(view)) = (told.upgrade(), view) else { continue };
        let new = event(&view);
        told.send_if_modified(|old| std::mem::replace(old, new.clone()) != new);
    }
}

fn event(view: &View) -> Bytes {
    let hashes: Map<String, _> = view.parts.iter().map(|part| (part.name.to_string(), json!(part.hash))).collect();
    Bytes::from(format!("event: parts\ndata: {}\n\n", json!(hashes)))
}
