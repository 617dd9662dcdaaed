package main

import "encoding/json"

func init() { games["notipping"] = chooseNotipping }

type block struct {
	Weight   int `json:"weight,omitempty"` // not when removing
	Position int `json:"position"`
}

// stands says whether the board stands with this block added (taken off: give its weight as negative).
func stands(torque [2]int, weight, position int) bool {
	return torque[0]-weight*(position+3) <= 0 && torque[1]-weight*(position+1) >= 0
}

// chooseNotipping returns a block and where to place it, or where to take one off; one that does not tip, if there is.
func chooseNotipping(request Request) any {
	var state struct {
		Phase  string   // "add" or "remove"
		Board  []int    // 61 weights, position -30 first, 0 where no block lies
		Hands  [2][]int // the weights that each seat still has
		Torque [2]int   // about the left and the right support
	}
	must(json.Unmarshal(request.State, &state))
	var moves []block
	for index, weight := range state.Board {
		position := index - 30
		if state.Phase == "remove" && weight > 0 {
			if stands(state.Torque, -weight, position) {
				return block{Position: position}
			}
			moves = append(moves, block{Position: position})
		} else if state.Phase == "add" && weight == 0 {
			for _, own := range state.Hands[request.Seat] {
				if stands(state.Torque, own, position) {
					return block{own, position}
				}
				moves = append(moves, block{own, position})
			}
		}
	}
	return moves[0]
}
