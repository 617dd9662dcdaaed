//! Time as a bot is told of it, as it is judged, and as it is recorded: the three have to be the same.

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use std::time::Duration;
use tests::arena::Arena;
use tests::processes::wait_until;
use tests::transcript::{events, heard};

fn match_with(times: &str) -> Arena {
    Arena::new(["match", "othello", "--json", "--quiet", "--seed", "1", "--transcript", "m.jsonl"]).args(times)
}

fn whole(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no whole number from 0"))
}

fn charged_us(line: &Value) -> u64 {
    let lost = |key: &str| line[key].as_u64().unwrap_or(0);
    whole(&line["took_us"]) - lost("stalled_us").max(lost("arena_us")).min(whole(&line["took_us"]))
}

#[test]
fn a_bank_is_told_as_it_is_judged_and_never_negative() {
    const BANK: u64 = 2000;
    const INCREMENT: u64 = 10;
    let arena = match_with(&format!("--game-time {BANK}ms --increment {INCREMENT}ms --move-time 1s"));
    let arena = arena.fixture("one", "think 25 --echo").fixture("two", "think 15 --echo");
    let run = arena.run();
    assert_eq!(run.code, Some(0), "{run:#?}");
    let transcript = arena.transcript("m.jsonl");
    let mut turns = 0;
    for seat in [0, 1] {
        let messages = heard(&transcript, seat);
        let start = &messages[0].1;
        let clock = json!({"start_ms": 10000, "move_ms": 1000, "game_ms": BANK, "increment_ms": INCREMENT});
        for (key, value) in clock.as_object().expect("it is written as one") {
            assert_eq!(&start["clock"][key], value, "{key}: {start}");
        }
        let mut left_us = BANK * 1000;
        for (_, request) in messages.iter().filter(|(_, message)| message["type"] == "turn") {
            let told = &request["clock"];
            assert_eq!(whole(&told["left_ms"]), left_us / 1000, "{request}");
            assert_eq!(whole(&told["limit_ms"]), (left_us / 1000).min(1000), "{request}");
            assert_eq!(told["move_ms"], 1000, "{request}");
            let Some(line) = events(&transcript, "move").find(|line| line["turn"] == request["turn"]) else { continue };
            assert!(charged_us(line) <= left_us.min(1_000_000), "{line}");
            left_us = left_us - charged_us(line) + INCREMENT * 1000;
            turns += 1;
        }
    }
    assert!(turns > 20, "{turns} turns: {run:#?}");
}

#[test]
fn a_bank_that_runs_out_forfeits_at_what_was_told() {
    let arena = match_with("--game-time 600ms --move-time 10s").fixture("slow", "think 100 --echo").args("--bot paper");
    let result = arena.run().json();
    assert_eq!((&result["reason"], &result["at_fault"]), (&json!("timeout"), &json!(0)), "{result}");
    let transcript = arena.transcript("m.jsonl");
    let messages = heard(&transcript, 0);
    let (_, last) = messages.iter().rfind(|(_, message)| message["type"] == "turn").expect("it was asked");
    let (limit, turn) = (whole(&last["clock"]["limit_ms"]), &last["turn"]);
    assert!(limit < 600 && last["clock"]["left_ms"] == limit, "{last}");
    let detail = result["detail"].as_str().unwrap_or_default();
    // A bank is kept in microseconds, and told rounded down.
    assert!(detail.contains(&format!("within {limit}")) && detail.contains(&format!("turn {turn} ")), "{detail}");
    assert_eq!(arena.also("verify m.jsonl").code, Some(0));
}

/// What a bot measures between reading and writing is part of what is recorded, and no more than that is charged.
#[test]
fn a_bot_that_measures_itself_never_measures_more_than_is_recorded() {
    let arena = match_with("--param size=4").fixture("one", "think 20").fixture("two", "think 20");
    assert_eq!(arena.run().json()["reason"], "finished");
    let transcript = arena.transcript("m.jsonl");
    let log: String = events(&transcript, "stderr").filter_map(|log| log["text"].as_str()).collect();
    let mut compared = 0;
    for line in log.lines() {
        let (turn, own) = line.strip_prefix("turn ").and_then(|line| line.split_once(": ")).expect("it tells its time");
        let turn: u64 = turn.parse().expect("a turn has a number");
        let own: u64 = own.split(' ').next().and_then(|us| us.parse().ok()).expect("in microseconds");
        let recorded = events(&transcript, "move").find(|line| line["turn"] == turn).expect("it moved");
        assert!((20_000..=whole(&recorded["took_us"])).contains(&own), "{line}: {recorded}");
        compared += 1;
    }
    assert!(compared > 8, "{log}");
}

#[test]
fn a_limit_is_told_as_it_is_judged() {
    for (time, ms) in [("300ms", 300), ("0.45s", 450), ("350000us", 350)] {
        let arena =
            match_with(&format!("--move-time {time}")).args("--bot paper").fixture("slow", "silent --echo --at 2");
        let run = arena.run();
        let result = run.json();
        assert_eq!((&result["reason"], &result["at_fault"]), (&json!("timeout"), &json!(1)), "{time}: {run:#?}");
        let transcript = arena.transcript("m.jsonl");
        assert_eq!(transcript[0]["clock"]["move_ms"], ms, "{time}");
        let messages = heard(&transcript, 1);
        assert_eq!(messages[0].1["clock"]["move_ms"], ms, "{time}");
        assert_eq!(messages[1].1["clock"], json!({"limit_ms": ms, "move_ms": ms, "left_ms": null}), "{time}");
        let detail = result["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(&format!("within {ms} ms")), "{time}: {detail}");
        assert!(whole(&result["max_us"][1]) >= ms * 1000, "{time}: {result}");
    }
}

#[test]
fn getting_ready_costs_no_thinking_time() {
    let arena = match_with("--start-time 20s").fixture("slow", "late-ready 1500").args("--bot paper");
    let result = arena.run().json();
    assert_eq!(result["reason"], "finished", "{result}");
    assert!(whole(&result["max_us"][0]) < 1_000_000, "{result}");
    let ready = arena.transcript("m.jsonl").into_iter().find(|line| line["type"] == "ready").expect("it was ready");
    assert!(whole(&ready["took"]) >= 1_500_000, "{ready}");
}

#[test]
fn one_long_pause_is_told_with_its_turn_and_limit() {
    let arena = match_with("--move-time 500ms").fixture("pauses", "stall 5000").args("--bot paper");
    let result = arena.run().json();
    let detail = result["detail"].as_str().unwrap_or_default();
    assert_eq!((&result["reason"], &result["at_fault"]), (&json!("timeout"), &json!(0)), "{result}");
    // Its tenth answer: it moves first, so the tenth is that to turn 18, unless somebody had to pass.
    assert!(detail.contains("turn 18 within 500 ms"), "{detail}");
    assert_eq!(events(&arena.transcript("m.jsonl"), "move").filter(|line| line["seat"] == 0).count(), 9);
}

#[test]
fn without_limits_a_bot_that_is_stopped_may_go_on_later() {
    let arena = match_with("--no-limits --move-time 50ms --start-time 50ms --game-time 50ms");
    let file = arena.path("pid");
    let bot = format!(
        "debugged=sh -c 'echo $$ > pid.new; mv pid.new pid; exec \"$0\" stop-self --echo --marker {}' {}",
        arena.marker(),
        tests::binaries::fixture().display()
    );
    let arena = arena.arg("--bot").arg(bot).args("--bot paper");
    let mut running = arena.start();
    let state = || {
        let pid = std::fs::read_to_string(&file).ok()?.trim().parse::<i32>().ok()?;
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit(") ").next()?.starts_with('T').then_some(pid)
    };
    assert!(wait_until(Duration::from_secs(20), || state().is_some()), "it stops itself when it is asked");
    // Far beyond every limit that was given besides.
    assert!(running.finish(Duration::from_millis(1500)).is_none(), "the match was ended");
    let pid = nix::unistd::Pid::from_raw(state().expect("it is still stopped"));
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGCONT).expect("it is there");
    let run = running.finish(Duration::from_secs(30)).expect("the match goes on");
    assert_eq!(run.json()["reason"], "finished", "{run:#?}");

    // The transcript says that nobody was timed, and so did the arena.
    let transcript = arena.transcript("m.jsonl");
    for key in ["start_ms", "move_ms", "game_ms"] {
        assert_eq!(transcript[0]["clock"][key], Value::Null, "{key}");
    }
    let messages = heard(&transcript, 0);
    assert_eq!(messages[0].1["clock"]["move_ms"], Value::Null);
    assert_eq!(messages[1].1["clock"], json!({"limit_ms": null, "move_ms": null, "left_ms": null}));
    assert_eq!(arena.also("verify m.jsonl").code, Some(0));
}

#[test]
fn a_pause_is_outside_the_clocks() {
    let arena = match_with("--param size=4 --pause 200ms --game-time 1s").args("--bot paper --bot paper");
    let run = arena.run();
    let result = run.json();
    assert_eq!(result["reason"], "finished", "{run:#?}");
    let turns = whole(&result["turns"]);
    assert!(run.took >= Duration::from_millis(200 * (turns - 1)), "{turns} turns in {:?}", run.took);
}

#[test]
fn a_bot_hears_everything_in_the_documented_order() {
    let arena = match_with("--param size=4").fixture("one", "good --echo").fixture("two", "good --echo");
    let result = arena.run().json();
    let transcript = arena.transcript("m.jsonl");
    let played: Vec<Value> = transcript
        .iter()
        .filter(|line| line["type"] == "move" || line["type"] == "pass")
        .map(|line| json!({"turn": line["turn"], "seat": line["seat"], "move": line.get("move")}))
        .collect();
    for seat in [0, 1] {
        let messages: Vec<Value> = heard(&transcript, seat).into_iter().map(|(_, message)| message).collect();
        let (start, rest) = messages.split_first().expect("it was started");
        let (end, requests) = rest.split_last().expect("it was told of the end");
        let expected = json!({
            "type": "start", "protocol": 1, "game": "othello", "params": {"size": 4, "opening": 0}, "seat": seat,
            "players": ["one", "two"], "seed": transcript[0]["players"][seat as usize]["seed"],
            "match": transcript[0]["id"],
        });
        for (key, value) in expected.as_object().expect("it is written as one") {
            assert_eq!(&start[key], value, "{key}: {start}");
        }
        assert_eq!(end["type"], "end");
        for key in ["winner", "scores", "reason", "detail", "at_fault"] {
            assert_eq!(end["result"][key], result[key], "{key}: {end}");
        }
        let mut since = Vec::new();
        for message in rest {
            since.extend(message["since"].as_array().expect("it lists what was played").clone());
            if message["type"] == "turn" {
                assert_eq!(
                    (&message["seat"], whole(&message["turn"]) as usize),
                    (&json!(seat), since.len()),
                    "{message}"
                );
                assert!(message["state"].is_object() && message["legal"].is_array(), "{message}");
            }
        }
        assert_eq!(since, played, "all that was played is told once");
        let own = played.iter().filter(|turn| turn["seat"] == seat && !turn["move"].is_null()).count();
        assert_eq!(requests.len(), own, "it is asked for its own moves only");
    }
}

/// As by Ctrl-Z: what the arena missed by that is not the bot's, which answered long before it was looked at.
#[test]
fn while_the_arena_stands_still_nobody_loses_time() {
    let arena = match_with("--param size=4 --move-time 400ms").fixture("one", "think 200").fixture("two", "good");
    let mut running = arena.start();
    let played = || std::fs::read_to_string(arena.path("m.jsonl")).is_ok_and(|text| text.contains("\"move\":"));
    assert!(wait_until(Duration::from_secs(20), played), "nothing is played");
    running.signal(Signal::SIGSTOP);
    std::thread::sleep(Duration::from_millis(1500));
    running.signal(Signal::SIGCONT);
    let run = running.finish(Duration::from_secs(30)).expect("the match ends");
    assert_eq!(run.json()["reason"], "finished", "{run:#?}");
    let transcript = arena.transcript("m.jsonl");
    let longest = events(&transcript, "move").max_by_key(|line| line["took_us"].as_u64()).expect("it was played");
    assert!(whole(&longest["took_us"]) > 1_000_000 && charged_us(longest) <= 400_000, "{longest}");
    assert_eq!(arena.also("verify m.jsonl").code, Some(0));
}
