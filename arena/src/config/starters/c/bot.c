/* The loop that speaks with the arena, in lines of words. What the bot plays is choose_GAME in the file of each game. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "start.h"
#include "@game@.h"

/* Puts the answer to a request, count words, into answer. */
typedef void choose_function(char **words, int count, char *answer);

static const struct {
    const char *game;
    choose_function *choose;
} games[] = {
    {"@game@", choose_@game@},
};

struct start start = {0, 0, -1};

int main(void)
{
    char *line = NULL, answer[256], **words = NULL;
    size_t size = 0;
    choose_function *choose = NULL;
    setvbuf(stdout, NULL, _IOLBF, 0); /* without it the arena would never see a line */
    while (getline(&line, &size, stdin) > 0) {
        int count = 0;
        for (char *word = strtok(line, " \r\n"); word; word = strtok(NULL, " \r\n")) {
            words = realloc(words, (count + 1) * sizeof *words);
            words[count++] = word;
        }
        if (count == 0)
            continue;
        if (choose) {
            choose(words, count, answer);
            puts(answer);
            continue;
        }
        /* The first line: GAME SEAT NAME=VALUE... */
        for (int i = 1; i < count; i++) {
            if (i == 1)
                start.seat = atoi(words[i]);
            sscanf(words[i], "seed=%lld", &start.seed);
            sscanf(words[i], "move_ms=%lld", &start.move_ms); /* no number is no limit */
        }
        for (size_t i = 0; i < sizeof games / sizeof *games; i++)
            if (strcmp(words[0], games[i].game) == 0)
                choose = games[i].choose;
        if (!choose) {
            fprintf(stderr, "this bot does not play %s\n", words[0]);
            return 1;
        }
        puts("ready");
    }
    return 0;
}
