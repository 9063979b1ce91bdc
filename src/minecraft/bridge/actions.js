// Actions: one at a time, each ending with one report.
'use strict'

const { Vec3 } = require('vec3')
const { Failure, asFailure } = require('./failure')
const { Work, isQuiet } = require('./work')
const moving = require('./moving')
const { mine } = require('./mining')
const { craft, smelt } = require('./making')
const handling = require('./handling')
const { attack } = require('./fighting')
const { fish } = require('./fishing')
const { grow } = require('./growing')
const { breed } = require('./breeding')
const { trade } = require('./trading')
const { build } = require('./building')
const { repair, dye, enchant } = require('./improving')

const QUIET_MS = 2500

// What a target means to the Rust side is kept as it came; `find` is what it means here.
const scripts = {
  async explore (work, { targets }) {
    const found = () => moving.findTarget(work, targets)
    if (!found()) await moving.search(work, found, targets[0])
  },
  async approach (work, { target, range }) {
    const found = () => moving.findTarget(work, [target])
    if (!found()) await moving.search(work, found, target)
    const { at, entity } = found()
    if (entity) await moving.go(work, new moving.goals.GoalFollow(entity, Math.max(1, range)), at)
    else await moving.goTo(work, at, Math.max(1, range))
  },
  goto: (work, { at, range }) => moving.goTo(work, new Vec3(...at), range),
  dig_down: (work, { y }) => moving.digDown(work, y),
  go_up: (work, { y }) => moving.goUp(work, y),
  mine,
  craft,
  smelt,
  attack,
  equip: handling.equip,
  place: handling.place,
  build,
  fish,
  grow,
  breed,
  trade,
  repair,
  dye,
  enchant,
  eat: handling.eat,
  use: handling.useOn,
  take: handling.take,
  put: handling.put,
  sleep: handling.sleepInBed,
  raw: handling.raw,
  wait: handling.wait
}

// Carries an order out and gives its report; never throws.
async function carryOut (session, order) {
  const script = Object.hasOwn(scripts, order.do) ? scripts[order.do] : null
  const work = new Work(session, order)
  session.active = work
  session.onDeath = () => work.end(new Failure('died', { of: 'its wounds' }))
  session.onOver = because => work.end(new Failure('disconnected', { because }))
  let failure = null
  try {
    if (!script) throw new Failure('invalid', { because: 'the bridge has no such action' })
    await session.keepSafe.yield()
    if (session.isDead) throw new Failure('died', { of: 'its wounds' })
    if (session.bot.currentWindow && order.do !== 'raw') await session.bot.closeWindow(session.bot.currentWindow)
    await script(work, order)
  } catch (error) {
    failure = work.ended ?? asFailure(error)
  }
  session.onDeath = () => {}
  session.onOver = () => {}
  const isQuietNow = session.isOver || await isQuiet(session.bot, QUIET_MS)
  if (session.bot.currentWindow && failure) {
    try { session.bot.closeWindow(session.bot.currentWindow)?.catch?.(() => {}) } catch { /* it may be closed already */ }
  }
  session.active = null
  return { report: work.report(), failure, isQuiet: isQuietNow }
}

module.exports = { carryOut, actionNames: Object.keys(scripts) }
