# The words: SIZE COLOUR, SIZE rows (top first, like ..WB..), then all legal moves (like c2). Prints one of the moves.
choose() {
    size=$1
    shift $((2 + size))
    last=$(printf 'abcdefghij' | cut -c"$size")
    for move in "$@"; do
        case $move in
            "a1" | "a$size" | "${last}1" | "$last$size") # a corner: nobody can ever flip it back
                echo "$move"
                return
                ;;
        esac
    done
    echo "$1"
}
