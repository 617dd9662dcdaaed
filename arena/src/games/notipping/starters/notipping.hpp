#pragma once
#include <string>
#include <vector>
#include "start.hpp"

namespace notipping {

// Whether the board does not tip: no turning to the left about -3, none to the right about -1.
inline bool stands(const std::vector<int>& board) {
    int left = -3 * 3, right = -3 * 1;  // the board itself: 3 kg at 0
    for (int x = -30; x <= 30; x++) {
        left -= board[x + 30] * (x + 3);
        right -= board[x + 30] * (x + 1);
    }
    return left <= 0 && right >= 0;
}

// words: PHASE (0 adding, 1 removing), 61 weights (position -30 first, 0 where no block lies), 0, the weights in our hand.
// Returns WEIGHT POSITION (adding) or POSITION (removing); a move that does not tip the board, if there is.
inline std::string choose(const std::vector<std::string>& words) {
    bool removing = words[0] == "1";
    std::vector<int> board, hand;
    for (int i = 1; i <= 61; i++)
        board.push_back(std::stoi(words[i]));
    for (std::size_t i = 63; i < words.size(); i++)
        hand.push_back(std::stoi(words[i]));
    if (removing)
        hand = {0};  // a place without a block weighs nothing
    std::string any;
    for (int weight : hand)
        for (int x = -30; x <= 30; x++) {
            if ((board[x + 30] != 0) != removing)
                continue;  // no block here to take off, or no room for one
            auto after = board;
            after[x + 30] = weight;
            std::string move = removing ? std::to_string(x) : std::to_string(weight) + " " + std::to_string(x);
            if (stands(after))
                return move;
            if (any.empty())
                any = move;
        }
    return any;
}

}  // namespace notipping
