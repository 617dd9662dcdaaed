//! Who is connected: takes connections, bounds their number, and sees to it that no address can keep the others out.

use super::lock;
use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tower::{Service, service_fn};

/// So many connections are held at once, where the system lets us.
const MOST: usize = 2000;

/// A request's head has to be there within this time, the next one's as well.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// A request's head may have so many bytes, and so many wait for whoever reads slowly.
const BUFFER: usize = 64 * 1024;

/// Whoever asks, as every request tells.
#[derive(Clone, Copy)]
pub(super) struct Caller(pub IpAddr);

/// How many connections there is room for: as many descriptors more as the system grants, and never all of what there is.
pub(super) fn room() -> usize {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return MOST / 8 };
    let more = soft.saturating_add(MOST as u64).min(hard);
    let granted = if setrlimit(Resource::RLIMIT_NOFILE, more, hard).is_ok() { more - soft } else { 0 };
    usize::try_from(granted.max(soft / 4)).unwrap_or(MOST).min(MOST)
}

/// Takes connections until it is to stop, and holds `most` of them. Then lets what is being told be told to the end, for as long
/// as `stopped` grants.
pub(super) async fn accept(
    listener: TcpListener,
    router: Router,
    most: usize,
    mut stopped: oneshot::Receiver<Duration>,
) {
    let held = Arc::new(Held::default());
    let (stop, stopping) = watch::channel(false);
    let (holds, mut all_gone) = mpsc::channel::<Infallible>(1);
    let mut granted = Duration::ZERO;
    for number in 0.. {
        let stream = tokio::select! {
            taken = listener.accept() => taken,
            last_words = &mut stopped => {
                granted = last_words.unwrap_or_default();
                break;
            }
        };
        let Ok((stream, from)) = stream else {
            // No descriptor is left, or whoever called has gone.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let place = held.take(number, from.ip(), most);
        let (router, stopping, holds) = (router.clone(), stopping.clone(), holds.clone());
        tokio::spawn(async move {
            hold(stream, router, Caller(from.ip()), &place, stopping).await;
            drop((place, holds));
        });
    }
    stop.send_replace(true);
    drop((listener, holds));
    let _ = tokio::time::timeout(granted, all_gone.recv()).await;
}

/// Answers on a connection until the other side hangs up, or its place is wanted by another.
async fn hold(stream: TcpStream, router: Router, caller: Caller, place: &Place, mut stopping: watch::Receiver<bool>) {
    let _ = stream.set_nodelay(true);
    let signs = Arc::clone(&place.signs);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(caller);
        signs.asked.store(true, Ordering::Relaxed);
        router.clone().call(request)
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(BUFFER);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service)));
    // Whoever hangs up is no concern of ours.
    tokio::select! {
        _ = &mut connection => return,
        () = place.signs.leave.notified() => return,
        _ = stopping.wait_for(|stopping| *stopping) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// All connections, those that came first in front.
#[derive(Default)]
struct Held(Mutex<BTreeMap<u64, (IpAddr, Arc<Signs>)>>);

/// What is known of a connection, and what it is told.
#[derive(Default)]
struct Signs {
    /// Whether a whole request has come.
    asked: AtomicBool,
    /// It has to give its place to another.
    leave: Notify,
}

/// A connection's place, given back when it is dropped.
struct Place {
    held: Arc<Held>,
    number: u64,
    signs: Arc<Signs>,
}

impl Held {
    /// Takes a place for a newcomer. Where there are too many, the address that holds most gives one up: one that has asked nothing
    /// yet, or else its oldest.
    fn take(self: &Arc<Held>, number: u64, from: IpAddr, most: usize) -> Place {
        let signs = Arc::new(Signs::default());
        let mut held = lock(&self.0);
        held.insert(number, (from, Arc::clone(&signs)));
        if held.len() > most
            && let Some(number) = one_too_many(&held)
            && let Some((_, signs)) = held.remove(&number)
        {
            signs.leave.notify_one();
        }
        Place { held: Arc::clone(self), number, signs }
    }
}

fn one_too_many(held: &BTreeMap<u64, (IpAddr, Arc<Signs>)>) -> Option<u64> {
    let mut counts: HashMap<IpAddr, usize> = HashMap::new();
    held.values().for_each(|(from, _)| *counts.entry(*from).or_default() += 1);
    let most = counts.into_iter().max_by_key(|(_, count)| *count)?.0;
    let theirs = held.iter().filter(|(_, (from, _))| *from == most);
    theirs.min_by_key(|(number, (_, signs))| (signs.asked.load(Ordering::Relaxed), **number)).map(|(number, _)| *number)
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.held.0).remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_that_holds_most_gives_a_place_up() {
        let held = Arc::new(Held::default());
        let [greedy, modest] = [1, 2].map(|last| IpAddr::from([192, 0, 2, last]));
        let mut places = vec![held.take(0, modest, 4)];
        places.extend((1..4).map(|number| held.take(number, greedy, 4)));
        places[1].signs.asked.store(true, Ordering::Relaxed);
        let left = || held.0.lock().expect("nobody panicked").keys().copied().collect::<Vec<_>>();
        places.push(held.take(4, modest, 4));
        assert_eq!(left(), [0, 1, 3, 4], "the oldest of those that ask nothing goes");
        places.push(held.take(5, greedy, 4));
        assert_eq!(left(), [0, 1, 4, 5], "no newcomer of the greedy one drives another address out");
        places.push(held.take(6, greedy, 4));
        assert_eq!(left(), [0, 1, 4, 6]);
        places.drain(..);
        assert!(left().is_empty(), "a place is given back");
    }
}
