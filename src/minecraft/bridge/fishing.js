// Fishing: to water within a cast, cast, wait for the bite, reel in.
//
// A bobber that does not float is reeled in and cast again, higher; after some such casts other water is looked for.
'use strict'

const { Failure } = require('./failure')
const { go, goals, search, feet, statesOf } = require('./moving')
const { held, collect } = require('./mining')
const { carriedItem } = require('./stations')

const ROD = 'fishing_rod'
// Casts of one order; many catches are not the wanted item.
const CASTS_MAX = 400
const VAIN_MAX = 4
const WATERS_MAX = 8
// The cast aims at water this far from the eyes.
const CAST_MIN = 2
const CAST_MAX = 8
// Half the side of the square of water that is looked for around the bobber.
const OPEN = 2
const SIGHT = 96
const FLOAT_MS = 3000
const BITE_MS = 75000
const HAUL_MS = 1200
const HIGHER = 6 * Math.PI / 180

const isAir = (bot, at) => /(^|_)air$/.test(bot.blockAt(at)?.name ?? '')
const isWater = (bot, at) => bot.blockAt(at)?.name === 'water'

// Known water with air above, the nearest first.
function waters (work, range, avoid) {
  const { bot, session } = work
  const states = statesOf(bot, ['water'])
  const near = session.sight.nearest(state => states.has(state), session.sight.eyes(), range, 96 + avoid.size)
  return near.filter(at => !avoid.has(at.toString()) && isWater(bot, at) && isAir(bot, at.offset(0, 1, 0)))
}

// The water within a cast that has the most water around it, in sight of a dry angler.
function spot (work, avoid) {
  const { bot, session } = work
  if (bot.entity.isInWater || !bot.entity.onGround) return null
  const eyes = session.sight.eyes()
  const isOpen = at => {
    const way = at.offset(0.5, 0.9, 0.5).minus(eyes)
    const far = way.norm()
    return far >= CAST_MIN && far <= CAST_MAX && !bot.world.raycast(eyes, way.normalize(), far - 0.6)
  }
  const width = at => {
    let cells = 0
    for (let dx = -OPEN; dx <= OPEN; dx++) for (let dz = -OPEN; dz <= OPEN; dz++) if (isWater(bot, at.offset(dx, 0, dz))) cells++
    return cells
  }
  const fitting = waters(work, CAST_MAX, avoid).filter(isOpen).map(at => [width(at), at])
  fitting.sort((a, b) => b[0] - a[0])
  return fitting[0]?.[1] ?? null
}

// Goes to the shore of known water, or looks for some; gives the cell to cast at.
async function shore (work, avoid) {
  const nothing = () => new Failure('no_target', { block: 'water', y: feet(work.bot).y })
  while (avoid.size <= WATERS_MAX) {
    const here = spot(work, avoid)
    if (here) return here
    const next = () => waters(work, SIGHT, avoid)[0] ?? null
    if (!next()) {
      try {
        await search(work, next, null)
      } catch (error) {
        throw error instanceof Failure && error.code === 'no_target' ? nothing() : error
      }
    }
    const water = next()
    try {
      await go(work, new goals.GoalNear(water.x, water.y + 1, water.z, CAST_MIN + 2), water, 40000)
    } catch (error) {
      if (!(error instanceof Failure) || !['no_path', 'stuck'].includes(error.code)) throw error
      avoid.add(water.toString())
      continue
    }
    work.session.sight.look()
    if (!spot(work, avoid)) avoid.add(water.toString())
  }
  throw nothing()
}

// The body's own bobber: the server says whose it is.
function ownBobber (bot) {
  const kind = bot.registry.entitiesByName.fishing_bobber?.id
  let id = null
  const onSpawn = packet => { if (packet.type === kind && packet.objectData === bot.entity.id) id = packet.entityId }
  bot._client.on('spawn_entity', onSpawn)
  return { entity: () => bot.entities[id] ?? null, forget: () => bot._client.removeListener('spawn_entity', onSpawn) }
}

function floats (bot, bobber) {
  const at = bobber.entity()?.position
  return Boolean(at) && (isWater(bot, at.floored()) || isWater(bot, at.offset(0, -0.3, 0).floored()))
}

// One cast and what comes of it; false if the bobber did not float.
async function cast (work, at, vain) {
  const { bot, session } = work
  await work.race(bot.equip(carriedItem(bot, [ROD]), 'hand'), 8000)
  const way = at.offset(0.5, 0.9, 0.5).minus(session.sight.eyes())
  const pitch = Math.atan2(way.y, Math.hypot(way.x, way.z)) + vain * HIGHER
  await work.race(bot.look(Math.atan2(-way.x, -way.z), pitch, true), 3000)
  const bobber = ownBobber(bot)
  const bitten = bot.fish()
  bitten.catch(() => {})
  try {
    let waited = 0
    for (; waited < FLOAT_MS && !floats(bot, bobber); waited += 100) await work.wait(100)
    if (waited >= FLOAT_MS) return false
    await work.race(bitten, BITE_MS)
    await work.wait(HAUL_MS)
    await collect(work, null, 6)
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'out_of_time') return false
    // The line tore, or the rod broke.
    if (!(error instanceof Failure) && /cancelled/i.test(String(error?.message))) return true
    throw error
  } finally {
    if (bobber.entity()) bot.activateItem()
    bot.deactivateItem()
    bobber.forget()
  }
}

async function fish (work, { gain, count }) {
  const { bot } = work
  const goal = held(work, gain) + count
  const avoid = new Set()
  for (let [n, vain] = [0, 0]; n < CASTS_MAX; n++) {
    if (held(work, gain) >= goal) return
    if (!carriedItem(bot, [ROD])) throw new Failure('not_held', { item: ROD })
    if (bot.inventory.emptySlotCount() === 0) throw new Failure('inventory_full')
    await work.session.keepSafe.check(work)
    const at = await shore(work, avoid)
    vain = await cast(work, at, vain) ? 0 : vain + 1
    if (vain > VAIN_MAX) {
      avoid.add(at.toString())
      vain = 0
    }
  }
  throw new Failure('no_target', { y: feet(bot).y })
}

module.exports = { fish }
