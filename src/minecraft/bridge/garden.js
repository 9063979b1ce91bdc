// Gardens: where something can be planted, and the planting itself. Waiting and harvesting are in `growing`.
//
// Ground is chosen only among what was seen, and never under what was planted before.
'use strict'

const { Vec3 } = require('vec3')
const { Failure } = require('./failure')
const { go, goals, feet, statesOf } = require('./moving')
const { breakBlock } = require('./mining')
const { carriedItem } = require('./stations')

const RANGE = 40
const CANDIDATES = 512
// Water this near keeps a field wet.
const WET_WITHIN = 4
const TREE_HIGH = 6
const TREE_APART = 4
const REACH_MS = 30000
const CLICK_MS = 5000
const PLACE_MS = 6000
const SETTLE_MS = 300
const SIDES = [new Vec3(1, 0, 0), new Vec3(-1, 0, 0), new Vec3(0, 0, 1), new Vec3(0, 0, -1)]
const UP = new Vec3(0, 1, 0)
const EARTH = ['grass_block', 'dirt', 'farmland', 'grass_path']
const SAND = ['sand', 'red_sand']

const name = (bot, at) => bot.blockAt(at)?.name ?? ''
const isAir = (bot, at) => /(^|_)air$/.test(name(bot, at))
const isOpen = (bot, at) => isAir(bot, at) || ['grass', 'tall_grass', 'fern', 'snow'].includes(name(bot, at))
const isTilled = crop => crop.manner === 'field' || crop.manner === 'stem'

function grounds (crop) {
  if (isTilled(crop)) return EARTH
  if (crop.manner === 'tree' || crop.manner === 'bush') return ['grass_block', 'dirt', 'podzol']
  if (crop.plant === 'cactus') return SAND
  if (crop.manner === 'stalk') return ['grass_block', 'dirt', ...SAND]
  if (crop.manner === 'spread') return [...EARTH, 'stone']
  return []
}

// What a crop wants beyond its ground.
function fits (bot, crop, ground, plots) {
  const at = ground.plus(UP)
  const isPlot = place => plots.some(plot => plot.equals(place))
  if (crop.manner === 'field') return plots.length === 0 || (at.z - plots[0].z) % 2 === 0
  if (crop.manner === 'stem') {
    return SIDES.some(side => isAir(bot, at.plus(side)) && ['grass_block', 'dirt'].includes(name(bot, ground.plus(side))) && !isPlot(at.plus(side)))
  }
  if (crop.plant === 'sugar_cane') return SIDES.some(side => name(bot, ground.plus(side)) === 'water')
  if (crop.plant === 'cactus') return SIDES.every(side => isAir(bot, at.plus(side)) && !isPlot(at.plus(side)))
  if (crop.manner === 'tree') {
    for (let up = 1; up <= TREE_HIGH; up++) if (bot.blockAt(at.offset(0, up, 0))?.boundingBox === 'block') return false
    return plots.every(plot => plot.manhattanDistanceTo(at) >= TREE_APART) && !at.equals(feet(bot))
  }
  return true
}

// Known water, for the fields beside it.
function knownWater (work) {
  const { bot, session } = work
  const water = statesOf(bot, ['water'])
  return session.sight.nearest(state => water.has(state), bot.entity.position, RANGE, CANDIDATES)
}

function isWet (waters, ground) {
  return waters.some(at => Math.abs(at.x - ground.x) <= WET_WITHIN && Math.abs(at.z - ground.z) <= WET_WITHIN && [0, 1].includes(at.y - ground.y))
}

// The nearest place for the crop: the cell, and what it is put against; fields by water first.
function findBed (work, crop, plots, bad) {
  const { bot, session } = work
  const taken = [...plots, ...bad]
  const isTaken = at => taken.some(place => place.equals(at))
  if (crop.manner === 'pod') return findTrunk(work, isTaken)
  const states = statesOf(bot, grounds(crop))
  const near = session.sight.nearest(state => states.has(state), bot.entity.position, RANGE, CANDIDATES)
  const free = near.filter(ground => isOpen(bot, ground.plus(UP)) && !isTaken(ground.plus(UP)) && fits(bot, crop, ground, plots))
  const waters = isTilled(crop) ? knownWater(work) : []
  const ground = (isTilled(crop) && free.find(place => isWet(waters, place))) || free[0]
  return ground ? { at: ground.plus(UP), against: ground, side: UP } : null
}

const knowsWetGround = (work, crop) => {
  const bed = findBed(work, crop, [], [])
  return Boolean(bed) && isWet(knownWater(work), bed.against)
}

function findTrunk (work, isTaken) {
  const { bot, session } = work
  const states = statesOf(bot, ['jungle_log'])
  for (const log of session.sight.nearest(state => states.has(state), bot.entity.position, RANGE, 64)) {
    const side = SIDES.find(side => isAir(bot, log.plus(side)) && !isTaken(log.plus(side)))
    if (side && Math.abs(log.y - feet(bot).y) <= 3) return { at: log.plus(side), against: log, side }
  }
  return null
}

// Stands beside the cell; false if there is no way.
async function standBy (work, at) {
  if (work.bot.entity.position.distanceTo(at.offset(0.5, 0, 0.5)) < 3 && !feet(work.bot).equals(at)) return true
  try {
    await go(work, new goals.GoalGetToBlock(at.x, at.y, at.z), at, REACH_MS)
    return true
  } catch (error) {
    if (!(error instanceof Failure) || !['no_path', 'stuck'].includes(error.code)) throw error
    return false
  }
}

// Uses what is in the hand on a block, and waits for the server.
async function useOnBlock (work, at, face = UP) {
  const { bot, session } = work
  const began = Date.now()
  await work.race(bot.lookAt(at.offset(0.5, 0.5, 0.5), true), 3000)
  await work.race(bot.activateBlock(bot.blockAt(at), face), CLICK_MS)
  await work.wait(SETTLE_MS)
  await session.confirmed(began)
}

async function till (work, at, hoes) {
  const { bot } = work
  if (name(bot, at) === 'farmland') return true
  const hoe = hoes.map(kind => carriedItem(bot, [kind])).find(Boolean)
  if (!hoe) throw new Failure('not_held', { item: hoes[0] })
  await work.race(bot.equip(hoe, 'hand'), 8000)
  await useOnBlock(work, at)
  return name(bot, at) === 'farmland'
}

// Clears, tills and plants; false if the place will not do.
async function plant (work, crop, bed, hoes) {
  const { bot, session } = work
  if (!await standBy(work, bed.at)) return false
  if (!isAir(bot, bed.at) && !await breakBlock(work, bed.at)) return false
  if (isTilled(crop) && !await till(work, bed.against, hoes)) return false
  const seed = carriedItem(bot, [crop.seed])
  if (!seed) return false
  await work.race(bot.equip(seed, 'hand'), 8000)
  const began = Date.now()
  try {
    await work.race(bot.placeBlock(bot.blockAt(bed.against), bed.side), PLACE_MS)
  } catch (error) {
    if (work.ended) throw work.ended
  }
  await work.wait(SETTLE_MS)
  await session.confirmed(began)
  if (name(bot, bed.at) !== crop.plant) return false
  session.sight.note(bed.at.x, bed.at.y, bed.at.z, bot.blockAt(bed.at).stateId)
  work.noteUsed(crop.seed, 1)
  return true
}

module.exports = { findBed, knowsWetGround, plant, standBy, useOnBlock, isTilled, isAir, SIDES, UP }
