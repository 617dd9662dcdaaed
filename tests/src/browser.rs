//! A Chromium without a window, driven as a user drives one: addresses, clicks, keys. It is spoken to over a pair of pipes
//! in the DevTools protocol, a JSON object ended by a zero byte; every wait has a bound.

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use wait_timeout::ChildExt;

/// No answer of the browser takes longer.
const BOUND: Duration = Duration::from_secs(60);

/// What a bot might call itself, or say, to become part of a page: then the page is `taken`.
pub const HOSTILE: &str = "</script><img src=x onerror=\"document.documentElement.dataset.taken='1'\"><!--<script>";

/// In what words it refuses a question whose page went away meanwhile.
const LEFT: [&str; 4] =
    ["navigated or closed", "context was destroyed", "Promise was collected", "Cannot find default execution context"];

/// The program, as `tests::skip::needs` is asked for it.
pub const PROGRAM: &str = "chromium";

const FLAGS: &str = "--headless --no-sandbox --disable-gpu --disable-quic --disable-dev-shm-usage --no-first-run \
                     --disable-background-networking --disable-component-update --disable-sync --remote-debugging-pipe";

/// A running browser with one page. Dropped, it is closed.
pub struct Browser {
    child: Child,
    commands: Option<ChildStdin>,
    messages: Receiver<Value>,
    sent: u64,
    session: Option<String>,
    loaded: Vec<String>,
    complaints: Vec<String>,
    requests: Vec<String>,
    _profile: TempDir,
}

impl Browser {
    /// Starts it with an empty page and a profile of its own.
    pub fn start() -> Browser {
        let profile = TempDir::with_prefix("arena-browser-").expect("a folder for temporary files");
        // It reads commands from descriptor 3 and answers on 4.
        let line = format!("exec {PROGRAM} {FLAGS} --user-data-dir=\"$1\" about:blank 3<&0 4>&1 0</dev/null 1>&2");
        let mut child = Command::new("sh")
            .args(["-c", &line, "sh"])
            .arg(profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell starts");
        let commands = child.stdin.take();
        let mut answers = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut text = Vec::new();
            while answers.read_until(0, &mut text).is_ok_and(|read| read > 0) {
                text.pop();
                let message = serde_json::from_slice(&text).expect("the browser speaks JSON");
                if sender.send(message).is_err() {
                    break;
                }
                text.clear();
            }
        });
        let mut browser = Browser {
            child,
            commands,
            messages,
            sent: 0,
            session: None,
            loaded: Vec::new(),
            complaints: Vec::new(),
            requests: Vec::new(),
            _profile: profile,
        };
        browser.attach();
        browser
    }

    fn attach(&mut self) {
        let target = self.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = self.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        self.session = Some(attached["sessionId"].as_str().expect("a session has an id").to_string());
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        self.call("Page.setLifecycleEventsEnabled", json!({"enabled": true}));
    }

    /// Gives the page a size in CSS pixels, and light or dark as what its reader prefers.
    pub fn look(&mut self, width: u32, height: u32, scheme: &str) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let feature = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", feature);
    }

    /// Shows the page as it is printed.
    pub fn print_view(&mut self) {
        self.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    }

    /// Opens a file, with what follows its path in the address, and waits until it is loaded.
    pub fn open(&mut self, file: &Path, fragment: &str) {
        // An address that differs in its fragment only would load nothing.
        self.go("about:blank");
        self.go(&format!("file://{}{fragment}", file.display()));
    }

    /// Opens an address, and waits until it is loaded.
    pub fn visit(&mut self, url: &str) {
        self.go("about:blank");
        self.go(url);
    }

    /// The page as it looks now, as a PNG.
    pub fn screenshot(&mut self, file: &Path) {
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let bytes = BASE64_STANDARD.decode(shot["data"].as_str().expect("a picture")).expect("it is base64");
        std::fs::write(file, bytes).expect("the picture can be written");
    }

    fn go(&mut self, url: &str) {
        let going = self.call("Page.navigate", json!({"url": url}));
        assert_eq!(going["errorText"], Value::Null, "{url} cannot be opened");
        let end = Instant::now() + BOUND;
        while !self.loaded.iter().any(|loader| going["loaderId"] == json!(loader)) {
            let message = self.receive(url, end);
            self.hear(&message);
        }
    }

    /// The value of a JavaScript expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", asked);
        assert_eq!(answer["exceptionDetails"], Value::Null, "{expression} fails");
        answer["result"]["value"].clone()
    }

    /// The text that an element shows.
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({}).innerText", json!(selector)));
        text.as_str().unwrap_or_else(|| panic!("{selector} has no text")).to_string()
    }

    /// Waits until an expression holds, on this page or on one to which it is being left.
    pub fn until(&mut self, expression: &str) {
        let looked = format!(
            "new Promise((done) => {{
               const end = performance.now() + {bound};
               const look = () => ({expression}) ? done(true) : performance.now() > end ? done(false) : setTimeout(look, 5);
               look(); }})",
            bound = BOUND.as_millis() / 2,
        );
        let asked = json!({"expression": looked, "returnByValue": true, "awaitPromise": true});
        let end = Instant::now() + BOUND;
        while Instant::now() < end {
            match self.ask("Runtime.evaluate", asked.clone()) {
                Ok(answer) => {
                    assert_eq!(answer["exceptionDetails"], Value::Null, "{expression} fails");
                    if answer["result"]["value"] != json!(true) {
                        let says = self.value("document.body.innerText.slice(0, 1000)");
                        panic!("it never comes to this: {expression}; the page says: {says}");
                    }
                    return;
                }
                // The page went away under the question: it is asked of the next one.
                Err(refusal) if LEFT.iter().any(|left| refusal.contains(left)) => {}
                Err(refusal) => panic!("{expression} cannot be asked: {refusal}"),
            }
        }
        panic!("pages come and go, and it never comes to this: {expression}");
    }

    /// Brings an element into view, and clicks into its middle.
    pub fn click(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.click_at(&place);
    }

    /// Brings an element into view, and taps with a finger into its middle.
    pub fn tap(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.tap_at(&place);
    }

    /// Brings an element into view, and clicks twice into its middle, as fast as a double click.
    pub fn double_click(&mut self, selector: &str) {
        let place = self.middle(selector);
        for count in [1, 2] {
            self.mouse("mousePressed", &place, count);
            self.mouse("mouseReleased", &place, count);
        }
    }

    /// Brings an element into view, and drags from its middle to the lower edge of another one near by.
    pub fn drag(&mut self, from: &str, below: &str) {
        let from = self.middle(from);
        let to = self.value(&format!(
            "(() => {{ const b = document.querySelector({}).getBoundingClientRect();
               return b.bottom > 0 && b.bottom < innerHeight ? [b.x + b.width / 2, b.bottom - 2] : null; }})()",
            json!(below)
        ));
        assert_ne!(to, Value::Null, "{below} is out of view");
        for (kind, place) in [("mousePressed", &from), ("mouseMoved", &to), ("mouseReleased", &to)] {
            self.mouse(kind, place, 1);
        }
    }

    /// Clicks at a point of the window: `[x, y]`, in CSS pixels.
    pub fn click_at(&mut self, place: &Value) {
        for kind in ["mousePressed", "mouseReleased"] {
            self.mouse(kind, place, 1);
        }
    }

    /// The middle of an element, brought into view, once it has the same place in two frames that follow each other: what is still being
    /// laid out would be missed, and so would what is not there yet.
    fn middle(&mut self, selector: &str) -> Value {
        let middle = self.value(&format!(
            "new Promise((done) => {{
               const end = performance.now() + {bound};
               const place = () => {{
                 const found = document.querySelector({selector});
                 if (!found?.getClientRects().length) return null;
                 found.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});
                 const {{ x, y, width, height }} = found.getBoundingClientRect();
                 return [x + width / 2, y + height / 2]; }};
               const look = (before) => requestAnimationFrame(() => {{
                 const now = place();
                 const stands = now !== null && now[0] === before?.[0] && now[1] === before[1];
                 stands || performance.now() > end ? done(stands ? now : null) : look(now); }});
               look(place()); }})",
            bound = BOUND.as_millis() / 2,
            selector = json!(selector)
        ));
        assert_ne!(middle, Value::Null, "{selector} is not seen, or never stands still");
        middle
    }

    fn mouse(&mut self, kind: &str, place: &Value, count: u32) {
        let event =
            json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "buttons": 1, "clickCount": count});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Taps with a finger at a point of the window: `[x, y]`, in CSS pixels.
    pub fn tap_at(&mut self, place: &Value) {
        self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true, "maxTouchPoints": 1}));
        let touched = json!({"type": "touchStart", "touchPoints": [{"x": place[0], "y": place[1]}]});
        self.call("Input.dispatchTouchEvent", touched);
        self.call("Input.dispatchTouchEvent", json!({"type": "touchEnd", "touchPoints": []}));
    }

    /// Presses a key by its name, such as `ArrowLeft`, `Home`, `Tab` or a space.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            " " => 32,
            "Tab" => 9,
            "Enter" => 13,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => panic!("the browser's keyboard has no key {key:?} yet"),
        };
        let text = match key {
            " " => " ",
            // What makes a button of it.
            "Enter" => "\r",
            _ => "",
        };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({"type": kind, "key": key, "windowsVirtualKeyCode": code, "text": text});
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// What the browser has complained about so far: errors of scripts, what a policy refused, what could not be loaded.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// Panics where the browser has complained of anything, or asked for an address that does not begin so.
    pub fn was_quiet(&self, url: &str) {
        assert!(self.complaints.is_empty(), "{:#?}", self.complaints);
        self.asked_only(url);
    }

    /// Panics where the browser has asked for an address that does not begin so.
    pub fn asked_only(&self, url: &str) {
        let elsewhere = |asked: &&String| !["about:blank", "data:", url].iter().any(|own| asked.starts_with(own));
        assert_eq!(self.requests.iter().find(elsewhere), None, "that is elsewhere than {url}");
    }

    /// The addresses that were asked for so far.
    pub fn requests(&self) -> &[String] {
        &self.requests
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.ask(method, params).unwrap_or_else(|refusal| panic!("{method} is refused: {refusal}"))
    }

    /// What the browser answers, or the words with which it refuses.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.sent += 1;
        let mut command = json!({"id": self.sent, "method": method, "params": params});
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        let commands = self.commands.as_mut().expect("the pipe is open until the browser is dropped");
        commands.write_all(format!("{command}\0").as_bytes()).expect("the browser takes commands");
        let end = Instant::now() + BOUND;
        loop {
            let message = self.receive(method, end);
            if message["id"] == json!(self.sent) {
                return match &message["error"] {
                    Value::Null => Ok(message["result"].clone()),
                    refusal => Err(refusal["message"].as_str().unwrap_or_default().to_string()),
                };
            }
            self.hear(&message);
        }
    }

    fn receive(&mut self, awaited: &str, end: Instant) -> Value {
        let left = end.saturating_duration_since(Instant::now());
        self.messages.recv_timeout(left).unwrap_or_else(|_| panic!("the browser gives no answer to {awaited}"))
    }

    fn hear(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.complaints.push(params["exceptionDetails"].to_string()),
            Some("Runtime.consoleAPICalled") => self.complaints.push(params["args"].to_string()),
            Some("Log.entryAdded") => self.complaints.push(params["entry"].to_string()),
            Some("Page.lifecycleEvent") if params["name"] == "load" => {
                self.loaded.push(params["loaderId"].as_str().unwrap_or_default().to_string());
            }
            Some("Network.requestWillBeSent") => {
                self.requests.push(params["request"]["url"].as_str().unwrap_or_default().to_string());
            }
            _ => {}
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It ends when nobody is left to command it.
        self.commands = None;
        if !matches!(self.child.wait_timeout(Duration::from_secs(5)), Ok(Some(_))) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
