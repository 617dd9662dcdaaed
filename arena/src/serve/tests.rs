//! What the page answers, without a browser.
