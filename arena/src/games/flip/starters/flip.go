package main

import (
	"encoding/json"
	"math"
)

func init() { games["flip"] = chooseFlip }

type centre [2]float64

type move struct {
	Piece int    `json:"piece"`
	To    centre `json:"to"`
}

// Straight on first, then more and more to the side.
var turns = []float64{0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 1.5, -1.5}

// isFree says whether a whole piece fits here: on the table, and no other piece than the own one nearer than 2.
func isFree(at centre, pieces [2][]centre, seat, own int) bool {
	if math.Abs(at[0]) > 59 || math.Abs(at[1]) > 19 {
		return false
	}
	for owner := range pieces {
		for i, other := range pieces[owner] {
			if (owner != seat || i != own) && math.Hypot(at[0]-other[0], at[1]-other[1]) < 2 {
				return false
			}
		}
	}
	return true
}

// step makes one flip in pieces and returns it; false when no piece can step forward.
func step(pieces [2][]centre, seat int) (move, bool) {
	forward := float64(1 - 2*seat)
	// Those that are home (all inside the other third: 21 and more) only when no other can step.
	for _, home := range []bool{false, true} {
		for piece, own := range pieces[seat] {
			if (forward*own[0] >= 21) != home {
				continue
			}
			for _, turn := range turns {
				to := centre{own[0] + forward*2*math.Cos(turn), own[1] + 2*math.Sin(turn)}
				if isFree(to, pieces, seat, piece) {
					pieces[seat][piece] = to
					return move{piece, to}, true
				}
			}
		}
	}
	return move{}, false
}

// chooseFlip returns a list of flips, each a piece and its new centre, 2 cm from the old one.
func chooseFlip(request Request) any {
	var state struct {
		Pieces [2][]centre // the centres of both seats
		Flips  int         // how many this turn has
	}
	must(json.Unmarshal(request.State, &state))
	moves := []move{}
	for i := 0; i < state.Flips; i++ {
		if made, ok := step(state.Pieces, request.Seat); ok {
			moves = append(moves, made)
		}
	}
	return moves
}
