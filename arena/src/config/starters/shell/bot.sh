#!/bin/sh
# The loop that speaks with the arena, in lines of words. What the bot plays is the function choose in the file of each game.
set -f # a word like * is no pattern

# The first line: GAME SEAT NAME=VALUE...
read -r game seat rest || exit
if [ ! -f "./$game.sh" ]; then
    echo "this bot does not play $game" >&2
    exit 1
fi
# For choose, besides seat (0 moves first, 1 second): seed, this bot's own (draw from it, and a match can be played again), and
# move_ms, the limit on a move in milliseconds (-1 without one). A program like awk has to be handed them: awk -v seed="$seed".
seed=0 move_ms=-1
for word in $rest; do
    case $word in
        move_ms=null) ;;
        seed=*) seed=${word#*=} ;;
        move_ms=*) move_ms=${word#*=} ;;
    esac
done
. "./$game.sh"
echo ready

while read -r line; do
    # shellcheck disable=SC2086 # the words are to be split
    choose $line
done
