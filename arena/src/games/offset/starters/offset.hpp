#pragma once
#include <string>
#include <utility>
#include <vector>
#include "start.hpp"

namespace offset {

// words: SIZE SEAT P Q R S (the pairs of seats 0 and 1), SIZE*SIZE coins, SIZE*SIZE owners (0, 1, or -1 for nobody).
// Returns X Y X Y, counted from 1: the cell that becomes empty, then the one that holds the sum.
inline std::string choose(const std::vector<std::string>& words) {
    std::vector<int> numbers;
    for (const auto& word : words)
        numbers.push_back(std::stoi(word));
    int size = numbers[0], seat = numbers[1];
    int p = numbers[2 + 2 * seat], q = numbers[3 + 2 * seat];
    auto coins = [&](int x, int y) { return numbers[6 + y * size + x]; };  // cells from 0
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            for (auto [dx, dy] : std::vector<std::pair<int, int>>{{p, q}, {p, -q}, {q, p}, {q, -p}}) {
                int other_x = x + dx, other_y = y + dy;
                bool on_board = other_x < size && other_y >= 0 && other_y < size;
                if (on_board && coins(x, y) > 0 && coins(x, y) == coins(other_x, other_y))
                    return std::to_string(x + 1) + " " + std::to_string(y + 1) + " " + std::to_string(other_x + 1) + " " +
                           std::to_string(other_y + 1);
            }
    return "";  // a seat without a move is not asked
}

}  // namespace offset
