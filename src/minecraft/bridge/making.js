// Making: crafting in the grids and smelting in a furnace.
'use strict'

const { Failure } = require('./failure')
const { reachStation, takeAlong, openWindow, closeWindow } = require('./stations')
const { held } = require('./mining')
const { carried } = require('./frames')

const CRAFT_MS = 15000
const CRAFTS_MAX = 64
const SMELT_MS_PER_PIECE = 10000

// How often a recipe can be made of what is carried, at most `crafts` times.
function possible (bot, recipe, crafts) {
  let times = crafts
  for (const { id, count } of recipe.delta) {
    if (count < 0) times = Math.min(times, Math.floor(bot.inventory.count(id, null) / -count))
  }
  return times
}

// The best way to make one of the items: all at once if that is possible, else as many as are.
function wayTo (bot, makes, missing) {
  let best = null
  for (const name of makes) {
    const item = bot.registry.itemsByName[name]
    if (!item) continue
    for (const recipe of bot.recipesAll(item.id, null, true)) {
      const crafts = Math.min(CRAFTS_MAX, Math.ceil(missing / recipe.result.count))
      const times = possible(bot, recipe, crafts)
      if (times > 0 && (!best || times > best.times)) best = { recipe, times, crafts, name }
    }
  }
  return best
}

async function craft (work, { makes, count, is_family: isFamily }) {
  const { bot, session } = work
  const goal = held(work, makes) + count
  let station = null
  if (!makes.some(name => bot.registry.itemsByName[name] && bot.recipesAll(bot.registry.itemsByName[name].id, null, true).length)) throw new Failure('no_recipe')
  try {
    while (held(work, makes) < goal) {
      const way = wayTo(bot, makes, goal - held(work, makes))
      // A family may be made of several kinds, one after the other; a single item needs all it takes.
      if (!way || (!isFamily && way.times < way.crafts)) throw new Failure('missing')
      if (way.recipe.requiresTable && !station) station = await reachStation(work, 'crafting_table')
      await make(work, way, station)
      session.crafted[way.name] = (session.crafted[way.name] ?? 0) + way.times * way.recipe.result.count
    }
  } finally {
    if (station && !work.ended) await takeAlong(work, station)
  }
}

async function make (work, { recipe, times, name }, station) {
  const { bot, session } = work
  const before = carried(bot)
  const began = Date.now()
  const table = recipe.requiresTable ? bot.blockAt(station.at) : null
  work.noteWindow(table ? 'crafting_table' : 'inventory')
  await work.race(bot.craft(recipe, times, table), CRAFT_MS + times * 1500, () => new Failure('gui_blocked', { gui: 'crafting_table' }))
  await work.wait(150)
  await session.confirmed(began)
  const after = carried(bot)
  // What the server says counts, not what the client believes.
  if ((after[name] ?? 0) <= (before[name] ?? 0)) throw new Failure('gui_blocked', { gui: table ? 'crafting_table' : 'inventory' })
  for (const [item, had] of Object.entries(before)) {
    const left = after[item] ?? 0
    if (left < had) work.noteUsed(item, had - left)
  }
}

// The pieces of fuel for so many pieces, and which.
function chooseFuel (countOf, fuels, pieces) {
  const choices = []
  for (const [order, { name, ticks }] of fuels.entries()) {
    const have = countOf(name)
    const need = Math.ceil(pieces * 200 / ticks)
    if (have > 0) choices.push({ name, take: Math.min(have, need), isEnough: have >= need, order })
  }
  choices.sort((a, b) => Number(b.isEnough) - Number(a.isEnough) || a.order - b.order)
  return choices[0] ?? null
}

async function smelt (work, { makes, count, inputs, fuels }) {
  const { bot, session } = work
  const id = name => bot.registry.itemsByName[name]?.id ?? -1
  const input = inputs.find(name => bot.inventory.count(id(name), null) >= count)
  if (!input) throw new Failure('missing')
  // Fuel that is the only input left is no fuel.
  const fuel = chooseFuel(name => bot.inventory.count(id(name), null), fuels.filter(({ name }) => name !== input), count)
  const station = await reachStation(work, 'furnace')
  const window = await openWindow(work, station.at, 'furnace')
  session.furnace = { position: station.at, slots: [0, 0, 0] }
  try {
    if (window.slots[2]) await takeOutput(work, window, makes)
    const burns = (window.slots[1]?.count ?? 0) > 0 || session.furnaceState.burn > 0
    if (!fuel && !burns) throw new Failure('no_fuel')
    await put(work, window, id(input), count, 0)
    work.noteUsed(input, count)
    if (fuel && !(burns && !fuel.isEnough)) {
      await put(work, window, id(fuel.name), fuel.take, 1)
      work.noteUsed(fuel.name, fuel.take)
    }
    await watchFurnace(work, window, { makes, count, fuels, input })
  } finally {
    if (!work.ended) {
      await takeBack(work, window)
      await closeWindow(work)
      await takeAlong(work, station)
    }
  }
}

async function put (work, window, type, count, slot) {
  const { bot } = work
  await work.race(bot.transfer({
    window, itemType: type, metadata: null, count,
    sourceStart: window.inventoryStart, sourceEnd: window.inventoryEnd, destStart: slot, destEnd: slot + 1
  }), 20000, () => new Failure('gui_blocked', { gui: 'furnace' }))
}

async function takeOutput (work, window, makes) {
  const { bot, session } = work
  const made = window.slots[2]
  if (!made) return 0
  const { name, count } = made
  await work.race(bot.putAway(2), 8000, () => new Failure('gui_blocked', { gui: 'furnace' }))
  session.crafted[name] = (session.crafted[name] ?? 0) + count
  return makes.includes(name) ? count : 0
}

// Waits by the furnace until all is done, feeding it while there is something to burn.
async function watchFurnace (work, window, { makes, count, fuels, input }) {
  const { bot, session } = work
  let [taken, idle, lastCook] = [0, 0, -1]
  for (let waited = 0; taken < count; waited += 250) {
    if (waited > count * SMELT_MS_PER_PIECE * 3 + 20000) throw new Failure('gui_blocked', { gui: 'furnace' })
    await work.wait(250)
    const there = window.slots[2]
    if (there && taken + there.count >= count) taken += await takeOutput(work, window, makes)
    const { cook, burn } = session.furnaceState
    idle = cook === lastCook && burn === 0 ? idle + 1 : 0
    lastCook = cook
    if (idle < 8 || !window.slots[0]) continue
    // The fire went out: more, if there is any.
    const countOf = name => window.count(bot.registry.itemsByName[name]?.id ?? -1, null)
    const more = chooseFuel(countOf, fuels.filter(({ name }) => name !== input), count - taken)
    if (!more) throw new Failure('no_fuel')
    await put(work, window, bot.registry.itemsByName[more.name].id, more.take, 1)
    work.noteUsed(more.name, more.take)
    idle = 0
  }
}

// What was not smelted is taken along, also after a failure.
async function takeBack (work, window) {
  const { bot } = work
  for (const slot of [2, 0, 1]) {
    if (window.slots[slot] && bot.currentWindow === window) await work.race(bot.putAway(slot), 8000).catch(() => {})
  }
}

module.exports = { craft, smelt }
