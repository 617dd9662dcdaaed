// The loop that speaks with the arena. What the bot plays is the function choose… in the file of each game.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
)

// Request is what the arena says, start and turn in one. Seed, this bot's own, comes with start and is kept for turns.
type Request struct {
	Type  string
	Game  string
	Turn  int
	Seat  int
	Seed  int64
	Clock struct {
		LimitMs *int64 `json:"limit_ms"` // nil: no limit
	}
	State json.RawMessage
	Legal json.RawMessage
}

// Each game's file adds its function here.
var games = map[string]func(Request) any{}

func main() {
	input := bufio.NewReader(os.Stdin)
	var choose func(Request) any
	var seed int64
	for {
		line, err := input.ReadBytes('\n') // a Scanner would stop at long lines
		if err == io.EOF {
			return
		}
		must(err)
		var request Request
		must(json.Unmarshal(line, &request))
		switch request.Type {
		case "start":
			seed = request.Seed
			choose = games[request.Game]
			if choose == nil {
				log.Fatalf("this bot does not play %s", request.Game)
			}
			// reuse: nothing is remembered from one match to the next. Leave it out if your bot keeps something.
			say(map[string]any{"type": "ready", "reuse": true})
		case "turn":
			request.Seed = seed
			say(map[string]any{"turn": request.Turn, "move": choose(request)})
		}
	}
}

func say(message any) {
	text, err := json.Marshal(message)
	must(err)
	fmt.Println(string(text)) // os.Stdout keeps nothing back
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
