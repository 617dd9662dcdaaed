/* A bot that makes no flip, at once, and plays one match. */
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[65536];
    int turn;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "{\"type\":\"turn\",\"turn\":%d", &turn) == 1)
            printf("{\"turn\":%d,\"move\":[]}\n", turn);
        else if (strncmp(line, "{\"type\":\"start\"", 15) == 0)
            printf("{\"type\":\"ready\"}\n");
        fflush(stdout);
    }
    return 0;
}
