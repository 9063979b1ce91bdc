// Server clock: ticks of the server, counted from its own reports of the age of the world.
//
// Between two reports the count goes on by this machine's clock, but never far: a server that stands still is seen to.
'use strict'

const TICK_MS = 50
// A server reports once a second; two seconds without a report, and time stands still.
const AHEAD_TICKS_MAX = 40
// No server is so much faster than this machine's clock for long.
const FASTEST = 4
const DAY = 24000

class ServerClock {
  constructor () {
    this.counted = 0
    this.last = 0
    this.reportedAt = Date.now()
    this.age = null
    this.time = null
  }

  // Called for each report: the age of the world and the time of day.
  report (age, time) {
    let passed = 0
    if (this.age !== null && age > this.age) passed = age - this.age
    // Some servers leave the age at nothing.
    else if (this.time !== null) passed = (time - this.time + DAY) % DAY
    // A night slept through, a set clock or an age that was left out at first: no time that has passed.
    const jumped = passed > AHEAD_TICKS_MAX + FASTEST * (Date.now() - this.reportedAt) / TICK_MS
    this.counted += jumped ? this.ahead() : passed
    this.age = age
    this.time = ((time % DAY) + DAY) % DAY
    this.reportedAt = Date.now()
  }

  ahead () {
    return Math.min(AHEAD_TICKS_MAX, Math.floor((Date.now() - this.reportedAt) / TICK_MS))
  }

  // Never goes back, although a report may be behind what was assumed.
  tick () {
    this.last = Math.max(this.last, this.counted + this.ahead())
    return this.last
  }
}

module.exports = { ServerClock }
