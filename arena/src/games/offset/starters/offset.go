package main

import "encoding/json"

func init() { games["offset"] = chooseOffset }

type combination struct {
	From [2]int `json:"from"` // the cell that becomes empty, counted from 1
	To   [2]int `json:"to"`   // the cell that holds the sum
}

// chooseOffset returns a legal move.
func chooseOffset(request Request) any {
	var state struct {
		Size    int
		Offsets [2][2]int // the pairs of seats 0 and 1
		Coins   [][]int   // the rows, y = 1 first
		Owner   [][]int   // 0, 1, or -1 for nobody
	}
	must(json.Unmarshal(request.State, &state))
	size, coins := state.Size, state.Coins
	p, q := state.Offsets[request.Seat][0], state.Offsets[request.Seat][1]
	for y := 0; y < size; y++ {
		for x := 0; x < size; x++ {
			for _, step := range [][2]int{{p, q}, {p, -q}, {q, p}, {q, -p}} {
				otherX, otherY := x+step[0], y+step[1]
				onBoard := otherX < size && otherY >= 0 && otherY < size
				if onBoard && coins[y][x] > 0 && coins[y][x] == coins[otherY][otherX] {
					return combination{[2]int{x + 1, y + 1}, [2]int{otherX + 1, otherY + 1}}
				}
			}
		}
	}
	panic("a seat without a move is not asked")
}
