// Keeping safe: what the body does by itself while nothing is ordered, for the world does not wait for the mind.
//
// It eats when hungry, comes up for air, steps back from what attacks and digs in at night where monsters are about; during an action it only
// breaks off what would kill it.
'use strict'

const { Work } = require('./work')
const { Failure, asFailure } = require('./failure')
const { go, goals } = require('./moving')
const { eat } = require('./handling')
const { digIn, isEnclosed, isNight } = require('./shelter')

const CHECK_MS = 400
const HOSTILE = new Set(['zombie', 'husk', 'skeleton', 'stray', 'spider', 'cave_spider', 'creeper', 'slime', 'witch', 'drowned', 'zombie_villager', 'pillager', 'vindicator', 'phantom', 'silverfish'])
const NEAR = 7
const AWAY = 14
const HUNGRY = 14
const STARVING = 6
// So hungry, the body eats even what its plan needs.
const FAMISHED = 2
const WEAK = 8
// A monster that is seen so far away at night, or heard, is reason enough to dig in, unless it is near: then there is no time for it.
const NIGHT_NEAR = 24
const HEARD = 16
const DIG_IN_AGAIN_MS = 60000

class KeepSafe {
  constructor (session, foods) {
    this.session = session
    this.foods = foods
    this.kept = {}
    this.work = null
    this.dugInAt = -Infinity
    this.timer = setInterval(() => this.tick(), CHECK_MS)
    session.timers.push(this.timer)
  }

  threat (range) {
    const { bot, sight } = this.session
    const near = Object.values(bot.entities).filter(entity => HOSTILE.has(entity.name) &&
      entity.position.distanceTo(bot.entity.position) < range && sight.sees(entity, range))
    near.sort((a, b) => a.position.distanceTo(bot.entity.position) - b.position.distanceTo(bot.entity.position))
    return near[0] ?? null
  }

  // Monsters make sounds, whatever is before the eyes.
  hears () {
    const { bot } = this.session
    return Object.values(bot.entities).some(entity => HOSTILE.has(entity.name) && entity.position.distanceTo(bot.entity.position) < HEARD)
  }

  // What the plan still needs, by name and number.
  keep (kept) {
    const counts = Object.entries(kept ?? {}).filter(([, count]) => Number.isInteger(count))
    this.kept = Object.fromEntries(counts)
  }

  // The foods of which more is carried than the plan needs.
  edible () {
    const { bot } = this.session
    const carried = name => bot.inventory.items().reduce((sum, item) => sum + (item.name === name ? item.count : 0), 0)
    const kept = name => bot.food <= FAMISHED ? 0 : this.kept[name] ?? 0
    return this.foods.filter(name => carried(name) > kept(name))
  }

  // During an action, between its parts.
  async check (work) {
    const { bot } = this.session
    if (bot.health <= WEAK) {
      const threat = this.threat(NEAR)
      if (threat) throw new Failure('danger', { of: threat.name })
    }
    const foods = bot.food <= STARVING ? this.edible() : []
    if (foods.length) await eat(work, { foods })
  }

  tick () {
    const { session } = this
    if (session.isOver || session.isDead || session.active || this.work || !session.bot.entity) return
    const { bot } = session
    const isSafe = isEnclosed(bot)
    const threat = isSafe ? null : this.threat(NEAR)
    let what = null
    if (threat) what = ['step_back', work => this.stepBack(work, threat)]
    else if (!isSafe && this.mayDigIn()) what = ['shelter', work => this.shelter(work)]
    else if (bot.oxygenLevel < 10) what = ['surface', work => this.surface(work)]
    else if ((bot.food <= HUNGRY || (bot.health < WEAK && bot.food < 20)) && this.edible().length) what = ['eat', work => eat(work, { foods: this.edible() })]
    if (what) this.start(...what, threat)
  }

  mayDigIn () {
    return isNight(this.session.bot) && Date.now() - this.dugInAt > DIG_IN_AGAIN_MS && (this.hears() || this.threat(NIGHT_NEAR) !== null)
  }

  async shelter (work) {
    this.dugInAt = Date.now()
    await digIn(work)
  }

  start (name, act, threat) {
    const { session } = this
    const work = new Work(session, { do: name })
    this.work = work
    const because = threat ? threat.name : null
    act(work).catch(asFailure).then(failure => {
      this.work = null
      if (failure?.code === 'cancelled') return
      session.emit('reflex', { what: name, because, ticks: work.report().ticks, done: !failure })
    })
  }

  // An order comes first.
  async yield () {
    const { work } = this
    if (!work) return
    work.cancel()
    const { isQuiet } = require('./work')
    await isQuiet(this.session.bot, 1500)
    this.work = null
  }

  async stepBack (work, threat) {
    await go(work, new goals.GoalInvert(new goals.GoalFollow(threat, AWAY)), threat.position.floored(), 8000)
  }

  async surface (work) {
    const { bot } = this.session
    bot.setControlState('jump', true)
    try {
      for (let n = 0; n < 40 && bot.oxygenLevel < 20; n++) await work.wait(100)
    } finally {
      bot.setControlState('jump', false)
    }
  }
}

module.exports = { KeepSafe }
