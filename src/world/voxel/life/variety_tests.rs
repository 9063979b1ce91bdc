//! Not all of a kind are alike: small zombies, armed ones, and what falls seldom.

use super::mob::Mob;
use super::*;

const MIDNIGHT: u32 = 18_000;

/// How often ten thousand of a kind leave something; `is_players` if the player killed them.
fn left(kind: MobKind, is_players: bool, name: &str) -> u32 {
    let (mut rng, mut found) = (Rng::new(3), 0);
    let mut mob = Mob::new(1, kind, Point::default());
    mob.struck = (if is_players { 100 } else { 0 }, 0);
    for _ in 0..10_000 {
        let drops = mob.drops(50, &mut rng);
        found += drops
            .iter()
            .filter(|stack| stack.item.name() == name)
            .count() as u32;
    }
    found
}

#[test]
fn what_is_rare_falls_as_often_as_in_the_game_and_only_to_the_player() {
    // One in 40 of three things in turn.
    for name in ["iron_ingot", "carrot", "potato"] {
        let found = left(MobKind::Zombie, true, name);
        assert!((55..115).contains(&found), "{found} {name}");
        assert_eq!(left(MobKind::Zombie, false, name), 0, "{name}");
    }
    let bows = left(MobKind::Skeleton, true, "bow");
    assert!((750..950).contains(&bows), "{bows}");
    assert!(left(MobKind::Zombie, false, "rotten_flesh") > 5_000);
}

/// Half hearts of each blow and blocks walked in 20 ticks of a zombie that comes from afar.
fn attacked(change: impl Fn(&mut Mob)) -> (f32, f64) {
    let mut grid = Grid::flat(60);
    grid.ensure_around(Pos::default(), 3);
    let mut mobs = Mobs::new();
    let number = mobs.add(MobKind::Zombie, Point::new(12.5, 61.0, 0.5));
    change(&mut mobs.mobs[0]);
    let player = PlayerView {
        position: Point::new(0.5, 61.0, 0.5),
        alive: true,
    };
    let (mut rng, mut far, mut blow) = (Rng::new(1), 0.0, 0.0);
    for tick in 0..200 {
        let before = mobs.get(number).unwrap().position.x;
        for event in mobs.step(&grid, player, MIDNIGHT, &mut rng) {
            if let LifeEvent::PlayerHurt { damage, .. } = event {
                blow = damage;
            }
        }
        if (20..40).contains(&tick) {
            far += before - mobs.get(number).unwrap().position.x;
        }
    }
    (blow, far)
}

#[test]
fn a_small_zombie_is_half_as_high_faster_and_worth_more() {
    let (blow, far) = attacked(|_| {});
    let (small_blow, small_far) = attacked(|mob| mob.small = true);
    assert_eq!((blow, small_blow), (3.0, 3.0));
    assert!((small_far / far - 1.5).abs() < 0.01, "{small_far} {far}");
    let mut mob = Mob::new(1, MobKind::Zombie, Point::default());
    let (wide, high) = mob.extent(0);
    mob.small = true;
    assert_eq!(mob.extent(0), (wide / 2.0, high / 2.0));
    mob.struck = (100, 0);
    assert_eq!(mob.points(50, &mut Rng::new(1)), 12);
}

#[test]
fn an_armed_zombie_strikes_harder_and_may_leave_its_arms() {
    let sword = "iron_sword".parse().unwrap();
    let (blow, _) = attacked(|mob| mob.held = Some(sword));
    assert_eq!(blow, 8.0);
    let mut mob = Mob::new(1, MobKind::Zombie, Point::default());
    let plain = mob.private_sum();
    mob.held = Some(sword);
    assert_ne!(mob.private_sum(), plain, "checksums tell");
    let mut rng = Rng::new(5);
    let mut fallen = |until| {
        mob.struck = (until, 0);
        let drops = (0..1_000).flat_map(|_| mob.drops(50, &mut rng));
        drops.filter(|stack| stack.item == sword).count()
    };
    assert_eq!(fallen(0), 0, "the sun killed it");
    assert!((50..130).contains(&fallen(100)));
}

#[test]
fn one_zombie_of_twenty_is_small_and_some_carry_something() {
    let mut grid = Grid::flat(60);
    grid.ensure_around(Pos::default(), 5);
    let (mut rng, mut zombies, mut small, mut armed) = (Rng::new(9), 0, 0, 0);
    for _ in 0..60 {
        let mut mobs = Mobs::new();
        // Places and numbers differ from world to world.
        mobs.last_number = rng.below(10_000);
        let player = PlayerView {
            position: Point::new(0.5, 61.0, 0.5),
            alive: true,
        };
        for _ in 0..20 {
            mobs.turn_monsters(&grid, &player, MIDNIGHT, &mut rng);
        }
        for mob in mobs.iter().filter(|mob| mob.kind == MobKind::Zombie) {
            zombies += 1;
            small += u32::from(mob.small);
            armed += u32::from(mob.held.is_some());
        }
    }
    assert!(zombies > 100, "{zombies}");
    let share = f64::from(small) / f64::from(zombies);
    assert!((0.01..0.12).contains(&share), "{small} of {zombies}");
    assert!(armed * 10 < zombies, "{armed} of {zombies}");
}
