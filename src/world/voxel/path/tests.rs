//! Path scenes on flat land: what is walked, dug, built, and refused.

use super::super::grid::Grid;
use super::super::nature::natures;
use super::super::seen::Seen;
use super::super::senses::DigCosts;
use super::board::Board;
use super::goal::PathGoal;
use super::{Means, MoveKind, NoWay, Path, PathStep, SAFE_FALL, Search, find};
use crate::block::{self as blocks, BlockId};
use crate::inventory::{Slots, Stack};
use crate::item::ItemId;
use crate::rng::Rng;
use crate::space::{Facing, Pos};

const TOP: i32 = 10;
const START: Pos = Pos::new(0, TOP + 1, 0);

/// A flat scene, all of it known, changed by `build`.
fn scene(build: impl Fn(&mut Grid)) -> Seen {
    let mut grid = Grid::flat(TOP);
    grid.ensure_around(START, 1);
    build(&mut grid);
    let mut seen = Seen::default();
    for x in -8..=8 {
        for y in 1..TOP + 9 {
            for z in -8..=8 {
                seen.note(Pos::new(x, y, z), grid.block(Pos::new(x, y, z)));
            }
        }
    }
    seen
}

/// A scene with so many blocks put anywhere.
fn strewn(rng: &mut Rng, count: i32) -> Seen {
    const KINDS: [BlockId; 6] = [
        blocks::AIR,
        blocks::STONE,
        blocks::WATER,
        blocks::LAVA,
        blocks::CACTUS,
        blocks::GRASS,
    ];
    let mut draw = |low: i32, high: i32| rng.between(low.into(), high.into()) as i32;
    let put: Vec<(Pos, BlockId)> = (0..count)
        .map(|_| {
            let at = START.plus(draw(-8, 8), draw(-4, 3), draw(-8, 8));
            (at, KINDS[draw(0, 5) as usize])
        })
        .collect();
    scene(|grid| {
        for (at, block) in &put {
            grid.set(*at, *block);
        }
    })
}

/// A wall across the whole scene at x = 3.
fn wall(grid: &mut Grid, height: i32, block: BlockId) {
    for (y, z) in (0..height).flat_map(|y| (-9..=9).map(move |z| (y, z))) {
        grid.set(START.plus(3, y, z), block);
    }
}

fn costs(tools: &[&str]) -> DigCosts {
    let mut slots = Slots::default();
    for tool in tools {
        assert_eq!(
            slots.add(Stack::new(tool.parse::<ItemId>().unwrap(), 1)),
            None
        );
    }
    let mut costs = DigCosts::default();
    costs.refresh(&slots, crate::powers::Factor::ONE);
    costs
}

/// The ways of the steps to six blocks east, or what was in the way.
fn ways(seen: &Seen, dig: Option<&DigCosts>, blocks: u32) -> Result<Vec<MoveKind>, NoWay> {
    let goal = PathGoal::Near {
        at: START.plus(6, 0, 0),
        range: 0.5,
    };
    let path = find(
        seen,
        START,
        &goal,
        Means {
            dig,
            blocks,
            ..Means::default()
        },
    )?;
    assert!(path.complete || path.steps.iter().all(|step| step.to.x < 6));
    Ok(if path.complete {
        path.steps.iter().map(|step| step.way).collect()
    } else {
        Vec::new()
    })
}

#[test]
fn no_way_up_is_dug_below_sand_where_there_is_another() {
    // A passage in the rock; four blocks of sand lie over the middle of it.
    let seen = scene(|grid| {
        for (x, y, z) in
            (-3..=3).flat_map(|x| (-3..=3).flat_map(move |z| (0..6).map(move |y| (x, y, z))))
        {
            let block = match (x, y, z) {
                (-2..=2, 0..=1, 0) => blocks::AIR,
                (0, 2.., 0) => blocks::SAND,
                _ => blocks::STONE,
            };
            grid.set(START.plus(x, y, z), block);
        }
    });
    let dig = costs(&["wooden_pickaxe"]);
    let means = Means {
        dig: Some(&dig),
        blocks: 8,
        ..Means::default()
    };
    let goal = PathGoal::Above { y: START.y + 6 };
    let path = find(&seen, START, &goal, means).unwrap();
    assert!(path.complete);
    let is_below_sand = |at: &Pos| (at.x, at.z) == (START.x, START.z) && at.y > START.y + 1;
    let cells: Vec<Pos> = path.steps.iter().flat_map(|step| step.cells()).collect();
    assert!(!cells.iter().any(is_below_sand), "{:?}", path.steps);
}

#[test]
fn level_ground_is_walked_straight() {
    assert_eq!(ways(&scene(|_| {}), None, 0), Ok(vec![MoveKind::Walk; 6]));
}

#[test]
fn one_block_is_jumped_and_fallen_off_and_two_are_not() {
    let over = ways(&scene(|grid| wall(grid, 1, blocks::STONE)), None, 0).unwrap();
    assert!(
        over.contains(&MoveKind::Rise) && over.contains(&MoveKind::Drop),
        "{over:?}"
    );
    assert_eq!(
        ways(&scene(|grid| wall(grid, 2, blocks::STONE)), None, 0),
        Ok(vec![])
    );
}

#[test]
fn a_high_wall_is_dug_through_and_named_when_it_cannot_be() {
    let stone = scene(|grid| wall(grid, 7, blocks::STONE));
    assert_eq!(
        ways(&stone, Some(&costs(&["stone_pickaxe"])), 0),
        Ok(vec![MoveKind::Walk; 6])
    );
    let goal = PathGoal::Near {
        at: START.plus(4, 0, 0),
        range: 0.5,
    };
    let bedrock = scene(|grid| {
        for (y, z) in (-9..9).flat_map(|y| (-9..=9).map(move |z| (y, z))) {
            grid.set(START.plus(1, y, z), blocks::BEDROCK);
        }
    });
    let means = Means {
        dig: Some(&costs(&["stone_pickaxe"])),
        ..Means::default()
    };
    let refused = find(&bedrock, START, &goal, means);
    assert_eq!(
        refused,
        Err(NoWay {
            blocked_by: Some(blocks::BEDROCK),
            unseen: None,
            too_deep: None,
        })
    );
}

#[test]
fn a_gap_is_bridged_only_with_blocks_to_spare() {
    let seen = scene(|grid| {
        for (y, z) in (-9..0).flat_map(|y| (-9..=9).map(move |z| (y, z))) {
            grid.set(START.plus(3, y, z), blocks::AIR);
        }
    });
    assert_eq!(ways(&seen, None, 0), Ok(vec![]));
    assert!(ways(&seen, None, 1).unwrap().contains(&MoveKind::Bridge));
}

#[test]
fn a_fall_that_hurts_is_dared_as_far_as_the_body_may_fall() {
    let pit = |depth: i32| {
        scene(|grid| {
            for z in -9..=9 {
                for (x, y) in (1..=9).flat_map(|x| (1..=depth).map(move |y| (x, y))) {
                    grid.set(START.plus(x, -y, z), blocks::AIR);
                }
            }
        })
    };
    let falls = |depth: i32, fall: i32| {
        let goal = PathGoal::Near {
            at: START.plus(6, -depth, 0),
            range: 0.5,
        };
        let means = Means {
            fall,
            ..Means::default()
        };
        find(&pit(depth), START, &goal, means).is_ok_and(|path| path.complete)
    };
    assert!(falls(3, SAFE_FALL) && !falls(5, SAFE_FALL) && falls(5, 5) && !falls(6, 5));
}

#[test]
fn where_there_is_no_way_the_least_fall_that_was_too_deep_is_told() {
    // An edge all around, five blocks above the ground and beyond it seven.
    let seen = scene(|grid| {
        for (x, z) in (-9..=9).flat_map(|x| (-9..=9).map(move |z| (x, z))) {
            let deep = if i32::max(i32::abs(x), i32::abs(z)) < 5 {
                5
            } else {
                7
            };
            for y in (1..=deep).filter(|_| (x, z) != (0, 0)) {
                grid.set(START.plus(x, -y, z), blocks::AIR);
            }
        }
    });
    let goal = PathGoal::Near {
        at: START.plus(8, -7, 0),
        range: 0.5,
    };
    let found = find(&seen, START, &goal, Means::default());
    assert_eq!(found.map_err(|no_way| no_way.too_deep), Err(Some(5)));
}

#[test]
fn a_gap_too_deep_to_fall_into_is_rather_gone_round() {
    // One block wide, with ground across it five blocks aside.
    let across = |depth: i32| {
        let seen = scene(|grid| {
            for (y, z) in (1..=depth).flat_map(|y| (-9..5).map(move |z| (-y, z))) {
                grid.set(START.plus(3, y, z), blocks::AIR);
            }
        });
        ways(&seen, None, 1).unwrap()
    };
    assert!(across(9).contains(&MoveKind::Bridge));
    let round = across(10);
    assert!(
        round.len() > 9 && !round.contains(&MoveKind::Bridge),
        "{round:?}"
    );
}

#[test]
fn lava_is_neither_entered_nor_dug_at() {
    let moat = scene(|grid| {
        for z in -9..=9 {
            grid.set(START.plus(3, -1, z), blocks::LAVA);
        }
    });
    assert_eq!(ways(&moat, None, 0), Ok(vec![]));
    let behind = scene(|grid| {
        wall(grid, 7, blocks::STONE);
        for (y, z) in (0..7).flat_map(|y| (-9..=9).map(move |z| (y, z))) {
            grid.set(START.plus(4, y, z), blocks::LAVA);
        }
    });
    let goal = PathGoal::Near {
        at: START.plus(6, 0, 0),
        range: 0.5,
    };
    let means = Means {
        dig: Some(&costs(&["iron_pickaxe"])),
        ..Means::default()
    };
    let path = find(&behind, START, &goal, means).unwrap();
    let touched = path.steps.iter().flat_map(|step| step.cells());
    let beside = touched.flat_map(|at| Facing::ALL.map(|f| at.side(f)));
    assert!(
        beside.into_iter().all(|at| !behind.nature(at).is_lava()),
        "{path:?}"
    );
}

#[test]
fn a_wall_whose_end_nobody_has_seen_is_gone_along() {
    let seen = scene(|grid| wall(grid, 7, blocks::STONE));
    let goal = PathGoal::Near {
        at: START.plus(6, 0, 0),
        range: 0.5,
    };
    let walk = |over_unseen| {
        let means = Means {
            over_unseen,
            ..Means::default()
        };
        find(&seen, START, &goal, means).unwrap()
    };
    let end = |path: &Path| path.steps.last().unwrap().to;
    assert_eq!(end(&walk(false)), START.plus(2, 0, 0), "before the wall");
    let along = walk(true);
    assert_eq!(end(&along).z.abs(), 8, "where the known land ends");
    let is_seen = |step: &PathStep| !seen.nature(step.to).is_unknown();
    assert!(!along.complete && along.steps.iter().all(is_seen));
}

#[test]
fn a_step_over_an_edge_that_nobody_has_looked_over_is_named() {
    let mut grid = Grid::flat(TOP);
    grid.ensure_around(START, 1);
    let mut seen = Seen::default();
    let edge = START.plus(1, 0, 0);
    for (x, z) in (-8..=8).flat_map(|x| (-8..=8).map(move |z| (x, z))) {
        let at = START.plus(x, 0, z);
        for up in 0..4 {
            seen.note(at.plus(0, up, 0), blocks::AIR);
        }
        // The land falls away, and the ground down there is hidden by the edge.
        let ground = if x >= edge.x {
            blocks::AIR
        } else {
            blocks::STONE
        };
        seen.note(at.down(), ground);
    }
    let goal = PathGoal::Near {
        at: START.plus(20, -1, 0),
        range: 1.0,
    };
    let means = Means {
        over_unseen: true,
        ..Means::default()
    };
    let no_way = find(&seen, START, &goal, means).unwrap_err();
    let step = no_way.unseen.unwrap();
    assert_eq!((step.from, step.to), (START, edge.down()));
}

#[test]
fn a_way_over_unseen_land_is_given_out_as_far_as_known_steps_lead() {
    let mut rng = Rng::new(12);
    let means = |over_unseen| Means {
        over_unseen,
        ..Means::default()
    };
    let mut given = 0;
    for round in 0..120 {
        let whole = strewn(&mut rng, round);
        let mut seen = Seen::default();
        let (low, high) = (START.plus(-8, -6, -8), START.plus(8, 5, 8));
        for (x, y) in (low.x..=high.x).flat_map(|x| (low.y..=high.y).map(move |y| (x, y))) {
            for at in (low.z..=high.z).map(|z| Pos::new(x, y, z)) {
                let is_near = at.distance(START) < 3.0;
                if let Some(block) = whole.block(at).filter(|_| is_near || rng.chance(0.9)) {
                    seen.note(at, block);
                }
            }
        }
        let goal = PathGoal::Near {
            at: START.plus(20, 1, 9),
            range: 1.0,
        };
        let steps = find(&seen, START, &goal, means(true)).map_or(Vec::new(), |path| path.steps);
        for step in &steps {
            let mut board = Board::default();
            let mut search = Search::begin((&seen, &mut board), step.from, &goal, means(false));
            let mut moves = Vec::new();
            search.walks(step.from, &mut moves);
            let is_offered =
                |(to, way, _): &(Pos, MoveKind, u32)| (*to, *way) == (step.to, step.way);
            assert!(moves.iter().any(is_offered), "round {round}: {step:?}");
        }
        given += steps.len();
    }
    assert!(given > 200, "{given}");
}

#[test]
fn no_step_stands_on_what_is_unknown() {
    let mut seen = scene(|_| {});
    let goal = PathGoal::Near {
        at: START.plus(20, 0, 0),
        range: 0.5,
    };
    let path = find(&seen, START, &goal, Means::default()).unwrap();
    assert!(!path.complete && path.steps.iter().all(|step| step.to.x <= 8));
    seen.note(START.plus(2, 0, 0), blocks::CACTUS);
    assert!(natures()[usize::from(blocks::CACTUS.row())].is_harmful());
    let around = ways(&seen, None, 0).unwrap();
    assert!(
        around.len() >= 6 && around.contains(&MoveKind::Diagonal),
        "{around:?}"
    );
}

#[test]
fn a_walk_and_the_general_search_find_the_same() {
    let mut rng = Rng::new(9);
    let means = Means::default();
    for round in 0..60 {
        let seen = strewn(&mut rng, round * 12);
        for at in [
            START.plus(7, 0, 6),
            START.plus(-7, 2, 3),
            START.plus(40, 0, 0),
        ] {
            let goal = PathGoal::Near { at, range: 1.0 };
            let mut board = Board::default();
            let general = Search::begin((&seen, &mut board), START, &goal, means);
            let general = general.run(Search::moves);
            assert_eq!(find(&seen, START, &goal, means), general, "round {round}");
        }
    }
}

#[test]
fn a_step_needs_the_cells_that_a_body_passes_from_the_top_down() {
    let cells = |way, to: (i32, i32, i32)| {
        let (from, to) = (START, START.plus(to.0, to.1, to.2));
        let cells = PathStep { from, to, way }.cells();
        let about = |p: Pos| (p.x - from.x, p.y - from.y, p.z - from.z);
        cells.map(about).collect::<Vec<_>>()
    };
    for way in [MoveKind::Walk, MoveKind::Bridge, MoveKind::Swim] {
        assert_eq!(cells(way, (1, 0, 0)), [(1, 1, 0), (1, 0, 0)]);
    }
    assert_eq!(cells(MoveKind::Diagonal, (1, 0, 1)), [(1, 1, 1), (1, 0, 1)]);
    assert_eq!(
        cells(MoveKind::Rise, (0, 1, 1)),
        [(0, 2, 0), (0, 2, 1), (0, 1, 1)]
    );
    assert_eq!(
        cells(MoveKind::Drop, (1, -2, 0)),
        [(1, 1, 0), (1, 0, 0), (1, -1, 0), (1, -2, 0)]
    );
    assert_eq!(cells(MoveKind::Sink, (0, -1, 0)), [(0, -1, 0)]);
    assert_eq!(cells(MoveKind::Pillar, (0, 1, 0)), [(0, 2, 0)]);
    assert_eq!(cells(MoveKind::Swim, (0, 1, 0)), [(0, 2, 0)]);
    assert_eq!(cells(MoveKind::Swim, (0, -1, 0)), [(0, -1, 0)]);
}
