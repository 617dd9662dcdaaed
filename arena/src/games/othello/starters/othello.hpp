#pragma once
#include <string>
#include <vector>
#include "start.hpp"

namespace othello {

// words: SIZE COLOUR, SIZE rows (top first, like ..WB..), then all legal moves (like c2). Returns one of the moves.
inline std::string choose(const std::vector<std::string>& words) {
    int size = std::stoi(words[0]);
    std::vector<std::string> legal(words.begin() + 2 + size, words.end());
    for (const auto& move : legal) {
        int column = move[0] - 'a' + 1, row = std::stoi(move.substr(1));
        if ((column == 1 || column == size) && (row == 1 || row == size))
            return move;  // a corner: nobody can ever flip it back
    }
    return legal[0];
}

}  // namespace othello
