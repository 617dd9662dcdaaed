#pragma once
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>
#include "start.hpp"

namespace flip {

struct Centre {
    double x, y;
};

// Whether a whole piece fits here: on the table, and no other piece than the own one nearer than 2.
inline bool is_free(Centre at, const std::vector<Centre>& pieces, int own) {
    if (std::abs(at.x) > 59 || std::abs(at.y) > 19)
        return false;
    for (int i = 0; i < int(pieces.size()); i++)
        if (i != own && std::hypot(at.x - pieces[i].x, at.y - pieces[i].y) < 2)
            return false;
    return true;
}

// One flip as PIECE X Y, made in `pieces` too; empty when no piece can step forward.
inline std::string step(std::vector<Centre>& pieces, int seat, int n) {
    double forward = seat == 0 ? 1 : -1;
    // Those that are home (all inside the other third: 21 and more) only when no other can step.
    for (bool home : {false, true})
        for (int piece = 0; piece < n; piece++) {
            Centre& own = pieces[seat * n + piece];
            if ((forward * own.x >= 21) != home)
                continue;
            // Straight on first, then more and more to the side.
            for (double turn : {0.0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 1.5, -1.5}) {
                Centre to = {own.x + forward * 2 * std::cos(turn), own.y + 2 * std::sin(turn)};
                if (!is_free(to, pieces, seat * n + piece))
                    continue;
                own = to;
                char text[100];
                std::snprintf(text, sizeof text, "%d %.12f %.12f ", piece, to.x, to.y);
                return text;
            }
        }
    return "";
}

// words: SEAT N FLIPS ROUND ROUNDS, then x and y of seat 0's pieces and of seat 1's.
// Returns the flips, each PIECE X Y, the new centre 2 cm from the old one; none for no flip.
inline std::string choose(const std::vector<std::string>& words) {
    int seat = std::stoi(words[0]), n = std::stoi(words[1]), flips = std::stoi(words[2]);
    std::vector<Centre> pieces;
    for (std::size_t i = 5; i + 1 < words.size(); i += 2)
        pieces.push_back({std::stod(words[i]), std::stod(words[i + 1])});
    std::string answer;
    for (int i = 0; i < flips; i++)
        answer += step(pieces, seat, n);
    return answer.empty() ? "none" : answer;
}

}  // namespace flip
