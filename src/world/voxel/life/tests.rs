//! Tests of life: hunting, dying, herds, sleep and sameness.

use super::*;
use crate::item::ItemId;
use crate::space::Pos;

const NIGHT: u32 = 18_000;
const NOON: u32 = 6000;

fn meadow() -> Grid {
    let mut grid = Grid::flat(60);
    grid.ensure_around(Pos::default(), 5);
    grid
}

fn player(x: f64, z: f64) -> PlayerView {
    PlayerView {
        position: Point::new(x, 61.0, z),
        alive: true,
    }
}

fn run(mobs: &mut Mobs, grid: &Grid, player: PlayerView, time: u32, ticks: u32) -> Vec<LifeEvent> {
    let mut rng = Rng::new(1);
    (0..ticks)
        .flat_map(|_| mobs.step(grid, player, time, &mut rng))
        .collect()
}

#[test]
fn a_zombie_comes_and_hurts_the_player_once_a_second() {
    let (grid, mut mobs) = (meadow(), Mobs::new());
    mobs.add(MobKind::Zombie, Point::new(10.5, 61.0, 0.5));
    let events = run(&mut mobs, &grid, player(0.5, 0.5), NOON + 12_000, 160);
    let hits = events.iter().filter(|e| {
        matches!(
            e,
            LifeEvent::PlayerHurt {
                by: MobKind::Zombie,
                damage: 3.0,
                ..
            }
        )
    });
    assert!((2..=5).contains(&hits.count()), "{events:?}");
}

#[test]
fn a_zombie_behind_a_wall_stays_where_it_is() {
    let (mut grid, mut mobs) = (meadow(), Mobs::new());
    for at in 0..40 * 6 {
        grid.set(Pos::new(5, 61 + at / 40, at % 40 - 20), blocks::STONE);
    }
    let number = mobs.add(MobKind::Zombie, Point::new(8.5, 61.0, 0.5));
    let events = run(&mut mobs, &grid, player(0.5, 0.5), NIGHT, 100);
    assert!(
        !events
            .iter()
            .any(|e| matches!(e, LifeEvent::PlayerHurt { .. }))
    );
    assert!(mobs.get(number).is_some_and(|mob| mob.position.x > 6.0));
}

#[test]
fn zombies_burn_by_day_and_leave_something() {
    let (grid, mut mobs) = (meadow(), Mobs::new());
    let number = mobs.add(MobKind::Zombie, Point::new(30.5, 61.0, 0.5));
    let events = run(&mut mobs, &grid, player(0.5, 0.5), NOON, 450);
    let died = events
        .iter()
        .any(|e| matches!(e, LifeEvent::Died { number: n, .. } if *n == number));
    assert!(died && mobs.get(number).is_none(), "{events:?}");
}

#[test]
fn a_hit_cow_is_knocked_back_runs_and_is_safe_for_half_a_second() {
    let (grid, mut mobs) = (meadow(), Mobs::new());
    let cow = mobs.add(MobKind::Cow, Point::new(2.5, 61.0, 0.5));
    run(&mut mobs, &grid, player(0.5, 0.5), NOON, 5);
    let from = player(0.5, 0.5).position;
    assert_eq!(
        mobs.hit(cow, 4.0, from, 0),
        HitOutcome::Hurt { health: 6.0 }
    );
    assert_eq!(mobs.hit(cow, 4.0, from, 0), HitOutcome::Immune);
    run(&mut mobs, &grid, player(0.5, 0.5), NOON, 60);
    let place = |mobs: &Mobs| mobs.get(cow).map(|mob| mob.position).unwrap();
    let ran = place(&mobs).distance(Point::new(2.5, 61.0, 0.5));
    assert!((1.0..20.0).contains(&ran), "to and fro: {ran}");
    assert_eq!(place(&mobs).y, 61.0);
    run(&mut mobs, &grid, player(0.5, 0.5), NOON, 70);
    let calm = place(&mobs);
    run(&mut mobs, &grid, player(0.5, 0.5), NOON, 20);
    assert_eq!(
        place(&mobs),
        calm,
        "five seconds later, once it is where it ran to"
    );
    assert_eq!(mobs.hit(cow, 9.0, from, 0), HitOutcome::Killed);
    let events = run(&mut mobs, &grid, player(0.5, 0.5), NOON, 1);
    let [
        LifeEvent::Died {
            kind: MobKind::Cow,
            drops,
            ..
        },
    ] = events.as_slice()
    else {
        panic!("{events:?}")
    };
    assert!(
        drops
            .iter()
            .any(|stack| stack.item.name() == "beef" && (1..=3).contains(&stack.count))
    );
    assert_eq!(mobs.hit(cow, 1.0, from, 0), HitOutcome::Gone);
}

#[test]
fn far_mobs_sleep_and_near_ones_keep_out_of_blocks() {
    let (grid, mut mobs) = (meadow(), Mobs::new());
    let far = mobs.add(MobKind::Pig, Point::new(70.5, 61.0, 0.5));
    (0..10).for_each(|i| {
        mobs.add(
            MobKind::Sheep,
            Point::new(f64::from(i) * 2.0 + 0.5, 63.0, 3.5),
        );
    });
    run(&mut mobs, &grid, player(0.5, 0.5), NOON, 2000);
    assert_eq!(
        mobs.get(far).map(|mob| mob.position),
        Some(Point::new(70.5, 61.0, 0.5))
    );
    for mob in mobs.iter().filter(|mob| mob.number != far) {
        assert_eq!(mob.position.y, 61.0, "{mob:?}");
    }
}

#[test]
fn monsters_appear_by_night_at_a_distance_and_not_by_day() {
    let (grid, mut night, mut day) = (meadow(), Mobs::new(), Mobs::new());
    let mut rng = Rng::new(3);
    for _ in 0..600 {
        night.step(&grid, player(0.5, 0.5), NIGHT, &mut rng);
        day.step(&grid, player(0.5, 0.5), NOON, &mut rng);
    }
    assert!(
        (3..=14).contains(&night.iter().count()),
        "{}",
        night.iter().count()
    );
    assert_eq!(day.iter().count(), 0);
}

#[test]
fn herds_stand_on_the_grass_of_their_chunks() {
    let (mut grid, mut mobs) = (Grid::new(7), Mobs::new());
    for (x, z) in grid.ensure_around(Pos::default(), 8) {
        mobs.settle_chunk(&grid, x, z);
    }
    let kinds = |kind| mobs.iter().filter(|mob| mob.kind == kind).count();
    assert!(kinds(MobKind::Cow) + kinds(MobKind::Pig) + kinds(MobKind::Sheep) >= 20);
    for mob in mobs.iter() {
        let at = mob.position.block();
        if mob.kind.facts().group == SpawnGroup::Water {
            assert_eq!(grid.block(at), blocks::WATER, "{mob:?}");
        } else {
            let ground = grid.block(at.down());
            assert!(
                matches!(ground, blocks::GRASS_BLOCK | blocks::SAND),
                "{mob:?} on {ground}"
            );
        }
    }
}

#[test]
fn one_animal_of_twenty_comes_young_but_never_the_first_of_its_herd() {
    let (mut all, mut young) = (0, 0);
    for seed in 1..30 {
        let (mut grid, mut mobs) = (Grid::new(seed), Mobs::new());
        for (x, z) in grid.ensure_around(Pos::default(), 8) {
            let before = mobs.iter().count();
            mobs.settle_chunk(&grid, x, z);
            let herd: Vec<_> = mobs.iter().skip(before).collect();
            assert!(herd.first().is_none_or(|mob| !mob.is_baby(mobs.tick())));
            let animals = herd
                .iter()
                .filter(|mob| mob.kind.facts().group == SpawnGroup::Animal);
            for mob in animals.skip(1) {
                all += 1;
                young += u32::from(mob.is_baby(mobs.tick()));
            }
        }
    }
    assert!(all > 1_000, "{all}");
    let share = f64::from(young) / f64::from(all);
    assert!((0.03..0.07).contains(&share), "{young} of {all}");
}

#[test]
fn the_young_are_half_as_high_and_grow_out_of_a_wall() {
    let mut grid = Grid::flat(60);
    grid.ensure_around(Pos::default(), 1);
    let mut cow = Mob::new(1, MobKind::Cow, Point::new(4.5, 61.0, 4.75));
    let (width, height) = cow.extent(0);
    cow.adult_at = 100;
    assert_eq!(cow.extent(99), (width / 2.0, height / 2.0));
    assert_eq!(cow.extent(100), (width, height));
    // Where a calf stood at the wall, a cow stands in it, and comes out of it.
    grid.set(Pos::new(4, 61, 5), blocks::STONE);
    for _ in 0..20 {
        walk::walk(&mut cow, &grid, (0.0, -0.1), 100);
    }
    assert!(cow.position.z < 4.0, "{:?}", cow.position);
}

#[test]
fn same_stream_same_mobs() {
    let end = || {
        let (mut grid, mut mobs, mut rng) = (Grid::new(5), Mobs::new(), Rng::new(9));
        for (x, z) in grid.ensure_around(Pos::default(), 5) {
            mobs.settle_chunk(&grid, x, z);
        }
        let view = PlayerView {
            position: Point::new(0.5, f64::from(grid.height(0, 0) + 1), 0.5),
            alive: true,
        };
        for _ in 0..1500 {
            mobs.step(&grid, view, NIGHT, &mut rng);
        }
        (mobs.checksum(), rng.state())
    };
    assert_eq!(end(), end());
}

fn item(name: &str) -> ItemId {
    ItemId::named(name).unwrap()
}

#[test]
fn a_sheep_is_shorn_once_until_it_has_eaten() {
    let (grid, mut mobs, mut rng) = (meadow(), Mobs::new(), Rng::new(4));
    let sheep = mobs.add(MobKind::Sheep, Point::new(3.5, 61.0, 0.5));
    let wool = mobs.shear(sheep, &mut rng).unwrap();
    assert_eq!(
        (wool.item.name(), (1..=3).contains(&wool.count)),
        ("white_wool", true)
    );
    assert_eq!(mobs.shear(sheep, &mut rng), None);
    let events = run(&mut mobs, &grid, player(0.5, 0.5), NOON, 6000);
    assert!(
        events.iter().any(|e| matches!(e, LifeEvent::Grazed { .. })),
        "{events:?}"
    );
    assert!(mobs.shear(sheep, &mut rng).is_some());
}

#[test]
fn cows_and_mooshrooms_fill_vessels() {
    let mut mobs = Mobs::new();
    let cow = mobs.add(MobKind::Cow, Point::default());
    let mooshroom = mobs.add(MobKind::Mooshroom, Point::default());
    let filled = |number, vessel| mobs.milk(number, item(vessel)).map(ItemId::name);
    assert_eq!(filled(cow, "bucket"), Some("milk_bucket"));
    assert_eq!(filled(cow, "bowl"), None);
    assert_eq!(filled(mooshroom, "bowl"), Some("mushroom_stew"));
}

#[test]
fn two_fed_pigs_have_one_young_that_leaves_nothing() {
    let (grid, mut mobs) = (meadow(), Mobs::new());
    let pigs = [2.5, 4.5].map(|x| mobs.add(MobKind::Pig, Point::new(x, 61.0, 0.5)));
    assert!(!mobs.feed(pigs[0], item("wheat")));
    assert!(pigs.iter().all(|pig| mobs.feed(*pig, item("carrot"))));
    assert!(!mobs.feed(pigs[0], item("carrot")), "it has eaten");
    let events = run(&mut mobs, &grid, player(0.5, 0.5), NOON, 200);
    let births = events
        .iter()
        .filter(|e| matches!(e, LifeEvent::Born { .. }))
        .count();
    assert_eq!((births, mobs.iter().count()), (1, 3));
    let young = mobs.iter().last().map(|mob| mob.number).unwrap();
    assert_eq!(
        mobs.hit(young, 99.0, Point::default(), 0),
        HitOutcome::Killed
    );
    let events = run(&mut mobs, &grid, player(0.5, 0.5), NOON, 1);
    assert!(matches!(&events[..], [LifeEvent::Died { drops, .. }] if drops.is_empty()));
}

#[test]
fn hens_lay_eggs() {
    let (grid, mut mobs) = (meadow(), Mobs::new());
    for i in 0..4 {
        mobs.add(MobKind::Chicken, Point::new(f64::from(i), 61.0, 4.5));
    }
    let events = run(&mut mobs, &grid, player(0.5, 0.5), NOON, 12_000);
    let eggs = events
        .iter()
        .filter(|e| matches!(e, LifeEvent::Laid { .. }))
        .count();
    assert!((1..=16).contains(&eggs), "{eggs}");
}

#[test]
fn a_creeper_hisses_then_goes_off_and_leaves_nothing() {
    let (grid, mut mobs) = (meadow(), Mobs::new());
    mobs.add(MobKind::Creeper, Point::new(8.5, 61.0, 0.5));
    let cow = mobs.add(MobKind::Cow, Point::new(4.5, 61.0, 1.5));
    let events = run(&mut mobs, &grid, player(0.5, 0.5), NOON, 160);
    let hurt = |e: &LifeEvent| matches!(e, LifeEvent::PlayerHurt { damage, .. } if *damage >= 10.0);
    assert_eq!(events.iter().filter(|e| hurt(e)).count(), 1, "{events:?}");
    assert_eq!(
        events
            .iter()
            .filter(|e| matches!(e, LifeEvent::Exploded { .. }))
            .count(),
        1
    );
    let remains = |e: &LifeEvent| {
        matches!(
            e,
            LifeEvent::Died {
                kind: MobKind::Creeper,
                ..
            }
        )
    };
    assert!(!events.iter().any(remains));
    assert!(mobs.get(cow).is_none_or(|cow| cow.health < 10.0));
}

#[test]
fn an_enderman_is_peaceful_until_it_is_hit() {
    let (grid, mut mobs) = (meadow(), Mobs::new());
    let number = mobs.add(MobKind::Enderman, Point::new(4.5, 61.0, 0.5));
    let hurt = |e: &LifeEvent| matches!(e, LifeEvent::PlayerHurt { .. });
    assert!(
        !run(&mut mobs, &grid, player(0.5, 0.5), NIGHT, 200)
            .iter()
            .any(hurt)
    );
    mobs.hit(number, 1.0, player(0.5, 0.5).position, 0);
    assert!(
        run(&mut mobs, &grid, player(0.5, 0.5), NIGHT, 200)
            .iter()
            .any(hurt)
    );
}

#[test]
fn a_big_slime_falls_into_small_ones_that_leave_balls() {
    let (grid, mut mobs) = (meadow(), Mobs::new());
    mobs.add_slime(4, Point::new(20.5, 61.0, 0.5));
    let (mut balls, mut deaths) = (0, 0);
    for _ in 0..60 {
        let all: Vec<u64> = mobs.iter().map(|mob| mob.number).collect();
        for number in all {
            mobs.hit(number, 99.0, Point::default(), 0);
        }
        for event in run(&mut mobs, &grid, player(0.5, 0.5), NOON, 12) {
            if let LifeEvent::Died { drops, .. } = event {
                deaths += 1;
                balls += drops.iter().map(|stack| stack.count).sum::<u32>();
            }
        }
    }
    assert!(
        deaths >= 1 + 2 + 4 && balls >= 1 && mobs.iter().count() == 0,
        "{deaths} {balls}"
    );
}

#[test]
fn squid_stay_in_the_water() {
    let mut grid = meadow();
    let pool: Vec<Pos> = (0..9 * 9 * 5)
        .map(|i| Pos::new(i % 9, 56 + i / 81, i / 9 % 9))
        .collect();
    for pos in &pool {
        grid.set(*pos, blocks::WATER);
    }
    let mut mobs = Mobs::new();
    let squid = mobs.add(MobKind::Squid, Point::new(4.5, 58.5, 4.5));
    let mut places = std::collections::BTreeSet::new();
    for _ in 0..40 {
        run(&mut mobs, &grid, player(20.5, 0.5), NOON, 50);
        let at = mobs.get(squid).unwrap().position.block();
        assert!(pool.contains(&at), "{at}");
        places.insert(at);
    }
    assert!(places.len() > 3);
}

#[test]
fn nobody_shoots_around_the_corner_of_a_closed_cell() {
    let (mut grid, mut mobs) = (meadow(), Mobs::new());
    for (x, z) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        grid.set(Pos::new(x, 61, z), blocks::STONE);
        grid.set(Pos::new(x, 62, z), blocks::STONE);
    }
    grid.set(Pos::new(0, 63, 0), blocks::STONE);
    for (x, z) in [(2.2, 2.6), (-2.7, 1.4), (1.3, -2.9), (-1.6, -1.6)] {
        mobs.add(MobKind::Skeleton, Point::new(x, 61.0, z));
    }
    let events = run(&mut mobs, &grid, player(0.7, 0.7), NIGHT, 600);
    let is_shot =
        |e: &LifeEvent| matches!(e, LifeEvent::PlayerHurt { .. } | LifeEvent::Loosed { .. });
    assert!(!events.iter().any(is_shot), "{events:?}");
}
