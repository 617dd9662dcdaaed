/// `words`: SIZE SEAT P Q R S (the pairs of seats 0 and 1), SIZE*SIZE coins, SIZE*SIZE owners (0, 1, or -1 for nobody).
/// Returns X Y X Y, counted from 1: the cell that becomes empty, then the one that holds the sum.
pub fn choose(words: &[&str]) -> String {
    let numbers: Vec<i32> = words.iter().map(|word| word.parse().unwrap()).collect();
    let (size, seat) = (numbers[0], numbers[1] as usize);
    let (p, q) = (numbers[2 + 2 * seat], numbers[3 + 2 * seat]);
    let coins = |x: i32, y: i32| numbers[(6 + y * size + x) as usize]; // cells from 0
    for y in 0..size {
        for x in 0..size {
            for (dx, dy) in [(p, q), (p, -q), (q, p), (q, -p)] {
                let (other_x, other_y) = (x + dx, y + dy);
                let on_board = other_x < size && (0..size).contains(&other_y);
                if on_board && coins(x, y) > 0 && coins(x, y) == coins(other_x, other_y) {
                    return format!("{} {} {} {}", x + 1, y + 1, other_x + 1, other_y + 1);
                }
            }
        }
    }
    unreachable!("a seat without a move is not asked")
}
