// Frames: what the body senses now, in plain numbers and names.
'use strict'

const MOBS_MAX = 8
const NOTABLE_MAX = 16
const NOTABLE_RANGE = 48
const MOB_RANGE = 32
const TRAIL_MAX = 64

const round = (number, digits) => Math.round(number * 10 ** digits) / 10 ** digits
const degrees = radians => radians * 180 / Math.PI

function counts (bot) {
  const found = {}
  for (const item of bot.inventory.slots) {
    if (item && item.slot !== 0) found[item.name] = (found[item.name] ?? 0) + item.count
  }
  const cursor = (bot.currentWindow ?? bot.inventory).selectedItem
  if (cursor) found[cursor.name] = (found[cursor.name] ?? 0) + cursor.count
  return found
}

// While a window is open, the true counts are in it.
function carried (bot) {
  const window = bot.currentWindow
  if (!window) return counts(bot)
  const found = {}
  for (let slot = window.inventoryStart; slot < window.inventoryEnd; slot++) {
    const item = window.slots[slot]
    if (item) found[item.name] = (found[item.name] ?? 0) + item.count
  }
  const more = [window.selectedItem, ...[5, 6, 7, 8, 45].map(slot => bot.inventory.slots[slot])]
  for (const item of more.filter(Boolean)) found[item.name] = (found[item.name] ?? 0) + item.count
  return found
}

const GUIS = { 'minecraft:crafting': 'crafting_table', 'minecraft:furnace': 'furnace', 'minecraft:generic_9x3': 'chest', 'minecraft:generic_9x6': 'chest', 'minecraft:enchantment': 'enchanting_table', 'minecraft:anvil': 'anvil', 'minecraft:grindstone': 'grindstone', 'minecraft:merchant': 'trade' }

function gui (bot) {
  if (!bot.currentWindow) return 'closed'
  return GUIS[bot.currentWindow.type] ?? 'inventory'
}

function isUnderground (session) {
  const { bot, sight } = session
  const eyes = sight.eyes().floored()
  for (let up = 1; up < 48; up++) {
    const at = eyes.offset(0, up, 0)
    const state = bot.world.getBlockStateId(at)
    if (!state || sight.clear[state] !== 0) continue
    const name = bot.registry.blocksByStateId[state]?.name ?? ''
    if (!/_(leaves|log)$/.test(name)) return true
  }
  return false
}

function mobs (session) {
  const { bot, sight } = session
  const found = []
  for (const entity of Object.values(bot.entities)) {
    if (entity === bot.entity || !entity.name || entity.type === 'object' || entity.type === 'player') continue
    const far = entity.position.distanceTo(bot.entity.position)
    if (far <= MOB_RANGE && sight.sees(entity, MOB_RANGE)) found.push([far, entity])
  }
  found.sort((a, b) => a[0] - b[0])
  return found.slice(0, MOBS_MAX).map(([, entity]) => ({ name: entity.name, at: entity.position.toArray().map(v => round(v, 2)) }))
}

function notable (session) {
  const { sight, notableStates, bot } = session
  const near = sight.nearest(state => notableStates.has(state), bot.entity.position, NOTABLE_RANGE, NOTABLE_MAX)
  return near.map(at => ({
    name: bot.registry.blocksByStateId[bot.world.getBlockStateId(at)]?.name,
    at: [at.x, at.y, at.z]
  })).filter(block => block.name)
}

// Places and names of new blocks: a table of names, then name, x, y, z for each.
function seen (session) {
  const names = []
  const cells = []
  for (const [x, y, z, state] of session.sight.takeFresh()) {
    const name = session.bot.registry.blocksByStateId[state]?.name ?? 'air'
    let at = names.indexOf(name)
    if (at < 0) at = names.push(name) - 1
    cells.push(at, x, y, z)
  }
  return { names, cells }
}

// What the body senses; takes the news out of the memory.
function frame (session) {
  const { bot, clock, sight } = session
  const { entity } = bot
  const feet = entity.position
  const rain = bot.thunderState > 0.5 ? 'thunder' : 'rain'
  const window = bot.currentWindow
  const isChest = gui(bot) === 'chest'
  return {
    tick: clock.tick(),
    time: bot.time?.timeOfDay ?? 0,
    at: feet.toArray().map(v => round(v, 3)),
    yaw: round(degrees(Math.PI - entity.yaw), 1),
    pitch: round(degrees(-entity.pitch), 1),
    health: bot.health ?? 20,
    hunger: bot.food ?? 20,
    air: Math.max(0, Math.round((bot.oxygenLevel ?? 20) * 15)),
    on_ground: Boolean(entity.onGround),
    underground: isUnderground(session),
    biome: bot.registry.biomes[bot.world.getBiome(feet.floored())]?.name ?? '',
    weather: bot.isRaining ? rain : 'clear',
    light: Math.max(0, Math.min(15, sight.lightAt(sight.eyes().floored()))),
    inventory: carried(bot),
    held: bot.heldItem?.name ?? null,
    worn: [5, 6, 7, 8, 45].map(slot => bot.inventory.slots[slot]?.name).filter(Boolean),
    gui: gui(bot),
    gui_opened: session.guiOpened,
    gui_closed: session.guiClosed,
    furnace: session.furnace && feet.distanceTo(session.furnace.position) < 16 ? session.furnaceView() : null,
    container_items: isChest ? window.containerItems().reduce((sum, item) => sum + item.count, 0) : 0,
    crafted: session.crafted,
    looted: session.looted,
    broken: session.broken,
    points: bot.experience?.points ?? 0,
    level: bot.experience?.level ?? 0,
    mobs: mobs(session),
    notable: notable(session),
    trail: session.trail.splice(0, session.trail.length).slice(-TRAIL_MAX),
    seen: seen(session),
    alive: !session.isDead
  }
}

module.exports = { frame, carried, gui }
