//! What is said of bad cups: file, line, what was seen and the way out.

use super::super::Ground;
use super::{CUP, cup_text};
use crate::config::read_cup;

const BOTS: &str = "[[bots]]\nbot = \"paper\"\n[[bots]]\nbot = \"random\"\n";

#[test]
fn unknown_keys_are_told_with_what_was_meant() {
    let table = [
        ("pears = 2", "", "3: unknown key `pears`, did you mean `pairs`?"),
        ("ronds = 5", "", "3: unknown key `ronds`, did you mean `rounds`? It is a key of [swiss]"),
        ("rounds = 5", "", "3: unknown key `rounds`: it is a key of [swiss], and stands above it"),
        ("size = 8", "", "3: unknown key `size`: it is a key of [params], and stands above it"),
        ("format = \"swiss\"", "[swiss]\n\nronds = 5", "6: unknown key `ronds` in [swiss], did you mean `rounds`?"),
        ("", "[clock]\nmvoe = \"1s\"", "5: unknown key `mvoe` in [clock], did you mean `move`?"),
        (
            "",
            "[clock]\nseed = 3",
            "5: `seed` stands in [clock], but is a key of the whole cup: write it above the first table",
        ),
        ("", "[params]\nsiez = 8", "5: unknown key `siez` in [params], did you mean `size`?"),
        ("", "[params]\nrange = 8", "5: unknown key `range` in [params]: the keys are size, opening"),
        ("", "[[bots]]\nbto = \"paper\"", "5: unknown key `bto` in [[bots]], did you mean `bot`?"),
        (
            "",
            "[limits]\ncores = 1",
            "5: `cores` stands in [limits], but is a key of the whole cup: write it above the first table",
        ),
    ];
    for (top, tables, message) in table {
        assert_eq!(Ground::new().cup_error(&cup_text("othello", top, tables)), format!("cup.toml:{message}"));
    }
}

#[test]
fn what_is_needed_is_asked_for() {
    let table = [
        ("game = \"othello\"\n", "cup.toml: `name` is missing: write name = \"spring\""),
        ("name = \"spring\"\n", "cup.toml: `game` is missing: write game = \"othello\""),
        (
            "name = \"spring\"\ngame = \"othello\"\n",
            "cup.toml: `bots` is missing: write two [[bots]] or more, each with path = \"../bots/mine\" or bot = \"random\"",
        ),
        (
            "name = \"spring\"\ngame = \"othello\"\n[[bots]]\nbot = \"paper\"\n",
            "cup.toml:3: a cup has two bots or more, and this one has only `paper`: add another [[bots]]",
        ),
        (
            "name = \"my cup\"\ngame = \"othello\"\n",
            "cup.toml:1: `my cup` cannot be a cup's name, which becomes a folder: a name is 1 to 40 of A-Z a-z 0-9 . _ -, \
             beginning with a letter or digit, and neither `draw` nor `human`",
        ),
        (
            "name = \"a\"\ngame = \"chess\"",
            "cup.toml:2: there is no game `chess`: the games are othello, offset, notipping, flip",
        ),
        ("name = \"a\"\ngame = \"ofset\"", "cup.toml:2: there is no game `ofset`, did you mean `offset`?"),
    ];
    for (text, message) in table {
        assert_eq!(Ground::new().cup_error(text), message);
    }
}

#[test]
fn values_are_held_to_their_bounds() {
    let table = [
        ("pairs = 0", "", "3: `pairs` is 0, but must be from 1 to 1000000"),
        (
            "pairs = \"3\"",
            "",
            "3: `pairs` must be a whole number of at most 64 bits, but has the text `\"3\"`: write pairs = 10",
        ),
        ("seed = 9007199254740992", "", "3: `seed` is 9007199254740992, but must be from 0 to 9007199254740991"),
        ("seed = -1", "", "3: `seed` is -1, but must be from 0 to 9007199254740991"),
        ("jobs = 0", "", "3: `jobs` is 0, but must be from 1 to 1024"),
        (
            "jobs = 2\ncores = [\"0\"]",
            "",
            "4: `cores` has 1 entries, but `jobs` is 2: each match that is played at the same time needs one",
        ),
        ("cores = [\"x\"]", "", "3: `cores`: `x` is no list of cores: write them like `0`, `0,2` or `0-3`"),
        ("thinking = \"always\"", "", "3: `thinking` is `always`, but must be \"own-turn\" or \"any\""),
        ("hints = 1", "", "3: `hints` must be `true` or `false`, but has the whole number `1`: write hints = true"),
        ("format = \"round_robin\"", "", "3: there is no format `round_robin`, did you mean `round-robin`?"),
        ("format = \"swis\"", "", "3: there is no format `swis`, did you mean `swiss`?"),
        (
            "",
            "[swiss]\nrounds = 3",
            "4: [swiss] is for the format `swiss`, but this cup's is `round-robin`: write format = \"swiss\", or leave the table out",
        ),
        (
            "format = \"swiss\"",
            "[swiss]\nrounds = 2",
            "5: swiss: 2 rounds are too many for 2 entrants, who have all met after 1: give at most 1 rounds, or take round-robin with more `pairs`",
        ),
        (
            "format = \"sprt\"",
            "[sprt]\nelo1 = -1",
            "5: sprt: `elo0` is 0 and `elo1` is -1, but `elo0` must be below `elo1`",
        ),
        (
            "format = \"sprt\"",
            "[sprt]\nbeta = 0.5",
            "5: sprt: `beta` is 0.5, but must be above 0 and below 0.5; 0.05 is usual",
        ),
        (
            "format = \"until-ranked\"",
            "[until_ranked]\nconfidence = 95",
            "5: until-ranked: `confidence` is 95, but must be above 0.5 and below 1; 0.95 is usual",
        ),
        (
            "format = \"gauntlet\"",
            "[gauntlet]\nchallengers = [\"gredy\"]",
            "5: `challengers` names `gredy`, which no bot of this cup is called, did you mean `greedy`?",
        ),
        (
            "format = \"gauntlet\"",
            "[gauntlet]\nchallengers = []",
            "5: `challengers` names no bot: write challengers = [\"mine\"], or leave it out for the first bot",
        ),
        ("", "[grades]\npass_against = \"random\"\npass_pct = 101", "6: `pass_pct` is 101, but must be from 0 to 100"),
        (
            "",
            "[grades]\npass_against = \"nobody\"\npass_pct = 60",
            "5: `pass_against` names `nobody`, which no bot of this cup is called: the bots are greedy, random",
        ),
        ("", "[clock]\nmove = \"0s\"", "5: `move` is no time at all: it must be above 0"),
        (
            "",
            "[clock]\nincrement = \"1s\"",
            "5: `increment` is added to a bank, and there is none: write game = \"2m\" beside it",
        ),
        (
            "",
            "[limits]\ncpu = \"1.5s\"",
            "5: `cpu` must be in whole seconds, from \"1s\": processor time is limited no finer",
        ),
    ];
    for (top, tables, message) in table {
        assert_eq!(Ground::new().cup_error(&cup_text("othello", top, tables)), format!("cup.toml:{message}"));
    }
    let three = CUP.replace(
        "[[bots]]\nbot = \"paper\"",
        "format = \"sprt\"\n[[bots]]\nbot = \"greedy\"\n[[bots]]\nbot = \"paper\"",
    );
    assert_eq!(
        Ground::new().cup_error(&three),
        "cup.toml:3: sprt compares two bots, but there are 3: `greedy`, `paper`, `random`; take until-ranked for more"
    );
}

#[test]
fn what_this_version_cannot_do_is_refused_and_never_ignored() {
    let table = [
        (
            "",
            "[isolation]\nmode = \"none\"\n[limits]\nprocesses = 10",
            "7: `processes` is held by isolation only: leave it out, or leave mode = \"none\" out of [isolation]",
        ),
        ("", "[limits]\nprocesses = 0", "5: `processes` is 0, but must be from 1 to 1048576"),
        ("", "[isolation]\nread = [\"/not/there\"]", "5: `read` names `/not/there`, which is not there"),
        ("", "[isolation]\nusers = \"61000\"", "5: `users` is `61000`, but must be two numbers, like \"61000-61999\""),
        ("", "[isolation]\nmode = \"srict\"", "5: there is no mode `srict`, did you mean `strict`?"),
    ];
    for (top, tables, message) in table {
        assert_eq!(Ground::new().cup_error(&cup_text("othello", top, tables)), format!("cup.toml:{message}"));
    }
}

#[test]
fn parameters_are_refused_where_they_stand() {
    let table = [
        ("othello", "[params]\n\nsize = 7", "6: othello: `size` is 7, but must be 4, 6, 8 or 10"),
        (
            "flip",
            "[params]\nrounds = 5\nn = [1, 2, 201]",
            "6: flip: `n` is 201, but must be a whole number from 1 to 200",
        ),
        ("flip", "[params]\nn = []", "5: `n` is an empty list: write a whole number from 1 to 200, or a list of such"),
        ("flip", "[params]\nn = [3, 4, 3]", "5: `n` lists 3 twice"),
        ("flip", "[params]\nn = \"many\"", "5: flip: `n` is \"many\", but must be a whole number from 1 to 200"),
        ("flip", "[[params]]\nn = 3\n[[params]]\nn = [2, 3]", "7: [[params]] gives the set {\"n\":3} a second time"),
        ("notipping", "[params]\nopening = 3", "5: notipping: `opening` is 3, but must be an even number from 0 to 20"),
        (
            "offset",
            "[params]\nsize = 5\noffsets = \"all\"",
            "5: offset: `d` is 7, but on a board of size 5 it must be from 5 to 5 (2 times size, minus 5): choose another `d`, \
             or a `size` of at least 6",
        ),
        (
            "offset",
            "[params]\noffsets = \"al\"",
            "5: offset: `offsets` is \"al\", but must be the pairs of seats 0 and 1, [[p,q],[r,s]], each with the sum d",
        ),
        ("flip", "[params]\nn = nan", "5: `n` has a number that is not finite, or beyond 64 bits: `nan`"),
    ];
    for (game, params, message) in table {
        assert_eq!(Ground::new().cup_error(&cup_text(game, "", params)), format!("cup.toml:{message}"));
    }
    let many: Vec<String> = (1..=1000).map(|number| number.to_string()).collect();
    let grid = format!("[params]\nn = {:?}\nrounds = [{}]", (1..=20).collect::<Vec<_>>(), many.join(","));
    assert_eq!(
        Ground::new().cup_error(&cup_text("flip", "", &grid)),
        "cup.toml:5: [params] makes more than 10000 sets: shorten its lists"
    );
}

#[test]
fn a_broken_file_is_told_by_the_path_that_was_given() {
    let ground = Ground::new();
    ground.file("my cups/cup.toml", format!("{CUP}[clock\n"));
    let path = ground.path("my cups/cup.toml");
    let error = |path| read_cup(path, &ground.path("arena-dir")).err().expect("it is refused").0;
    assert!(error(&path).starts_with(&format!("{}:7: this is not valid TOML", path.display())), "{}", error(&path));
    let missing = ground.path("cup.toml");
    assert!(error(&missing).starts_with(&format!("`{}` cannot be read: ", missing.display())), "{}", error(&missing));
    assert!(ground.cup_error(&format!("pairs = 1\npairs = 2\n{BOTS}")).starts_with("cup.toml:2: "));
}
