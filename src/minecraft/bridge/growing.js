// Growing: plant, tend, wait near by, harvest, plant again. What stands ripe already is taken first.
//
// It ends after a time, whatever does not grow.
'use strict'

const { Failure } = require('./failure')
const { go, goals, search, nearestBlock, feet, statesOf } = require('./moving')
const { mine, breakBlock, collect, held } = require('./mining')
const { carriedItem } = require('./stations')
const { sleepInBed } = require('./handling')
const { isNight } = require('./shelter')
const { findBed, knowsWetGround, plant, standBy, useOnBlock, isTilled, isAir, SIDES, UP } = require('./garden')

// Nearly two days; stalks rise more slowly.
const TICKS_MAX = 47000
const STALK_TICKS_MAX = 100000
const PLOTS_MAX = 9
const BAD_BEDS_MAX = 12
// Plants that stand there already are taken on within this distance.
const ADOPT = 32
const NEAR = 5
const SPILL = 7
const MEALS_MAX = 24
const SPREAD = 3
const WAIT_MS = 1000
const MEAL = 'bone_meal'
// A bush bears before it is full-grown.
const BUSH_RIPE = 2

const name = (bot, at) => bot.blockAt(at)?.name ?? ''

function standing (work, crop) {
  const { bot, session } = work
  if (crop.manner === 'tree') return []
  const states = statesOf(bot, [crop.plant])
  const near = session.sight.nearest(state => states.has(state), bot.entity.position, ADOPT, PLOTS_MAX)
  return near.filter(at => name(bot, at) === crop.plant && !(crop.manner === 'stalk' && name(bot, at.offset(0, -1, 0)) === crop.plant))
}

// How far the plant is: its age and the age at which it is ripe.
function ageAt (bot, at) {
  const block = bot.blockAt(at)
  const kind = bot.registry.blocksByName[block?.name]?.states?.find(state => state.name === 'age')
  return kind ? { age: Number(block.getProperties().age), last: kind.num_values - 1 } : null
}

class Job {
  constructor (work, crop, { gain, count, hoes, beds }) {
    Object.assign(this, { work, bot: work.bot, crop, gain, hoes, beds })
    this.goal = held(work, gain) + count
    this.plots = standing(work, crop)
    this.bad = []
  }

  missing () { return Math.max(0, this.goal - held(this.work, this.gain)) }
  seeds () { return held(this.work, [this.crop.seed]) }
  isPlant (at) { return name(this.bot, at) === this.crop.plant }

  // A cell that can be harvested now.
  ripe () {
    const { bot, crop, plots } = this
    if (crop.manner === 'stem') return plots.flatMap(at => SIDES.map(side => at.plus(side))).find(at => name(bot, at) === crop.part)
    if (crop.manner === 'stalk') return plots.map(at => at.plus(UP)).find(at => this.isPlant(at))
    if (crop.manner === 'spread') return this.spread()
    if (crop.manner === 'tree') return undefined
    return plots.find(at => {
      const state = this.isPlant(at) && ageAt(bot, at)
      return state && state.age >= (crop.manner === 'bush' ? BUSH_RIPE : state.last)
    })
  }

  spread () {
    for (const at of this.plots) {
      for (let dx = -SPREAD; dx <= SPREAD; dx++) {
        for (let dz = -SPREAD; dz <= SPREAD; dz++) {
          const place = at.offset(dx, 0, dz)
          if (this.isPlant(place) && !this.plots.some(plot => plot.equals(place))) return place
        }
      }
    }
  }

  async harvest (at) {
    const { work, bot, crop } = this
    const forget = () => {
      this.plots = this.plots.filter(plot => !plot.equals(at))
      this.bad.push(at)
    }
    if (!await standBy(work, at)) return forget()
    if (crop.manner === 'bush') {
      await work.race(bot.unequip('hand'), 8000)
      await useOnBlock(work, at)
    } else if (!await breakBlock(work, at)) {
      return forget()
    }
    await collect(work, null, SPILL)
  }

  // Where something was harvested and nothing stands now.
  fallow () {
    if (this.crop.manner === 'pod') return null
    const at = this.plots.find(plot => isAir(this.bot, plot) && !this.bad.some(place => place.equals(plot)))
    return at ? { at, against: at.offset(0, -1, 0), side: UP } : null
  }

  // Fields want water, and cane cannot be without it.
  async seekWater () {
    const { work, crop } = this
    const isThirsty = isTilled(crop) || crop.plant === 'sugar_cane'
    if (!isThirsty || this.plots.length || this.bad.length || knowsWetGround(work, crop)) return
    const next = () => nearestBlock(work, ['water'], 96)
    try {
      if (!next()) await search(work, next, null)
      await go(work, new goals.GoalNear(next().x, next().y + 1, next().z, 3), next(), 40000)
      work.session.sight.look()
    } catch (error) {
      // Fields grow without water, only slower.
      if (!(error instanceof Failure) || !['no_target', 'no_path', 'stuck'].includes(error.code)) throw error
    }
  }

  async plantOne () {
    const { work, crop } = this
    let bed = this.fallow()
    if (!bed) {
      await this.seekWater()
      bed = findBed(work, crop, this.plots, this.bad)
    }
    if (!bed) {
      this.bad.push(feet(this.bot))
      return false
    }
    if (!await plant(work, crop, bed, this.hoes)) {
      this.bad.push(bed.at)
      this.plots = this.plots.filter(plot => !plot.equals(bed.at))
      return false
    }
    if (!this.plots.some(plot => plot.equals(bed.at))) this.plots.push(bed.at)
    await this.feed(bed.at)
    return true
  }

  // Bone meal, if any is carried, until the plant is ripe or will not have it.
  async feed (at) {
    const { work, bot, crop } = this
    if (crop.manner === 'stalk' || crop.manner === 'spread') return
    for (let n = 0; n < MEALS_MAX; n++) {
      const meal = carriedItem(bot, [MEAL])
      const isDone = crop.manner === 'tree' ? name(bot, at) === crop.part : ageAt(bot, at)?.age >= (ageAt(bot, at)?.last ?? 0)
      if (!meal || isDone) return
      const before = held(work, [MEAL])
      await work.race(bot.equip(meal, 'hand'), 8000)
      await useOnBlock(work, at)
      if (held(work, [MEAL]) >= before) return
      work.noteUsed(MEAL, before - held(work, [MEAL]))
    }
  }

  async wait () {
    const { work, bot } = this
    await work.session.keepSafe.check(work)
    if (isNight(bot) && (carriedItem(bot, this.beds) || nearestBlock(work, this.beds, 24))) {
      await sleepInBed(work, { beds: this.beds }).catch(error => { if (work.ended || !(error instanceof Failure)) throw error })
    }
    const [nearest] = [...this.plots].sort((a, b) => a.distanceTo(bot.entity.position) - b.distanceTo(bot.entity.position))
    if (nearest && nearest.distanceTo(bot.entity.position) > NEAR + 1) {
      await go(work, new goals.GoalNear(nearest.x, nearest.y, nearest.z, NEAR), nearest, 30000).catch(error => {
        if (!(error instanceof Failure) || !['no_path', 'stuck'].includes(error.code)) throw error
      })
    }
    await work.wait(WAIT_MS)
  }

  // One thing after the other, until there is enough.
  async step () {
    const { work, bot, crop } = this
    if (bot.inventory.emptySlotCount() === 0) throw new Failure('inventory_full')
    const tree = crop.manner === 'tree' && this.plots.find(at => name(bot, at) === crop.part)
    if (tree) {
      this.plots = this.plots.filter(plot => !plot.equals(tree))
      work.session.sight.note(tree.x, tree.y, tree.z, bot.blockAt(tree).stateId)
      return await mine(work, { gain: this.gain, count: this.missing(), sources: [crop.part], dig_to: null })
    }
    const ripe = this.ripe()
    if (ripe) return await this.harvest(ripe)
    const rooted = this.plots.filter(at => this.isPlant(at)).length
    if (this.seeds() > 0 && rooted < Math.min(PLOTS_MAX, Math.max(1, this.missing())) && this.bad.length < BAD_BEDS_MAX) return await this.plantOne()
    if (this.plots.length === 0) throw this.seeds() === 0 ? new Failure('not_held', { item: crop.seed }) : new Failure('no_room', { at: feet(bot).toArray() })
    await this.wait()
  }
}

async function grow (work, order) {
  const { bot, session } = work
  const isReady = crop => carriedItem(bot, [crop.seed]) || standing(work, crop).length > 0
  const crop = order.crops.find(isReady)
  if (!crop) throw new Failure('not_held', { item: order.crops[0].seed })
  const job = new Job(work, crop, order)
  const tilled = nearestBlock(work, ['farmland'], ADOPT)
  if (isTilled(crop) && job.plots.length === 0 && !tilled && !carriedItem(bot, order.hoes)) throw new Failure('not_held', { item: order.hoes[0] })
  const until = session.clock.tick() + (crop.manner === 'stalk' ? STALK_TICKS_MAX : TICKS_MAX)
  while (session.clock.tick() < until) {
    if (job.missing() === 0) return
    await job.step()
  }
  throw new Failure('no_target', { y: feet(bot).y })
}

module.exports = { grow }
