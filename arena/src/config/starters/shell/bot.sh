#!/bin/sh
# The loop that speaks with the arena, in lines of words. What the bot plays is the function choose in the file of each game.
set -f # a word like * is no pattern

# The first line: GAME SEAT NAME=VALUE...
read -r game _ || exit
if [ ! -f "./$game.sh" ]; then
    echo "this bot does not play $game" >&2
    exit 1
fi
. "./$game.sh"
echo ready

while read -r line; do
    # shellcheck disable=SC2086 # the words are to be split
    choose $line
done
