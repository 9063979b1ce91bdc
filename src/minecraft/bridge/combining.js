// Combining: two things in the grid of the inventory, or at an anvil, whose result the server shows.
//
// The server's rules decide what comes of it. What went in is taken back when nothing does.
'use strict'

const { Failure } = require('./failure')
const { carriedItem, reachStation, openWindow, closeWindow, takeAlong } = require('./stations')
const { nearestBlock } = require('./moving')

const ANVILS = ['damaged_anvil', 'chipped_anvil', 'anvil']
const ANVIL_NEAR = 24
const RESULT_MS = 2500
const CLICK_MS = 8000
// From this price on an anvil refuses; the game says so.
const TOO_DEAR = 40

// Puts one piece of what lies in a slot into another, and the rest back.
async function putOne (work, from, to) {
  const { bot } = work
  const blocked = () => new Failure('gui_blocked', { gui: 'inventory' })
  await work.race(bot.clickWindow(from, 0, 0), CLICK_MS, blocked)
  await work.race(bot.clickWindow(to, 1, 0), CLICK_MS, blocked)
  if ((bot.currentWindow ?? bot.inventory).selectedItem) await work.race(bot.clickWindow(from, 0, 0), CLICK_MS, blocked)
}

async function resultIn (work, window, slot) {
  for (let waited = 0; waited < RESULT_MS && !window.slots[slot]; waited += 100) await work.wait(100)
  return window.slots[slot] ?? null
}

async function takeBack (work, window, slots) {
  for (const slot of slots) {
    if (window.slots[slot]) await work.race(work.bot.putAway(slot), CLICK_MS).catch(() => {})
  }
}

// Joins two carried things in the grid of the inventory; false if the server shows no result.
async function combineInGrid (work, thing, other) {
  const { bot, session } = work
  const { inventory } = bot
  work.noteWindow('inventory')
  const began = Date.now()
  await putOne(work, thing.slot, 1)
  await putOne(work, other.slot, 2)
  if (!await resultIn(work, inventory, 0)) {
    await takeBack(work, inventory, [1, 2])
    return false
  }
  await work.race(bot.putAway(0), CLICK_MS, () => new Failure('gui_blocked', { gui: 'inventory' }))
  // What went in is used up.
  for (const slot of [1, 2]) if (inventory.slots[slot]) inventory.updateSlot(slot, null)
  await work.wait(300)
  await session.confirmed(began)
  return true
}

function anvilKind (work) {
  const { bot } = work
  const known = nearestBlock(work, ANVILS, ANVIL_NEAR)
  return known ? bot.blockAt(known).name : carriedItem(bot, ANVILS)?.name ?? 'anvil'
}

// The slot of the open window in which a thing lies that was in this slot of the inventory.
const slotIn = (bot, window, slot) => slot - bot.inventory.inventoryStart + window.inventoryStart

// Joins two carried things at an anvil, known or carried; false if the anvil makes nothing of them.
async function combineAtAnvil (work, find) {
  const { bot, session } = work
  const station = await reachStation(work, anvilKind(work))
  const window = await openWindow(work, station.at, 'anvil')
  let price = 0
  const onPrice = packet => { if (packet.windowId === window.id && packet.property === 0) price = packet.value }
  bot._client.on('craft_progress_bar', onPrice)
  try {
    // Putting the anvil down may have changed which slot holds what.
    const found = find()
    if (!found) return false
    const began = Date.now()
    await putOne(work, slotIn(bot, window, found.thing.slot), 0)
    await work.race(bot.moveSlotItem(slotIn(bot, window, found.other.slot), 1), CLICK_MS, () => new Failure('gui_blocked', { gui: 'anvil' }))
    const made = await resultIn(work, window, 2)
    const have = bot.experience?.level ?? 0
    if (price >= TOO_DEAR) throw new Failure('invalid', { because: 'an anvil finds it too expensive' })
    if (made && price > have) throw new Failure('too_few_levels', { have, need: price })
    if (!made) return false
    const [name, count] = [found.other.name, window.slots[1]?.count ?? 0]
    await work.race(bot.putAway(2), CLICK_MS, () => new Failure('gui_blocked', { gui: 'anvil' }))
    await work.wait(300)
    await session.confirmed(began)
    work.noteUsed(name, count - (window.slots[1]?.count ?? 0))
    return true
  } finally {
    bot._client.removeListener('craft_progress_bar', onPrice)
    if (!work.ended) {
      await takeBack(work, window, [1, 0])
      await closeWindow(work)
      await takeAlong(work, station)
    }
  }
}

module.exports = { combineInGrid, combineAtAnvil, putOne, takeBack, slotIn }
