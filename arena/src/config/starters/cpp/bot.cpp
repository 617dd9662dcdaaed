// The loop that speaks with the arena, in lines of words. What the bot plays is choose in the file of each game.
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
#include "start.hpp"
#include "@game@.hpp"

using Choose = std::string (*)(const std::vector<std::string>&);

static const std::map<std::string, Choose> games = {
    {"@game@", @game@::choose},
};

int main() {
    std::string line;
    Choose choose = nullptr;
    while (std::getline(std::cin, line)) {
        std::istringstream input(line);
        std::vector<std::string> words;
        for (std::string word; input >> word;)
            words.push_back(word);
        if (words.empty())
            continue;
        if (choose) {
            std::cout << choose(words) << std::endl;  // endl also pushes the line out
            continue;
        }
        // The first line: GAME SEAT NAME=VALUE...
        if (!games.count(words[0])) {
            std::cerr << "this bot does not play " << words[0] << "\n";
            return 1;
        }
        choose = games.at(words[0]);
        start.seat = std::stoi(words.at(1));
        for (const auto& word : words) {
            if (word.rfind("seed=", 0) == 0)
                start.seed = std::stoll(word.substr(5));
            if (word.rfind("move_ms=", 0) == 0 && word != "move_ms=null")
                start.move_ms = std::stoll(word.substr(8));
        }
        std::cout << "ready" << std::endl;
    }
}
