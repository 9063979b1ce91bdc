// Work: one action under way, and what may end it early: a cancellation, the death of the body, the end of the session.
//
// Everything that waits goes through `race`, because promises of the library may never settle once a session is over.
'use strict'

const { Failure, cancelled } = require('./failure')

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

class Work {
  constructor (session, order) {
    this.session = session
    this.bot = session.bot
    this.order = order
    this.broken = {}
    this.used = {}
    this.windows = []
    this.startTick = session.clock.tick()
    this.ended = null
    // Settles only when the action is to stop.
    this.stopping = new Promise((resolve, reject) => { this.stop = reject })
    this.stopping.catch(() => {})
  }

  cancel () { this.end(cancelled()) }

  end (failure) {
    if (this.ended) return
    this.ended = failure
    this.stop(failure)
    halt(this.bot)
  }

  // The promise, unless the action is to stop before or the time is over.
  async race (promise, ms, onTime = () => new Failure('out_of_time', { ms })) {
    promise.catch?.(() => {})
    if (this.ended) throw this.ended
    let timer
    const late = new Promise((resolve, reject) => { timer = setTimeout(() => reject(onTime()), ms) })
    try {
      return await Promise.race([promise, this.stopping, late])
    } finally {
      clearTimeout(timer)
    }
  }

  async wait (ms) { await this.race(sleep(ms), ms + 5000) }

  noteBroken (name) { this.broken[name] = (this.broken[name] ?? 0) + 1 }
  // The server has put it back.
  noteRestored (name) {
    this.session.noteRestored()
    if (--this.broken[name] <= 0 || Number.isNaN(this.broken[name])) delete this.broken[name]
  }

  noteUsed (name, count) { this.used[name] = (this.used[name] ?? 0) + count }
  noteWindow (name) { if (!this.windows.includes(name)) this.windows.push(name) }

  report () {
    const { broken, used, windows } = this
    return { ticks: this.session.clock.tick() - this.startTick, broken, used, windows }
  }
}

// Lets go of everything that the body does.
function halt (bot) {
  try {
    bot.pathfinder?.setGoal(null)
    bot.clearControlStates()
    if (bot.targetDigBlock) bot.stopDigging()
    if (bot.usingHeldItem) bot.deactivateItem()
  } catch { /* the session may be over already */ }
}

// Waits until the body does nothing any more; false if it does not come to rest.
async function isQuiet (bot, ms) {
  for (let waited = 0; waited < ms; waited += 50) {
    if (!bot.targetDigBlock && !bot.pathfinder?.isMoving()) return true
    halt(bot)
    await sleep(50)
  }
  return false
}

module.exports = { Work, halt, isQuiet, sleep }
