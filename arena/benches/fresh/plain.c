/* The least that matches between fresh processes can cost: plain BOT LINES0 LINES1 MATCHES starts two bots a match, writes each
 * what the arena wrote it (a line each: start, turns, end), waits for every answer with poll and a deadline, and reaps both. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

struct script {
    char *lines[4096];
    int count;
};

struct bot {
    pid_t pid;
    int in, out;
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static struct script read_script(const char *path) {
    struct script script = {.count = 0};
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    while (script.count < 4096 && getline(&line, &room, file) > 0) script.lines[script.count++] = strdup(line);
    fclose(file);
    return script;
}

static struct bot start(char *program) {
    int in[2], out[2];
    struct bot bot;
    posix_spawn_file_actions_t actions;
    char *argv[] = {program, NULL};
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) fail("pipe2");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    if (posix_spawn(&bot.pid, program, &actions, NULL, argv, environ)) fail(program);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    bot.in = in[1];
    bot.out = out[0];
    return bot;
}

static void say(struct bot *bot, const char *line) {
    size_t length = strlen(line);
    if (write(bot->in, line, length) != (ssize_t)length) fail("write");
}

static void await_answer(struct bot *bot) {
    char answer[65536];
    size_t length = 0;
    struct timespec now, limit;
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += 1;
    do {
        struct pollfd waiting = {.fd = bot->out, .events = POLLIN};
        clock_gettime(CLOCK_MONOTONIC, &now);
        long left = (limit.tv_sec - now.tv_sec) * 1000 + (limit.tv_nsec - now.tv_nsec) / 1000000;
        if (poll(&waiting, 1, left > 0 ? (int)left : 0) != 1) fail("no answer in time");
        ssize_t more = read(bot->out, answer + length, sizeof answer - length);
        if (more <= 0) fail("read");
        length += (size_t)more;
    } while (answer[length - 1] != '\n');
}

static void play(char *program, struct script scripts[2]) {
    struct bot bots[2];
    int turns = scripts[0].count + scripts[1].count - 4;
    for (int seat = 0; seat < 2; seat++) {
        bots[seat] = start(program);
        say(&bots[seat], scripts[seat].lines[0]);
        await_answer(&bots[seat]);
    }
    for (int turn = 0; turn < turns; turn++) {
        say(&bots[turn % 2], scripts[turn % 2].lines[1 + turn / 2]);
        await_answer(&bots[turn % 2]);
    }
    for (int seat = 0; seat < 2; seat++) {
        say(&bots[seat], scripts[seat].lines[scripts[seat].count - 1]);
        close(bots[seat].in);
    }
    for (int seat = 0; seat < 2; seat++) {
        if (waitpid(bots[seat].pid, NULL, 0) < 0) fail("waitpid");
        close(bots[seat].out);
    }
}

int main(int count, char **words) {
    if (count != 5) return 2;
    struct script scripts[2] = {read_script(words[2]), read_script(words[3])};
    for (int left = atoi(words[4]); left > 0; left--) play(words[1], scripts);
    return 0;
}
