/// `words`: SIZE COLOUR, SIZE rows (top first, like ..WB..), then all legal moves (like c2). Returns one of the moves.
pub fn choose(words: &[&str]) -> String {
    let size: usize = words[0].parse().unwrap();
    let legal = &words[2 + size..];
    for mv in legal {
        let column = usize::from(mv.as_bytes()[0] - b'a') + 1;
        let row: usize = mv[1..].parse().unwrap();
        if (column == 1 || column == size) && (row == 1 || row == size) {
            return mv.to_string(); // a corner: nobody can ever flip it back
        }
    }
    legal[0].to_string()
}
