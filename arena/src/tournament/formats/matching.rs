//! Who meets whom in a round such that as few as possible meet again.
//!
//! [`repeats_needed`] is exact, by Edmonds's way to a largest matching (J. Edmonds, "Paths, trees, and flowers", 1965);
//! [`pair_up`] follows a wish list and asks it before every step, so it never walks into a dead end. Points and byes are
//! not known here.

use crate::tournament::Entrant;
use std::collections::VecDeque;

/// How many complete pairings are shown before the first of them is taken after all.
const SHOWN: u32 = 64;

/// How often each two have met.
pub(super) struct Met {
    entrants: usize,
    times: Vec<u32>,
}

impl Met {
    pub(super) fn new(entrants: usize) -> Met {
        Met { entrants, times: vec![0; entrants * entrants] }
    }

    pub(super) fn times(&self, one: Entrant, other: Entrant) -> u32 {
        self.times[one * self.entrants + other]
    }

    pub(super) fn note(&mut self, [one, other]: [Entrant; 2]) {
        self.times[one * self.entrants + other] += 1;
        self.times[other * self.entrants + one] += 1;
    }
}

/// How many meetings must be repeated to pair all of these (an even number).
pub(super) fn repeats_needed(players: &[Entrant], met: &Met) -> usize {
    // Who is left over in a largest matching of those who have not met has met everybody else who is.
    let fresh = largest_matching(players.len(), |one, other| met.times(players[one], players[other]) == 0);
    players.len() / 2 - fresh
}

/// Pairs all players (an even number) with as few repeats as can be. The first player gets the first of its wishes that
/// allows this, then the first of those left, and so on: `wishes` is given the players that are left and puts all but the
/// first in the order in which that one would like to meet them. `accept` is shown complete pairings until it likes one;
/// if it likes none of the first [`SHOWN`], the very first is taken, and `false` with it.
pub(super) fn pair_up(
    players: &[Entrant],
    met: &Met,
    wishes: &dyn Fn(&[Entrant]) -> Vec<Entrant>,
    accept: &dyn Fn(&[[Entrant; 2]]) -> bool,
) -> (Vec<[Entrant; 2]>, bool) {
    let mut search = Search { met, wishes, accept, shown: 0, first: None };
    let budget = repeats_needed(players, met);
    let mut chosen = Vec::new();
    let liked = search.choose(players, budget, &mut chosen);
    let pairing = if liked { chosen } else { search.first.expect("a pairing with the repeats it needs exists") };
    (pairing, liked)
}

struct Search<'a> {
    met: &'a Met,
    wishes: &'a dyn Fn(&[Entrant]) -> Vec<Entrant>,
    accept: &'a dyn Fn(&[[Entrant; 2]]) -> bool,
    shown: u32,
    first: Option<Vec<[Entrant; 2]>>,
}

impl Search<'_> {
    /// Whether a complete pairing was found that is accepted; it is in `chosen` then.
    fn choose(&mut self, left: &[Entrant], budget: usize, chosen: &mut Vec<[Entrant; 2]>) -> bool {
        let Some(&player) = left.first() else {
            self.shown += 1;
            self.first.get_or_insert_with(|| chosen.clone());
            return (self.accept)(chosen);
        };
        let mut wishes = (self.wishes)(left);
        wishes.sort_by_key(|&other| self.met.times(player, other));
        for other in wishes {
            let rest: Vec<Entrant> = left.iter().copied().filter(|&it| it != player && it != other).collect();
            let cost = usize::from(self.met.times(player, other) > 0);
            if self.shown == SHOWN || cost + repeats_needed(&rest, self.met) > budget {
                continue;
            }
            chosen.push([player, other]);
            if self.choose(&rest, budget - cost, chosen) {
                return true;
            }
            chosen.pop();
        }
        false
    }
}

/// The size of a largest matching in the graph of so many nodes with these edges.
pub(super) fn largest_matching(nodes: usize, edge: impl Fn(usize, usize) -> bool) -> usize {
    let mut graph = Graph { edge, mates: vec![None; nodes] };
    for node in 0..nodes {
        if graph.mates[node].is_none()
            && let Some(free) = (0..nodes).find(|&it| it != node && graph.mates[it].is_none() && (graph.edge)(node, it))
        {
            graph.mates[node] = Some(free);
            graph.mates[free] = Some(node);
        }
    }
    for root in 0..nodes {
        if graph.mates[root].is_none() {
            graph.grow_from(root);
        }
    }
    graph.mates.iter().flatten().count() / 2
}

struct Graph<E> {
    edge: E,
    mates: Vec<Option<usize>>,
}

/// A tree of alternating paths: where its inner nodes were reached from, and the base of the blossom each is in.
struct Tree {
    parents: Vec<Option<usize>>,
    bases: Vec<usize>,
    outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<E: Fn(usize, usize) -> bool> Graph<E> {
    /// Looks for a path from a free node to another one, and matches one pair more along it.
    fn grow_from(&mut self, root: usize) {
        let nodes = self.mates.len();
        let mut tree = Tree {
            parents: vec![None; nodes],
            bases: (0..nodes).collect(),
            outer: vec![false; nodes],
            queue: VecDeque::from([root]),
        };
        tree.outer[root] = true;
        while let Some(node) = tree.queue.pop_front() {
            for next in 0..nodes {
                let inside = tree.bases[node] == tree.bases[next] || self.mates[node] == Some(next);
                if next == node || inside || !(self.edge)(node, next) {
                    continue;
                }
                if tree.outer[next] {
                    self.shrink(&mut tree, node, next);
                } else if tree.parents[next].is_none() {
                    tree.parents[next] = Some(node);
                    match self.mates[next] {
                        None => return self.flip(&tree, next),
                        Some(mate) => {
                            tree.outer[mate] = true;
                            tree.queue.push_back(mate);
                        }
                    }
                }
            }
        }
    }

    /// Two outer nodes are joined: the odd circle through them, a blossom, counts as one outer node from now on.
    fn shrink(&self, tree: &mut Tree, one: usize, other: usize) {
        let base = self.common_base(tree, one, other);
        let mut in_blossom = vec![false; self.mates.len()];
        self.mark(tree, &mut in_blossom, one, base, other);
        self.mark(tree, &mut in_blossom, other, base, one);
        for node in 0..self.mates.len() {
            if in_blossom[tree.bases[node]] {
                tree.bases[node] = base;
                if !tree.outer[node] {
                    tree.outer[node] = true;
                    tree.queue.push_back(node);
                }
            }
        }
    }

    /// The first base that both nodes' ways to the root have in common.
    fn common_base(&self, tree: &Tree, one: usize, other: usize) -> usize {
        let up = |node: usize| self.mates[node].and_then(|mate| tree.parents[mate]).map(|parent| tree.bases[parent]);
        let way = |node: usize| std::iter::successors(Some(tree.bases[node]), |&base| up(base));
        let ours: Vec<usize> = way(one).collect();
        way(other).find(|base| ours.contains(base)).expect("both ways end at the root")
    }

    /// Marks one side of a blossom, and lets its inner nodes be reached from the other side too.
    fn mark(&self, tree: &mut Tree, in_blossom: &mut [bool], from: usize, base: usize, mut child: usize) {
        let mut node = from;
        while tree.bases[node] != base {
            let mate = self.mates[node].expect("an outer node below the root has a mate");
            in_blossom[tree.bases[node]] = true;
            in_blossom[tree.bases[mate]] = true;
            tree.parents[node] = Some(child);
            child = mate;
            node = tree.parents[mate].expect("the mate of an outer node was reached from one");
        }
    }

    /// Swaps matched and free edges on the way from a free node back to the root.
    fn flip(&mut self, tree: &Tree, end: usize) {
        let mut node = Some(end);
        while let Some(inner) = node {
            let parent = tree.parents[inner].expect("every inner node was reached from an outer one");
            let next = self.mates[parent];
            self.mates[inner] = Some(parent);
            self.mates[parent] = Some(inner);
            node = next;
        }
    }
}
