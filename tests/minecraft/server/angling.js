// Angling: a bobber that flies, floats, is bitten after a while, and brings something up.
'use strict'

const { Vec3 } = require('vec3')
const { randomUUID } = require('crypto')

const ROD_USES = 64
// As the game throws it.
const [SPEED, GRAVITY, DRAG] = [0.9, 0.03, 0.92]
const FLIGHT_TICKS = 60
const HOLD_MS = 1000
const BITE_PARTICLES = 6

module.exports.server = function (serv) {
  // What comes up, one after the other, and how long it takes.
  serv.catches = ['cod']
  serv.biteMs = 1500
}

module.exports.player = function (player, serv) {
  const { entitiesByName, particlesByName } = serv.registry
  const Item = require('prismarine-item')(serv.registry)
  let line = null

  async function landing () {
    const [yaw, pitch] = [player.yaw * Math.PI / 180, player.pitch * Math.PI / 180]
    let at = player.position.offset(0, 1.62, 0)
    let way = new Vec3(-Math.sin(yaw) * Math.cos(pitch), -Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)).scaled(SPEED)
    for (let tick = 0; tick < FLIGHT_TICKS; tick++) {
      at = at.plus(way)
      way = way.offset(0, -GRAVITY, 0).scaled(DRAG)
      const block = await player.world.getBlock(at.floored())
      if (block.name === 'water') return { at, floats: true }
      if (block.boundingBox === 'block') break
    }
    return { at, floats: false }
  }

  const everyone = (name, body) => serv.players.forEach(other => other._client.write(name, body))

  async function cast () {
    const id = ++serv.entityMaxId
    line = { id, bittenAt: null, timers: [] }
    const { at, floats } = await landing()
    if (!line) return
    line.at = at
    everyone('spawn_entity', { entityId: id, objectUUID: randomUUID(), type: entitiesByName.fishing_bobber.id, x: at.x, y: at.y, z: at.z, pitch: 0, yaw: 0, objectData: player.id, velocity: { x: 0, y: 0, z: 0 } })
    if (floats) line.timers.push(setTimeout(bite, serv.biteMs))
  }

  function bite () {
    line.bittenAt = Date.now()
    const { x, y, z } = line.at
    everyone('world_particles', { particleId: particlesByName.fishing.id, longDistance: false, x, y, z, offsetX: 0, offsetY: 0, offsetZ: 0, particleData: 0, particles: BITE_PARTICLES, data: null })
    line.timers.push(setTimeout(bite, serv.biteMs))
  }

  function reelIn () {
    const { id, bittenAt, timers } = line
    timers.forEach(clearTimeout)
    line = null
    everyone('entity_destroy', { entityIds: [id] })
    if (bittenAt === null || Date.now() - bittenAt > HOLD_MS) return
    serv.dropNamed(player.world, player.position.offset(0, 0.5, 0), serv.catches.length > 1 ? serv.catches.shift() : serv.catches[0], 1)
    wearRod()
  }

  function wearRod () {
    const slot = 36 + player.heldItemSlot
    const rod = player.inventory.slots[slot]
    if (rod?.name !== 'fishing_rod') return
    const worn = new Item(rod.type, 1, rod.metadata, rod.nbt)
    worn.durabilityUsed = (rod.durabilityUsed ?? 0) + 1
    player.inventory.updateSlot(slot, worn.durabilityUsed >= ROD_USES ? null : worn)
  }

  player._client.on('use_item', () => {
    if (player.inventory.slots[36 + player.heldItemSlot]?.name !== 'fishing_rod') return
    if (line) reelIn()
    else cast()
  })
  player.on('disconnected', () => line?.timers.forEach(clearTimeout))
}
