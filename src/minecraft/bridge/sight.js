// Sight: what rays from the eyes reach, and the memory of it.
//
// The client holds whole chunks; the agent is told of a block only after a ray has met it. With the senses of a client,
// which results name, it is told of all that was sent.
'use strict'

const { Vec3 } = require('vec3')

const REACH = 40
const RAYS = 700
// Half the angles of a player's field of view.
const HALF_WIDTH = 51 * Math.PI / 180
const HALF_HEIGHT = 35 * Math.PI / 180
// In the dark only so far.
const DARK_REACH = 8
const DARK_LIGHT_MAX = 3
const FRESH_MAX = 3000
const SEEN_MAX = 400000
// A client looks through the chunks so far, and through more than is wanted, for height counts double in the end.
const CLIENT_REACH = 64
const CLIENT_SURPLUS = 4
const BIAS = 1 << 20

const key = (x, y, z) => ((x + BIAS) * (BIAS * 2) + (z + BIAS)) * 512 + (y + 64)
const place = number => {
  const y = number % 512 - 64
  const flat = Math.floor(number / 512)
  return new Vec3(Math.floor(flat / (BIAS * 2)) - BIAS, y, flat % (BIAS * 2) - BIAS)
}

// Which block states let the eye through, by the shapes and names of the game.
function transparency (registry) {
  const table = new Uint8Array(65536)
  for (const block of registry.blocksArray) {
    const clear = (block.transparent && block.boundingBox === 'empty') || /glass|^water$|torch|^ladder$|fence|rail/.test(block.name)
    if (clear) table.fill(1, block.minStateId, block.maxStateId + 1)
    if (/(^|_)air$/.test(block.name)) table.fill(2, block.minStateId, block.maxStateId + 1)
  }
  return table
}

class Sight {
  constructor (bot, level) {
    this.bot = bot
    this.isScout = level !== 'player'
    this.isClient = level === 'client'
    this.clear = transparency(bot.registry)
    this.seen = new Map()
    this.fresh = new Map()
    this.turn = 0
  }

  eyes () { return this.bot.entity.position.offset(0, 1.62, 0) }

  daylight () {
    const time = this.bot.time?.timeOfDay ?? 6000
    if (time < 12500 || time > 23500) return 15
    return time > 13700 && time < 22300 ? 4 : 9
  }

  lightAt (at) {
    const { world } = this.bot
    return Math.max(world.getBlockLight(at) ?? 0, Math.min(world.getSkyLight(at) ?? 0, this.daylight()))
  }

  // Looks along one ray; what it meets is remembered.
  cast (eyes, dir) {
    const { world } = this.bot
    let [x, y, z] = [Math.floor(eyes.x), Math.floor(eyes.y), Math.floor(eyes.z)]
    const step = [Math.sign(dir.x), Math.sign(dir.y), Math.sign(dir.z)]
    const delta = [Math.abs(1 / dir.x), Math.abs(1 / dir.y), Math.abs(1 / dir.z)]
    const side = (d, e, f) => d > 0 ? (f + 1 - e) : (e - f)
    const next = [side(dir.x, eyes.x, x) * delta[0], side(dir.y, eyes.y, y) * delta[1], side(dir.z, eyes.z, z) * delta[2]]
    const at = new Vec3(x, y, z)
    for (let far = 0; far < REACH;) {
      const before = at.clone()
      const axis = next[0] < next[1] ? (next[0] < next[2] ? 0 : 2) : (next[1] < next[2] ? 1 : 2)
      far = next[axis]
      next[axis] += delta[axis]
      if (axis === 0) x += step[0]
      else if (axis === 1) y += step[1]
      else z += step[2]
      if (y < -64 || y > 319) return
      at.set(x, y, z)
      const state = world.getBlockStateId(at)
      if (state === undefined || state === null) return // not loaded
      const kind = this.clear[state]
      if (kind === 2) {
        this.forget(x, y, z)
        continue
      }
      if (!this.isScout && far > DARK_REACH && this.lightAt(before) <= DARK_LIGHT_MAX) return
      this.note(x, y, z, state)
      if (kind === 0) return
    }
  }

  note (x, y, z, state) {
    const k = key(x, y, z)
    if (this.seen.get(k) === state) return
    if (this.seen.size < SEEN_MAX) this.seen.set(k, state)
    if (this.fresh.size < FRESH_MAX) this.fresh.set(k, state)
  }

  // A block that was there and is not any more.
  forget (x, y, z) {
    const k = key(x, y, z)
    if (!this.seen.has(k)) return
    this.seen.delete(k)
    if (this.fresh.size < FRESH_MAX) this.fresh.set(k, 0)
  }

  // One look: rays spread over the field of view, or all around.
  look () {
    const { entity } = this.bot
    if (!entity) return
    const eyes = this.eyes()
    // Each look has its rays between those of the last one.
    const shift = (this.turn++ * 0.618034) % 1
    for (let n = 0; n < RAYS; n++) {
      const u = (n + shift) / RAYS
      const v = (n * 0.7548776662 + shift) % 1
      let yaw, pitch
      if (this.isScout) {
        yaw = v * 2 * Math.PI
        pitch = Math.asin(2 * u - 1)
      } else {
        yaw = entity.yaw + (v * 2 - 1) * HALF_WIDTH
        pitch = Math.max(-1.57, Math.min(1.57, entity.pitch + (u * 2 - 1) * HALF_HEIGHT))
      }
      this.cast(eyes, new Vec3(-Math.sin(yaw) * Math.cos(pitch) || 1e-9, Math.sin(pitch) || 1e-9, -Math.cos(yaw) * Math.cos(pitch) || 1e-9))
    }
    this.touch()
  }

  // What the body stands in and against is felt.
  touch () {
    const feet = this.bot.entity.position.floored()
    for (const [dx, dy, dz] of [[0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [1, 1, 0], [-1, 1, 0], [0, 1, 1], [0, 1, -1], [0, 2, 0]]) {
      const at = feet.offset(dx, dy, dz)
      const state = this.bot.world.getBlockStateId(at)
      if (state && this.clear[state] !== 2) this.note(at.x, at.y, at.z, state)
      else this.forget(at.x, at.y, at.z)
    }
  }

  // True if nothing opaque is between the eyes and a point.
  isOpenTo (point) {
    const eyes = this.eyes()
    const way = point.minus(eyes)
    const length = way.norm()
    const steps = Math.ceil(length * 4)
    for (let n = 1; n < steps; n++) {
      const at = eyes.plus(way.scaled(n / steps)).floored()
      const state = this.bot.world.getBlockStateId(at)
      if (state && this.clear[state] === 0) return false
    }
    return true
  }

  // Whether an entity is before the eyes and nothing hides it.
  sees (entity, range) {
    const middle = entity.position.offset(0, (entity.height ?? 1) / 2, 0)
    const way = middle.minus(this.eyes())
    const far = way.norm()
    if (far > range) return false
    if (this.isClient) return true
    if (!this.isScout && far > 3) {
      const yaw = Math.atan2(-way.x, -way.z)
      const off = Math.abs(((yaw - this.bot.entity.yaw) % (2 * Math.PI) + 3 * Math.PI) % (2 * Math.PI) - Math.PI)
      if (off > HALF_WIDTH + 0.1) return false
    }
    return this.isOpenTo(middle)
  }

  // All remembered blocks of which `fits` says yes; with the senses of a client, the nearest of all that were sent.
  known (fits, from, range, count) {
    if (!this.isClient) return [...this.seen].filter(([, state]) => fits(state)).map(([k]) => place(k))
    return this.bot.findBlocks({ point: from, matching: block => fits(block.stateId), maxDistance: Math.min(range, CLIENT_REACH), count: count * CLIENT_SURPLUS })
  }

  // Remembered blocks of which `fits` says yes to the state, nearest first; height counts double.
  nearest (fits, from, range, count) {
    const found = []
    for (const at of this.known(fits, from, range, count)) {
      const far = Math.abs(at.x - from.x) + Math.abs(at.z - from.z) + 2 * Math.abs(at.y - from.y)
      if (far <= range * 2) found.push([far, at])
    }
    found.sort((a, b) => a[0] - b[0])
    return found.slice(0, count).map(([, at]) => at)
  }

  // What came into sight since the last time, as places with states.
  takeFresh () {
    const cells = []
    for (const [k, state] of this.fresh) {
      const at = place(k)
      cells.push([at.x, at.y, at.z, state])
    }
    this.fresh.clear()
    return cells
  }
}

module.exports = { Sight }
