// Stations: getting to a crafting table, furnace or chest, one's own if need be, and taking it along again.
'use strict'

const { Failure } = require('./failure')
const { goTo, nearestBlock, lookAround, feet } = require('./moving')
const { breakBlock, collect, reachBlock } = require('./mining')

const NEAR = 24
const PLACE_MS = 6000
const OPEN_MS = 3000

const isAir = (bot, at) => ['air', 'cave_air', 'grass', 'tall_grass', 'snow'].includes(bot.blockAt(at)?.name)

// A place beside the body where a block can be put: air, on something solid.
function spot (bot) {
  const here = feet(bot)
  for (const dy of [0, 1, -1]) {
    for (const [dx, dz] of [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, -1], [1, -1], [-1, 1], [2, 0], [-2, 0], [0, 2], [0, -2]]) {
      const at = here.offset(dx, dy, dz)
      if (isAir(bot, at) && bot.blockAt(at.offset(0, -1, 0))?.boundingBox === 'block') return at
    }
  }
  return null
}

// Puts a block of the item at a place; true if the server keeps it.
async function putBlock (work, item, at) {
  const { bot, session } = work
  const began = Date.now()
  const faces = [[0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [0, 1, 0]]
  const side = faces.find(([dx, dy, dz]) => bot.blockAt(at.offset(dx, dy, dz))?.boundingBox === 'block')
  if (!side) throw new Failure('no_room', { at: at.toArray() })
  await work.race(bot.equip(item, 'hand'), 8000)
  const against = bot.blockAt(at.offset(...side))
  const { Vec3 } = require('vec3')
  try {
    await work.race(bot.placeBlock(against, new Vec3(-side[0], -side[1], -side[2])), PLACE_MS)
  } catch (error) {
    if (work.ended) throw work.ended
    throw new Failure('no_room', { at: at.toArray() })
  }
  await work.wait(300)
  await session.confirmed(began)
  const placed = bot.blockAt(at)
  if (isAir(bot, at) || !placed) throw new Failure('no_room', { at: at.toArray() })
  session.sight.note(at.x, at.y, at.z, placed.stateId)
  return at
}

// Digs a free spot beside the body, underground, where there is none.
async function makeSpot (work) {
  const { bot } = work
  for (const [dx, dz] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    const at = feet(bot).offset(dx, 0, dz)
    if (bot.blockAt(at)?.diggable && bot.blockAt(at.offset(0, -1, 0))?.boundingBox === 'block' && await breakBlock(work, at)) return at
  }
  throw new Failure('no_room', { at: feet(bot).toArray() })
}

const carriedItem = (bot, names) => bot.inventory.items().find(item => names.includes(item.name))

// A station within reach: `{at, isOwn}`.
async function reachStation (work, block) {
  const { bot, session } = work
  const own = session.own ??= new Set()
  let at = nearestBlock(work, [block], NEAR)
  const item = carriedItem(bot, [block])
  if (!at && !item) {
    await lookAround(work)
    at = nearestBlock(work, [block], NEAR)
  }
  if (at) {
    try {
      await goTo(work, at, 3)
      return { at, isOwn: own.has(at.toString()) }
    } catch (error) {
      if (!item || !(error instanceof Failure) || !['no_path', 'stuck'].includes(error.code)) throw error
    }
  }
  if (!item) throw new Failure('no_station', { station: block })
  const put = await putBlock(work, item, spot(bot) ?? await makeSpot(work))
  own.add(put.toString())
  return { at: put, isOwn: true }
}

// Takes a station of one's own along, unless the hand would get nothing for it.
async function takeAlong (work, { at, isOwn }) {
  const { bot, session } = work
  const block = bot.blockAt(at)
  if (!isOwn || !block || block.name === 'air') return
  const tool = bot.pathfinder.bestHarvestTool(block)
  if (block.harvestTools && !(tool && block.harvestTools[tool.type])) return
  await reachBlock(work, at)
  if (await breakBlock(work, at)) {
    session.own.delete(at.toString())
    await collect(work, [block.name], 5)
  }
}

// Opens the window of a block; what does not open within moments never will.
async function openWindow (work, at, name) {
  const { bot } = work
  if (bot.currentWindow) await closeWindow(work)
  const window = await work.race(bot.openBlock(bot.blockAt(at)), OPEN_MS, () => new Failure('gui_blocked', { gui: name }))
  work.noteWindow(name)
  return window
}

async function closeWindow (work) {
  const { bot } = work
  if (bot.currentWindow) await work.race(Promise.resolve(bot.closeWindow(bot.currentWindow)), 8000)
  await work.wait(100)
}

module.exports = { spot, putBlock, reachStation, takeAlong, openWindow, closeWindow, carriedItem, makeSpot }
