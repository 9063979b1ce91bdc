// Handling: taking in hand, putting down, using, eating, chests, keys.
'use strict'

const { Vec3 } = require('vec3')
const { Failure } = require('./failure')
const { findTarget, search, tunnel, goTo, feet, go, goals } = require('./moving')
const { reachStation, putBlock, openWindow, closeWindow, takeAlong, carriedItem, spot, makeSpot } = require('./stations')
const { held, collect, reachBlock } = require('./mining')

const USE_TRIES_MAX = 64
// Up to here caves are full of lava or open onto it.
const LAVA_CAVES = 18
const TICK_MS = 50
const KEYS_MAX = 2000

async function equip (work, { items }) {
  const item = carriedItem(work.bot, items)
  if (!item) throw new Failure('not_held')
  const began = Date.now()
  const worn = /_(helmet|chestplate|leggings|boots)$/.exec(item.name)
  const place = worn ? { helmet: 'head', chestplate: 'torso', leggings: 'legs', boots: 'feet' }[worn[1]] : item.name === 'shield' ? 'off-hand' : 'hand'
  await work.race(work.bot.equip(item, place), 10000, () => new Failure('gui_blocked', { gui: 'inventory' }))
  await work.wait(200)
  await work.session.confirmed(began)
}

async function place (work, { items, at }) {
  const { bot } = work
  const item = carriedItem(bot, items)
  if (!item) throw new Failure('not_held')
  if (at) {
    const there = new Vec3(...at)
    await goTo(work, there, 3)
    await putBlock(work, item, there)
  } else {
    await putBlock(work, item, spot(bot) ?? await makeSpot(work))
  }
}

async function eat (work, { foods }) {
  const { bot, session } = work
  const food = foods.map(name => carriedItem(bot, [name])).find(Boolean)
  if (!food) throw new Failure('not_held')
  if (bot.food >= 20) return
  const [name, before, began] = [food.name, bot.food, Date.now()]
  await work.race(bot.equip(food, 'hand'), 8000)
  await work.race(bot.consume(), 4000, () => new Failure('gui_blocked', { gui: 'inventory' }))
  await work.wait(150)
  await session.confirmed(began)
  if (bot.food > before) work.noteUsed(name, 1)
}

// Who is as deep as the caves that are full of lava looks for it there.
async function searchFor (work, on) {
  const found = () => findTarget(work, [on])
  const { y } = feet(work.bot)
  const isInCaves = on.blocks?.length > 0 && on.blocks.every(block => block === 'lava') && y <= LAVA_CAVES && work.session.frame().underground
  if (isInCaves) await tunnel(work, y, found, on)
  else await search(work, found, on)
}

// Uses what is in the hand on the nearest such block or mob until enough is gained.
async function useOn (work, { items, on, gain, count }) {
  const { bot } = work
  const goal = gain.length ? held(work, gain) + count : 0
  for (let n = 0; n < USE_TRIES_MAX; n++) {
    if (items.length) {
      const item = carriedItem(bot, items)
      if (!item) throw new Failure('not_held')
      await work.race(bot.equip(item, 'hand'), 8000)
    } else {
      await work.race(bot.unequip('hand'), 8000)
    }
    if (!findTarget(work, [on])) await searchFor(work, on)
    const found = findTarget(work, [on])
    if (found.entity) {
      const { x, y, z } = found.entity.position.floored()
      await go(work, new goals.GoalNear(x, y, z, 2), found.at, 30000)
      await work.race(bot.activateEntity(found.entity), 5000)
    } else {
      await reachBlock(work, found.at)
      await work.race(bot.lookAt(found.at.offset(0.5, 0.5, 0.5), true), 3000)
      if (items.some(name => name === 'bucket' || name === 'glass_bottle')) bot.activateItem()
      else await work.race(bot.activateBlock(bot.blockAt(found.at)), 5000)
    }
    await work.wait(600)
    if (gain.length) await collect(work, gain)
    if (!gain.length || held(work, gain) >= goal) {
      if (bot.currentWindow) await closeWindow(work)
      return
    }
  }
  throw new Failure('no_target', { target: on, y: feet(bot).y })
}

async function take (work, { items, count }) {
  const { bot, session } = work
  const goal = held(work, items) + count
  const empty = new Set()
  for (let n = 0; n < 12 && held(work, items) < goal; n++) {
    const next = () => {
      const found = findTarget(work, [{ blocks: ['chest'] }])
      return found && !empty.has(found.at.toString()) ? found : null
    }
    if (!next()) await search(work, next, { source: true })
    const { at } = next()
    await goTo(work, at, 3)
    const window = await openWindow(work, at, 'chest')
    empty.add(at.toString())
    for (const item of window.containerItems().filter(there => items.includes(there.name))) {
      const wanted = Math.min(item.count, goal - held(work, items))
      if (wanted <= 0) break
      await work.race(window.withdraw(item.type, null, wanted), 15000, () => new Failure('gui_blocked', { gui: 'chest' }))
      session.looted[item.name] = (session.looted[item.name] ?? 0) + wanted
    }
    await closeWindow(work)
  }
  if (held(work, items) < goal) throw new Failure('no_target', { target: { source: true }, y: feet(bot).y })
}

async function put (work, { items, count }) {
  const { bot } = work
  if (held(work, items) < count) throw new Failure('not_held')
  const { at } = await reachStation(work, 'chest')
  const window = await openWindow(work, at, 'chest')
  let left = count
  for (const name of items) {
    const type = bot.registry.itemsByName[name]?.id ?? -1
    const there = Math.min(left, window.count(type, null))
    if (there <= 0) continue
    await work.race(window.deposit(type, null, there), 15000, () => new Failure('gui_blocked', { gui: 'chest' }))
    left -= there
  }
  await closeWindow(work)
}

async function sleepInBed (work, { beds }) {
  const { bot } = work
  const time = bot.time.timeOfDay
  if (time < 12542 || time > 23459) throw new Failure('invalid', { because: 'one sleeps only at night' })
  const kind = beds.find(name => findTarget(work, [{ blocks: [name] }])) ?? carriedItem(bot, beds)?.name
  if (!kind) throw new Failure('no_station', { station: 'white_bed' })
  const station = await reachStation(work, kind)
  await work.race(bot.sleep(bot.blockAt(station.at)), 10000, () => new Failure('danger', { of: 'the bed' }))
  while (bot.isSleeping) await work.wait(500)
  await takeAlong(work, station)
}

async function wait (work, { ticks }) {
  const { session } = work
  const until = session.clock.tick() + ticks
  while (session.clock.tick() < until) await work.wait(TICK_MS * 2)
}

const HELD_KEYS = { forward: 'forward', back: 'back', left: 'left', right: 'right', jump: 'jump', sneak: 'sneak', sprint: 'sprint' }

// Presses keys tick by tick, as a keyboard would.
async function raw (work, { keys }) {
  const { bot } = work
  for (const press of keys.slice(0, KEYS_MAX)) {
    for (const [key, control] of Object.entries(HELD_KEYS)) bot.setControlState(control, Boolean(press[key]))
    const [right, down] = press.camera ?? [0, 0]
    if (right || down) await bot.look(bot.entity.yaw - right * Math.PI / 180, bot.entity.pitch - down * Math.PI / 180, true)
    if (press.hotbar >= 1 && press.hotbar <= 9) bot.setQuickBarSlot(press.hotbar - 1)
    if (press.drop && bot.heldItem) bot._client.write('block_dig', { status: 4, location: { x: 0, y: 0, z: 0 }, face: 0 })
    if (press.attack && !bot.targetDigBlock) {
      const block = bot.blockAtCursor(4.5)
      if (block?.diggable) bot.dig(block, 'ignore').catch(() => {})
    } else if (!press.attack && bot.targetDigBlock) {
      bot.stopDigging()
    }
    if (press.use) {
      const block = bot.blockAtCursor(4.5)
      if (block) await work.race(bot.activateBlock(block), 3000)
      else bot.activateItem()
    }
    await work.wait(TICK_MS)
  }
  bot.clearControlStates()
}

module.exports = { equip, place, eat, useOn, take, put, sleepInBed, wait, raw }
