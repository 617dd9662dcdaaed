// The loop that speaks with the arena. What the bot plays is the function `choose` in the file of each game.
import { createInterface } from "node:readline";

type Choose = (request: unknown) => unknown;

function say(message: object): void {
  process.stdout.write(JSON.stringify(message) + "\n");
}

let choose: Choose | undefined;
let seed: number | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "start") {
    seed = message.seed;
    choose = (await import(`./${message.game}.mjs`)).choose as Choose;
    // reuse: nothing is remembered from one match to the next. Leave it out if your bot keeps something.
    say({ type: "ready", reuse: true });
  } else if (message.type === "turn" && choose) {
    say({ turn: message.turn, move: choose({ ...message, seed }) });
  }
}
