// Improving: what is carried is mended, dyed or enchanted.
//
// Plain things are mended in the grid of the inventory, for nothing; enchanted ones at an anvil, for a grid would take
// their enchantments.
'use strict'

const { Failure } = require('./failure')
const { reachStation, openWindow, closeWindow, takeAlong } = require('./stations')
const { combineInGrid, combineAtAnvil, putOne, takeBack, slotIn } = require('./combining')
const { held } = require('./mining')

const LAPIS = 'lapis_lazuli'
const BOOK = 'enchanted_book'
const OFFERS_MS = 3000
const ENCHANT_MS = 5000

const isPlain = item => item.enchants.length === 0
const itemsOf = (bot, names) => bot.inventory.items().filter(item => names.includes(item.name))

// ── mending ──

// The most worn of the things, and what it can be mended with; material before another thing.
function pairToMend (bot, names, materials) {
  const worn = itemsOf(bot, names).filter(item => item.durabilityUsed > 0)
  worn.sort((a, b) => b.durabilityUsed - a.durabilityUsed)
  const thing = worn[0]
  if (!thing) return null
  const others = bot.inventory.items().filter(item => item.slot !== thing.slot)
  const like = others.filter(item => item.name === thing.name).sort((a, b) => b.durabilityUsed - a.durabilityUsed)
  const material = others.find(item => (materials[thing.name] ?? []).includes(item.name))
  return { thing, plain: isPlain(thing) ? like.find(isPlain) : undefined, other: material ?? like[0] }
}

async function repair (work, { items, materials }) {
  const { bot } = work
  const find = () => pairToMend(bot, items, materials)
  const found = find()
  if (!found) throw new Failure(held(work, items) > 0 ? 'not_damaged' : 'not_held')
  const { thing, plain, other } = found
  if (plain) {
    const { name } = thing
    if (!await combineInGrid(work, thing, plain)) throw new Failure('gui_blocked', { gui: 'inventory' })
    work.noteUsed(name, 2)
    return
  }
  if (!other) throw new Failure('missing', { needs: materials[thing.name]?.[0] ?? thing.name, have: 0, need: 1 })
  const joined = await combineAtAnvil(work, find)
  if (!joined) throw new Failure('gui_blocked', { gui: 'anvil' })
}

// ── dyeing ──

async function dye (work, { items, dyes }) {
  const { bot } = work
  const [thing] = itemsOf(bot, items)
  if (!thing) throw new Failure('not_held')
  const [colour] = itemsOf(bot, dyes)
  if (!colour) throw new Failure('missing', { needs: dyes[0], have: 0, need: 1 })
  const { name } = colour
  if (!await combineInGrid(work, thing, colour)) throw new Failure('gui_blocked', { gui: 'inventory' })
  work.noteUsed(name, 1)
}

// ── enchanting ──

// A thing and a carried book for it.
function pairForBook (bot, names) {
  const thing = itemsOf(bot, names).find(item => item.name !== BOOK)
  const other = itemsOf(bot, [BOOK])[0]
  return thing && other ? { thing, other } : null
}

// The dearest offer that can be paid, or the cheapest there is.
function chooseOffer (offers, level, lapis) {
  const there = offers.map(({ level: need }, at) => ({ at, price: at + 1, need: Math.max(need, at + 1) })).filter(({ at }) => offers[at].level > 0)
  const payable = there.filter(({ price, need }) => level >= need && lapis >= price)
  return { best: payable.at(-1), cheapest: there[0] }
}

async function atTable (work, station, names) {
  const { bot, session } = work
  const window = await work.race(bot.openEnchantmentTable(bot.blockAt(station.at)), OFFERS_MS, () => new Failure('gui_blocked', { gui: 'enchanting_table' }))
  work.noteWindow('enchanting_table')
  try {
    const thing = itemsOf(bot, names).find(isPlain)
    if (!thing) throw new Failure('not_held')
    const began = Date.now()
    await putOne(work, slotIn(bot, window, thing.slot), 0)
    const lapis = itemsOf(bot, [LAPIS])[0]
    await work.race(window.putLapis({ slot: slotIn(bot, window, lapis.slot) }), OFFERS_MS, () => new Failure('gui_blocked', { gui: 'enchanting_table' }))
    const isReady = () => window.enchantments.every(({ level }) => level >= 0) && window.enchantments.some(({ level }) => level > 0)
    for (let waited = 0; waited < OFFERS_MS && !isReady(); waited += 100) await work.wait(100)
    const have = bot.experience?.level ?? 0
    const { best, cheapest } = chooseOffer(window.enchantments, have, lapis.count)
    if (!best) throw new Failure('too_few_levels', { have, need: cheapest?.need ?? 1 })
    const made = await work.race(window.enchant(best.at), ENCHANT_MS, () => new Failure('gui_blocked', { gui: 'enchanting_table' }))
    await session.confirmed(began)
    if (!made || isPlain(made)) throw new Failure('gui_blocked', { gui: 'enchanting_table' })
    work.noteUsed(LAPIS, best.price)
  } finally {
    if (!work.ended) {
      await takeBack(work, window, [0, 1])
      await closeWindow(work)
    }
  }
}

async function enchant (work, { items, takes }) {
  const { bot } = work
  if (pairForBook(bot, items) && await combineAtAnvil(work, () => pairForBook(bot, items))) return
  if (held(work, items) === 0) throw new Failure('not_held')
  const names = items.filter(name => takes.includes(name))
  if (!itemsOf(bot, names).some(isPlain)) throw new Failure('not_enchantable')
  if (held(work, [LAPIS]) === 0) throw new Failure('missing', { needs: LAPIS, have: 0, need: 1 })
  if ((bot.experience?.level ?? 0) === 0) throw new Failure('too_few_levels', { have: 0, need: 1 })
  const station = await reachStation(work, 'enchanting_table')
  await atTable(work, station, names)
  await takeAlong(work, station)
}

module.exports = { repair, dye, enchant, chooseOffer, pairToMend }
