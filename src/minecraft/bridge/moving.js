// Moving: to a place, towards a thing, up, down, and about in search of something.
'use strict'

const { Vec3 } = require('vec3')
const { Movements, goals } = require('mineflayer-pathfinder')
const { Failure } = require('./failure')
const { halt } = require('./work')

const WAY_MS_MAX = 90000
const STUCK_MS = 12000
// Places visited in one search before it is given up.
const SEARCH_PLACES_MAX = 24
const SEARCH_STRIDE = 18
const TUNNEL_BLOCKS_MAX = 160
const LEG_BLOCKS = 24
const NEAR_PLACE = 4
const HEADINGS = [[1, 0], [0, 1], [-1, 0], [0, -1]]

function movements (bot) {
  const moves = new Movements(bot)
  const { blocksByName, itemsByName } = bot.registry
  for (const name of ['crafting_table', 'furnace', 'chest', 'white_bed']) {
    if (blocksByName[name]) moves.blocksCantBreak.add(blocksByName[name].id)
  }
  for (const name of ['magma_block', 'cactus', 'sweet_berry_bush', 'campfire', 'wither_rose']) {
    if (blocksByName[name]) moves.blocksToAvoid.add(blocksByName[name].id)
  }
  for (const name of ['cobbled_deepslate', 'stone', 'netherrack']) {
    if (itemsByName[name]) moves.scafoldingBlocks.push(itemsByName[name].id)
  }
  moves.maxDropDown = 3
  moves.allowParkour = false
  moves.canOpenDoors = false
  moves.infiniteLiquidDropdownDistance = false
  return moves
}

const feet = bot => bot.entity.position.floored()

// Walks until the goal holds; digs and builds where it must.
async function go (work, goal, to, ms = WAY_MS_MAX) {
  const { bot, session } = work
  const began = Date.now()
  let last = bot.entity.position.clone()
  let movedAt = Date.now()
  const watch = setInterval(() => {
    if (bot.entity.position.distanceTo(last) > 0.5 || bot.targetDigBlock || bot.pathfinder.isMining()) {
      last = bot.entity.position.clone()
      movedAt = Date.now()
    } else if (Date.now() - movedAt > STUCK_MS) {
      halt(bot)
    }
  }, 500)
  try {
    await work.race(bot.pathfinder.goto(goal), ms)
  } catch (error) {
    if (error instanceof Failure && error.code !== 'out_of_time') throw error
    halt(bot)
    if (work.ended) throw work.ended
    const place = to ?? feet(bot)
    const stuck = Date.now() - movedAt > STUCK_MS || error.code === 'out_of_time' || error.name === 'GoalChanged'
    throw stuck
      ? new Failure('stuck', { at: feet(bot).toArray() })
      : new Failure('no_path', { to: [place.x, place.y, place.z] })
  } finally {
    clearInterval(watch)
  }
  await session.confirmed(began - 1)
}

const goTo = (work, at, range) => go(work, range > 0 ? new goals.GoalNear(at.x, at.y, at.z, range) : new goals.GoalBlock(at.x, at.y, at.z), at)

// Turns the head all around, so that a player's eyes have seen what a scout would; stops where `found` gives something,
// for what moves is seen only while it is before the eyes.
async function lookAround (work, found = () => false) {
  const { bot, session } = work
  const yaw = bot.entity.yaw
  for (let n = 1; n <= 4; n++) {
    await work.race(bot.look(yaw + n * Math.PI / 2, n % 2 ? -0.15 : -0.45, true), 2000)
    session.sight.look()
    await work.wait(60)
    if (found()) return
  }
}

function statesOf (bot, names) {
  const states = new Set()
  for (const name of names) {
    const block = bot.registry.blocksByName[name]
    if (!block) continue
    for (let state = block.minStateId; state <= block.maxStateId; state++) states.add(state)
  }
  return states
}

// The nearest remembered block of such names that is still there.
function nearestBlock (work, names, range, avoid = new Set()) {
  const { bot, session } = work
  const states = statesOf(bot, names)
  const near = session.sight.nearest(state => states.has(state), bot.entity.position, range, 12 + avoid.size)
  for (const at of near) {
    if (avoid.has(at.toString())) continue
    const now = bot.world.getBlockStateId(at)
    if (states.has(now)) return at
    session.sight.forget(at.x, at.y, at.z)
  }
  return null
}

function nearestMob (work, name, range = 40, fits = () => true) {
  const { bot, session } = work
  const near = Object.values(bot.entities)
    .filter(entity => entity.name === name && entity !== bot.entity && entity.isValid !== false && !work.dead?.has(entity.id) && fits(entity))
    .filter(entity => entity.position.distanceTo(bot.entity.position) < range && session.sight.sees(entity, range))
  near.sort((a, b) => a.position.distanceTo(bot.entity.position) - b.position.distanceTo(bot.entity.position))
  return near[0] ?? null
}

// What of the targets is known: a place, or an entity.
function findTarget (work, targets, range = 96) {
  for (const target of targets) {
    if (target.mob) {
      const mob = nearestMob(work, target.mob)
      if (mob) return { entity: mob, at: mob.position.floored() }
    } else {
      const at = nearestBlock(work, target.blocks, range)
      if (at) return { at }
    }
  }
  return null
}

// Walks about until `found` gives something. Surface searches go outwards in a spiral from where they began.
async function search (work, found, target) {
  const { bot } = work
  await lookAround(work, found)
  if (found()) return
  const start = feet(bot)
  let refused = 0
  for (let n = 1; n <= SEARCH_PLACES_MAX; n++) {
    const turn = n * 2.399963
    const far = SEARCH_STRIDE * Math.sqrt(n)
    const [x, z] = [Math.round(start.x + Math.cos(turn) * far), Math.round(start.z + Math.sin(turn) * far)]
    try {
      await go(work, new goals.GoalNearXZ(x, z, 4), new Vec3(x, start.y, z), 40000)
    } catch (error) {
      if (!(error instanceof Failure) || !['no_path', 'stuck'].includes(error.code)) throw error
      if (++refused > 6) throw error
    }
    if (found()) return
    await lookAround(work, found)
    if (found()) return
  }
  throw new Failure('no_target', { target, y: feet(bot).y })
}

// To a place so far to the east and to the south, leg by leg, for what is far away is not loaded; true if it got there.
async function walkBy (work, [east, south], ms) {
  const { bot } = work
  const end = Date.now() + ms
  const from = feet(bot)
  const [x, z] = [from.x + east, from.z + south]
  const left = () => Math.hypot(x - bot.entity.position.x, z - bot.entity.position.z)
  // A leg that is barred is walked around: the next one aims beside it.
  for (let n = 0, aside = 0; left() > NEAR_PLACE && Date.now() < end; n++) {
    const share = Math.min(1, LEG_BLOCKS / left())
    const { x: hx, z: hz } = bot.entity.position
    const [dx, dz] = [(x - hx) * share, (z - hz) * share]
    const [lx, lz] = [Math.round(hx + dx - dz * aside), Math.round(hz + dz + dx * aside)]
    try {
      await go(work, new goals.GoalNearXZ(lx, lz, NEAR_PLACE - 1), new Vec3(lx, from.y, lz), Math.max(1000, Math.min(20000, end - Date.now())))
      aside = 0
    } catch (error) {
      if (!(error instanceof Failure) || !['no_path', 'stuck'].includes(error.code)) throw error
      aside = n % 2 ? 1 : -1
    }
  }
  return left() <= NEAR_PLACE
}

const name = (bot, at) => bot.blockAt(at)?.name ?? 'air'
const isHarm = (bot, at) => /lava|fire|magma/.test(name(bot, at))

// Lava or a deep drop at the next place of a stair or tunnel.
function dangerAt (bot, at) {
  for (const [dx, dy, dz] of [[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]]) {
    if (isHarm(bot, at.offset(dx, dy, dz))) return 'lava'
  }
  if (name(bot, at) === 'bedrock' || name(bot, at.offset(0, 1, 0)) === 'bedrock') return 'bedrock'
  return null
}

// One step of a staircase or tunnel; `rise` is -1, 0 or 1. Turns aside from danger.
async function stride (work, heading, rise) {
  const { bot } = work
  let danger = null
  for (let turn = 0; turn < 4; turn++) {
    const [dx, dz] = HEADINGS[(heading.at + turn) % 4]
    const next = feet(bot).offset(dx, rise, dz)
    danger = dangerAt(bot, next)
    if (danger) continue
    heading.at = (heading.at + turn) % 4
    await bot.look(Math.atan2(-dx, -dz), rise < 0 ? -0.5 : 0, true)
    await go(work, new goals.GoalBlock(next.x, next.y, next.z), next, 60000)
    return
  }
  throw new Failure('danger', { of: danger })
}

async function digDown (work, y, until = () => false) {
  const heading = work.heading ??= { at: 0 }
  while (feet(work.bot).y > y && !until()) await stride(work, heading, -1)
}

async function goUp (work, y) {
  const { bot, session } = work
  const heading = work.heading ??= { at: 0 }
  for (let n = 0; feet(bot).y < y; n++) {
    const before = feet(bot).y
    const isOpenSky = !session.frame().underground
    if (isOpenSky) await go(work, new goals.GoalY(y), feet(bot).offset(0, y - before, 0))
    else await stride(work, heading, 1)
    if (n > 200) throw new Failure('stuck', { at: feet(bot).toArray() })
  }
}

// Down to a height and on through the rock until `found` gives something.
async function tunnel (work, y, found, target) {
  const { bot } = work
  await digDown(work, y, found)
  const heading = work.heading
  for (let n = 0; n < TUNNEL_BLOCKS_MAX && !found(); n++) {
    // Right and left in turn, so that the way never comes back to itself.
    if (n % 24 === 23) heading.at = (heading.at + (n % 48 === 23 ? 1 : 3)) % 4
    await stride(work, heading, 0)
    if (n % 3 === 0) work.session.sight.look()
  }
  if (!found()) throw new Failure('no_target', { target, y: feet(bot).y })
}

module.exports = { movements, go, goTo, goals, feet, lookAround, statesOf, nearestBlock, nearestMob, findTarget, search, walkBy, digDown, goUp, tunnel }
