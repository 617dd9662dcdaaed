package main

import "encoding/json"

func init() { games["othello"] = chooseOthello }

// chooseOthello returns a legal move, like "c2".
func chooseOthello(request Request) any {
	var state struct {
		Size  int
		Board []string // the rows, the top one first, like "..WB.."
	}
	var legal []string // all legal moves
	must(json.Unmarshal(request.State, &state))
	must(json.Unmarshal(request.Legal, &legal))
	for _, move := range legal {
		column, row := int(move[0]-'a'), int(move[1]-'1')
		if len(move) > 2 {
			row = 9 // row 10
		}
		if (column == 0 || column == state.Size-1) && (row == 0 || row == state.Size-1) {
			return move // a corner: nobody can ever flip it back
		}
	}
	return legal[0]
}
