// Mining: to the nearest known source, dig, collect, again; search when none is known.
//
// Whether a tool harvests a block shows only by trying: it breaks and nothing drops.
'use strict'

const { Failure } = require('./failure')
const { go, goals, nearestBlock, search, tunnel, feet } = require('./moving')
const { carried } = require('./frames')

const FRUITLESS_MAX = 3
const BAFFLED_MAX = 10
const BLOCKS_MAX = 600
const REACH = 4.5
const SETTLE_MS = 350
const SPILL = 8
const RANGE = 96
const OBSTACLES_MAX = 8
const DROP_MS = 1000
const DROP_RANGE = 16

const sum = (counts, names) => names.reduce((all, name) => all + (counts[name] ?? 0), 0)
const held = (work, names) => sum(carried(work.bot), names)

// Breaks one block within reach; true if the server says that it is gone.
async function breakBlock (work, at) {
  const { bot, session } = work
  const block = bot.blockAt(at)
  if (!block || block.name === 'air') return true
  if (!block.diggable) throw new Failure('danger', { of: block.name })
  const tool = bot.pathfinder.bestHarvestTool(block)
  if (tool && tool.slot !== bot.heldItem?.slot && block.material !== 'plant') await work.race(bot.equip(tool, 'hand'), 8000)
  const began = Date.now()
  const time = bot.digTime(block)
  try {
    // The view turns at once: a slow turn would still dig after it was called off.
    await work.race(bot.dig(block, true), time + 8000)
  } catch (error) {
    // Something else turned the body away; whether the block is gone is seen below.
    if (error instanceof Failure || !/aborted/i.test(String(error?.message))) throw error
  }
  // The client believes at once; the server may put the block back.
  await work.wait(SETTLE_MS)
  await session.confirmed(began)
  const now = bot.blockAt(at)
  if (now && now.type === block.type) {
    work.noteRestored(block.name)
    return false
  }
  session.sight.forget(at.x, at.y, at.z)
  return true
}

// Gets within reach of a block with nothing in between, or digs what is in between.
async function reachBlock (work, at) {
  const { bot, session } = work
  const centre = at.offset(0.5, 0.5, 0.5)
  const isNear = () => session.sight.eyes().distanceTo(centre) <= REACH
  if (!isNear() || !canTouch(work, at)) {
    try {
      await go(work, new goals.GoalLookAtBlock(at, bot.world, { reach: REACH }), at, 40000)
    } catch (error) {
      if (!(error instanceof Failure) || !['no_path', 'stuck'].includes(error.code)) throw error
      await go(work, new goals.GoalNear(at.x, at.y, at.z, 3), at, 40000)
    }
  }
  for (let n = 0; n < OBSTACLES_MAX && !canTouch(work, at); n++) {
    const way = centre.minus(session.sight.eyes())
    const hit = bot.world.raycast(session.sight.eyes(), way.normalize(), REACH)
    if (!hit || hit.position.equals(at)) break
    if (!await breakBlock(work, hit.position)) break
  }
  if (!isNear()) throw new Failure('no_path', { to: at.toArray() })
}

function canTouch (work, at) {
  const { bot, session } = work
  const eyes = session.sight.eyes()
  for (const [dx, dy, dz] of [[0.5, 0.5, 0.5], [0.5, 0.95, 0.5], [0.5, 0.05, 0.5], [0.05, 0.5, 0.5], [0.95, 0.5, 0.5], [0.5, 0.5, 0.05], [0.5, 0.5, 0.95]]) {
    const way = at.offset(dx, dy, dz).minus(eyes)
    if (way.norm() > REACH + 0.4) continue
    const hit = bot.world.raycast(eyes, way.normalize(), REACH + 0.5)
    if (hit?.position.equals(at)) return true
  }
  return false
}

// What a dropped thing is; null while the server has not said so, or in another form than its version has.
function dropped (entity) {
  try {
    return entity.getDroppedItem?.() ?? null
  } catch {
    return null
  }
}

const lying = (bot, range) => Object.values(bot.entities)
  .filter(entity => entity.name === 'item' && entity.position.distanceTo(bot.entity.position) <= range)

// Items lying about that are one of the names.
function looseItems (work, names, range) {
  return lying(work.bot, range).filter(entity => {
    const item = dropped(entity)
    return item && names.includes(item.name)
  })
}

// What is picked up for the names: also what may be one of them.
function worthPicking (work, names, range) {
  return lying(work.bot, range).filter(entity => {
    const item = dropped(entity)
    return !item || names === null || names.includes(item.name)
  })
}

// Picks up what lies about, the nearest first.
async function collect (work, names, range = SPILL) {
  const { bot } = work
  const tried = new Set()
  for (let n = 0; n < 12; n++) {
    const loose = worthPicking(work, names, range).filter(entity => !tried.has(entity.id))
    loose.sort((a, b) => a.position.distanceTo(bot.entity.position) - b.position.distanceTo(bot.entity.position))
    const next = loose[0]
    if (!next) return
    tried.add(next.id)
    const { x, y, z } = next.position.floored()
    try {
      if (next.position.distanceTo(bot.entity.position) > 1.2) await go(work, new goals.GoalNear(x, y, z, 1), next.position.floored(), 15000)
    } catch (error) {
      if (!(error instanceof Failure) || !['no_path', 'stuck'].includes(error.code)) throw error
    }
    for (let waited = 0; waited < 900 && bot.entities[next.id]; waited += 100) await work.wait(100)
  }
}

// Whether something that is wanted comes to lie about after a block broke; a busy server takes its time.
async function hasDropped (work, names) {
  for (let waited = 0; waited < DROP_MS; waited += 100) {
    if (looseItems(work, names, DROP_RANGE).length > 0) return true
    await work.wait(100)
  }
  return false
}

async function mine (work, { gain, count, sources, uncertain = [], dig_to: digTo }) {
  const { bot, session } = work
  const target = { source: true }
  if (sources.length === 0) throw new Failure('invalid', { because: 'no block drops it' })
  const goal = held(work, gain) + count
  const avoid = new Set()
  let [fruitless, baffled, lastFailure] = [0, 0, null]
  const next = () => nearestBlock(work, sources, RANGE, avoid)
  for (let n = 0; n < BLOCKS_MAX; n++) {
    if (held(work, gain) >= goal) return
    await work.session.keepSafe.check(work)
    if (bot.inventory.emptySlotCount() === 0) throw new Failure('inventory_full')
    const at = next()
    if (!at) {
      if (lastFailure && baffled >= BAFFLED_MAX) throw lastFailure
      // What lies in the rock is looked for there; what also lies open is looked for by eye first.
      if (digTo === null) await search(work, next, target)
      else await tunnel(work, Math.min(digTo, feet(bot).y - 1), next, target)
      continue
    }
    const before = held(work, gain)
    const block = bot.blockAt(at)
    try {
      await reachBlock(work, at)
      const still = bot.blockAt(at)
      if (still?.name !== block.name) continue
      if (!await breakBlock(work, at)) throw new Failure('no_path', { to: at.toArray(), by: block.name })
    } catch (error) {
      if (!(error instanceof Failure) || !['no_path', 'stuck', 'danger'].includes(error.code)) throw error
      avoid.add(at.toString())
      lastFailure = error
      if (++baffled >= BAFFLED_MAX) throw error
      continue
    }
    const fell = held(work, gain) > before || await hasDropped(work, gain)
    await collect(work, gain)
    // What fell and lies out of reach was still harvested; and some blocks give something only now and then.
    if (fell || held(work, gain) > before || uncertain.includes(block.name)) {
      fruitless = 0
    } else if (++fruitless >= FRUITLESS_MAX) {
      throw new Failure('no_drop', { block: block.name, held: bot.heldItem?.name ?? null, broken: fruitless })
    }
    session.sight.look()
  }
  throw lastFailure ?? new Failure('no_target', { target, y: feet(bot).y })
}

module.exports = { mine, breakBlock, reachBlock, collect, held, sum }
