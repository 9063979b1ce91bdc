// Building: blocks put up at offsets from a spot that fits, lowest first, and cells kept free.
//
// Nothing is put down before all that is missing is carried; what stands of an earlier try by the same blueprint is gone
// on with, and every failure says how much stands.
'use strict'

const { Failure } = require('./failure')
const { go, goals, feet } = require('./moving')
const { putBlock, carriedItem } = require('./stations')
const { breakBlock, reachBlock } = require('./mining')

const BASE_MS = 60000
const BLOCK_MS = 4500
// So far from the body a spot is looked for.
const SITE_RANGE = 16
const FRUITLESS_MAX = 3
// A price that no way is worth.
const FORBIDDEN = 100
const SOFT = /^(grass|tall_grass|fern|large_fern|dead_bush|snow|vine|.*_leaves|dandelion|poppy)$/
const GROUND = /^(grass_block|dirt|coarse_dirt|podzol|sand|red_sand|gravel|snow_block|clay)$/
const SIDES = [[0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [0, 1, 0]]

const name = (bot, at) => bot.blockAt(at)?.name ?? ''
const isAir = (bot, at) => /(^|_)air$/.test(name(bot, at))
const isFirm = (bot, at) => bot.blockAt(at)?.boundingBox === 'block'

class Building {
  constructor (work, { blocks, clear }, at) {
    Object.assign(this, { work, bot: work.bot, at })
    this.blocks = blocks.map(({ items, stands, offset }) => ({ items, stands, at: at.offset(...offset) })).sort((a, b) => a.at.y - b.at.y)
    this.clear = clear.map(offset => at.offset(...offset))
  }

  stands ({ stands, at }) { return stands.includes(name(this.bot, at)) }

  missing () { return this.blocks.filter(block => !this.stands(block)) }
  filled () { return this.clear.filter(at => !isAir(this.bot, at)) }
  progress () { return { stands: this.blocks.length - this.missing().length, whole: this.blocks.length } }
  failure (stop, details = {}) { return new Failure('unbuilt', { stop, ...details, ...this.progress() }) }
  holds (at) { return this.blocks.some(block => block.at.equals(at)) }

  // A cell that the body has to leave free for the block.
  async stepOut (cells) {
    const { work, bot } = this
    const here = feet(bot)
    if (!cells.some(at => at.equals(here) || at.equals(here.offset(0, 1, 0)))) return
    await go(work, new goals.GoalInvert(new goals.GoalNear(here.x, here.y, here.z, 1)), here, 8000).catch(() => {})
  }

  // Puts a block down; false if it cannot be put now.
  async put (block) {
    const { work, bot } = this
    const item = carriedItem(bot, block.items)
    if (!item || !SIDES.some(side => isFirm(bot, block.at.offset(...side)))) return false
    try {
      await go(work, new goals.GoalPlaceBlock(block.at, bot.world, { range: 4 }), block.at, 20000)
      await this.stepOut([block.at])
      await putBlock(work, item, block.at)
    } catch (error) {
      if (!(error instanceof Failure) || !['no_path', 'stuck', 'no_room'].includes(error.code)) throw error
      return false
    }
    return this.stands(block)
  }

  async empty (at) {
    const { work } = this
    try {
      await reachBlock(work, at)
      return await breakBlock(work, at)
    } catch (error) {
      if (!(error instanceof Failure) || !['no_path', 'stuck', 'danger'].includes(error.code)) throw error
      return false
    }
  }
}

// Whether a building fits there: firm ground under what stands lowest, nothing in the way that is not taken away easily.
function fitsAt (bot, { blocks, clear }, at) {
  const cells = blocks.map(({ offset }) => at.offset(...offset))
  const lowest = Math.min(...cells.map(cell => cell.y))
  const isFree = cell => isAir(bot, cell) || SOFT.test(name(bot, cell))
  const isMade = cell => isFree(cell) || GROUND.test(name(bot, cell))
  return cells.every(cell => (cell.y < at.y ? isMade(cell) : isFree(cell)) && (cell.y > lowest || isFirm(bot, cell.offset(0, -1, 0)))) &&
    clear.every(offset => isMade(at.offset(...offset)))
}

// The nearest spot where it fits, beside the body.
function findSite (work, plan) {
  const { bot } = work
  const here = feet(bot)
  const spots = []
  for (let dx = -SITE_RANGE; dx <= SITE_RANGE; dx++) {
    for (let dz = -SITE_RANGE; dz <= SITE_RANGE; dz++) for (const dy of [0, 1, -1, 2, -2]) spots.push(here.offset(dx, dy, dz))
  }
  const far = at => Math.abs(at.x - here.x) + Math.abs(at.z - here.z) + 2 * Math.abs(at.y - here.y)
  spots.sort((a, b) => far(a) - far(b))
  const covers = at => plan.blocks.some(({ offset }) => {
    const cell = at.offset(...offset)
    return cell.equals(here) || cell.equals(here.offset(0, 1, 0))
  })
  return spots.find(at => !covers(at) && fitsAt(bot, plan, at)) ?? null
}

// What is missing of what is needed: the kind of which too little is carried.
function shortOf (bot, blocks) {
  const left = {}
  for (const item of bot.inventory.items()) left[item.name] = (left[item.name] ?? 0) + item.count
  const tally = new Map()
  for (const { items } of blocks) {
    const key = items.join(' ')
    const row = tally.get(key) ?? { items, need: 0, have: 0 }
    row.need++
    const from = items.find(item => left[item] > 0)
    if (from) {
      left[from]--
      row.have++
    }
    tally.set(key, row)
  }
  return [...tally.values()].find(row => row.have < row.need) ?? null
}

async function build (work, plan) {
  const { bot, session } = work
  const begun = session.buildings ??= new Map()
  const whole = plan.blocks.length
  const known = plan.blueprint ? begun.get(plan.blueprint) : null
  const short = shortOf(bot, known ? new Building(work, plan, known).missing() : plan.blocks)
  if (short) throw new Failure('unbuilt', { stop: 'short', items: short.items, have: short.have, need: short.need, ...(known ? new Building(work, plan, known).progress() : { stands: 0, whole }) })
  const at = known ?? findSite(work, plan)
  if (!at) throw new Failure('unbuilt', { stop: 'no_site', stands: 0, whole })
  if (plan.blueprint) begun.set(plan.blueprint, at)
  await unhindered(work, new Building(work, plan, at))
  if (plan.blueprint) begun.delete(plan.blueprint)
}

// The path finder may neither dig through what stands nor leave steps behind.
async function unhindered (work, building) {
  const { bot } = work
  const { movements } = bot.pathfinder
  const own = block => building.holds(block.position) ? FORBIDDEN : 0
  movements.exclusionAreasBreak.push(own)
  const steps = []
  const { placeBlock } = bot
  bot.placeBlock = async (against, face) => {
    const at = against.position.plus(face)
    if (!building.holds(at)) steps.push(at)
    return await placeBlock(against, face)
  }
  try {
    await raise(work, building)
  } finally {
    bot.placeBlock = placeBlock
    movements.exclusionAreasBreak = movements.exclusionAreasBreak.filter(area => area !== own)
    if (!work.ended) for (const at of steps.reverse()) if (!isAir(bot, at)) await building.empty(at)
  }
}

async function raise (work, building) {
  const { bot } = work
  const end = Date.now() + BASE_MS + BLOCK_MS * building.blocks.length
  for (let fruitless = 0; building.missing().length || building.filled().length;) {
    let any = false
    for (const cell of building.filled()) if (!building.holds(cell)) any = await building.empty(cell) || any
    for (const block of building.missing()) {
      if (Date.now() > end) throw building.failure('out_of_time', { ticks: Math.round((BASE_MS + BLOCK_MS * building.blocks.length) / 50) })
      await work.session.keepSafe.check(work)
      if (!isAir(bot, block.at) && !await building.empty(block.at)) continue
      any = await building.put(block) || any
    }
    fruitless = any ? 0 : fruitless + 1
    if (fruitless > FRUITLESS_MAX) {
      const at = building.missing()[0]?.at ?? building.filled()[0] ?? building.at
      throw building.failure('blocked', { at: at.toArray(), by: isAir(bot, at) ? null : name(bot, at) })
    }
    if (!any) await work.wait(1000)
  }
}

module.exports = { build, shortOf, fitsAt }
