// Survival: drops by tool, pick-up of stacks, falls, hunger, eating, mobs that chase, players that are remembered.
//
// What flying-squid lacks of the game, as far as the tests of the bridge need it.
'use strict'

const { Vec3 } = require('vec3')
const windows = require('./windows')
const stores = require('./stores')
const living = require('./living')
const fields = require('./fields')
const angling = require('./angling')
const { surfaceY } = require('./terrain')

const FOOD = { apple: 4, bread: 5, cooked_beef: 8, beef: 3, porkchop: 3, cooked_porkchop: 8, cooked_chicken: 6, chicken: 2 }
const HOSTILE = new Set(['zombie', 'skeleton', 'spider', 'creeper', 'husk'])
const MOB_LOOT = { cow: [['beef', 2], ['leather', 1]], pig: [['porkchop', 2]], sheep: [['mutton', 1], ['white_wool', 1]], chicken: [['chicken', 1], ['feather', 1]], zombie: [['rotten_flesh', 1]] }
const BLOCK_LOOT = { stone: 'cobblestone', grass_block: 'dirt', coal_ore: 'coal', diamond_ore: 'diamond', oak_leaves: null, grass: null }
const PICK_UP_MS = 500

module.exports.server = function (serv, settings) {
  serv.interactions = new Map()
  serv.protectedBlocks = new Set()
  serv.remembered = new Map()
  serv.age = 0
  serv.terrainSeed = settings.generation.options.seed
  stores.server(serv, settings)
  living.server(serv)
  fields.server(serv)
  angling.server(serv)
  beds(serv)

  const items = () => serv.registry.itemsByName
  serv.dropItem = (world, position, type, count, pickUpMs = PICK_UP_MS) => serv.spawnObject(
    serv.registry.entitiesByName.item.id, world, position,
    { velocity: new Vec3(0, 0, 0), itemId: type, itemCount: count, pickupTime: pickUpMs, deathTime: 300000 })
  serv.dropNamed = (world, position, name, count) => serv.dropItem(world, position, items()[name].id, count)

  serv.on('asap', () => {
    const interact = serv.interactWithBlock
    serv.interactWithBlock = async data => {
      const own = serv.interactions.get(data.block.name)
      return own ? own(data) : interact(data)
    }
    // The age of the world, which flying-squid leaves at nothing.
    serv.setTime = time => {
      serv.time = time
      for (const player of serv.players) player._client.write('update_time', { age: [0, serv.age], time: [0, time] })
    }
    serv.time = 1000
  })
  serv.on('newEntity', entity => mortal(entity, serv))
  serv.on('tick', (_, count) => {
    serv.age++
    if (count % 10 === 0) chase(serv)
  })
}

// At night a bed is slept in until morning.
function beds (serv) {
  const SLEEP_MS = 2000
  const MORNING = 200
  const [POSE, POSE_TYPE, SLEEPING] = [6, 18, 2]
  const LEAVES_BED = 2
  serv.interactions.set('white_bed', async ({ player }) => {
    const pose = value => player._client.write('entity_metadata', { entityId: player.id, metadata: [{ key: POSE, type: POSE_TYPE, value }] })
    pose(SLEEPING)
    setTimeout(() => {
      serv.setTime(MORNING)
      pose(0)
      player._client.write('animation', { entityId: player.id, animation: LEAVES_BED })
    }, SLEEP_MS)
    return true
  })
}

// Hostile mobs walk towards the nearest player and hit from near.
function chase (serv) {
  for (const mob of Object.values(serv.entities)) {
    if (mob.type !== 'mob' || !HOSTILE.has(mob.name) || mob.health <= 0) continue
    const prey = serv.players.filter(p => p.health > 0 && p.position.distanceTo(mob.position) < 16)
      .sort((a, b) => a.position.distanceTo(mob.position) - b.position.distanceTo(mob.position))[0]
    if (!prey) continue
    const way = prey.position.minus(mob.position)
    const far = Math.hypot(way.x, way.z)
    if (far < 1.6 && Math.abs(way.y) < 2) {
      if (!mob.lastHit || Date.now() - mob.lastHit > 1000) {
        mob.lastHit = Date.now()
        prey.hurt(3)
      }
      mob.velocity = new Vec3(0, mob.velocity.y, 0)
    } else {
      mob.velocity = new Vec3(way.x / far * 1.5, mob.velocity.y, way.z / far * 1.5)
    }
  }
}

// A mob that dies leaves something, and its body goes.
function mortal (entity, serv) {
  if (entity.type !== 'mob') return
  const plain = entity.takeDamage
  entity.takeDamage = data => {
    const was = entity.health
    plain(data)
    if (entity.health > 0 || was <= 0) return
    for (const [name, count] of MOB_LOOT[entity.name] ?? []) serv.dropNamed(entity.world, entity.position, name, count)
    for (const player of serv.players) player._client.write('entity_destroy', { entityIds: [entity.id] })
  }
}

module.exports.player = function (player, serv) {
  const Item = require('prismarine-item')(serv.registry)

  player.on('asap', () => {
    windows.player(player, serv)
    living.player(player, serv)
    angling.player(player, serv)
    player.findSpawnPoint = async () => {
      const place = serv.startPlaces?.[player.username] ?? { x: 0, z: 0 }
      const y = surfaceY(serv.terrainSeed, place.x, place.z) + 1
      player.spawnPoint = new Vec3(place.x + 0.5, y, place.z + 0.5)
    }
    player.collect = entity => {
      if (player.health <= 0) return
      const left = player.receive(entity.itemId, entity.itemCount ?? 1)
      if (left > 0) {
        entity.itemCount = left
        return
      }
      for (const other of serv.players) {
        other._client.write('collect', { collectedEntityId: entity.id, collectorEntityId: player.id, pickupItemCount: entity.itemCount ?? 1 })
      }
      entity.destroy()
    }
  })

  // ── digging ──
  player.on('dug_cancel', ({ position }, cancel) => {
    if (serv.protectedBlocks.has(`${position.x},${position.y},${position.z}`)) cancel()
  })
  player.on('dug', data => {
    const { block, drops } = data
    const held = player.inventory.slots[36 + player.heldItemSlot]
    const harvests = !block.harvestTools || (held && block.harvestTools[held.type])
    const name = block.name in BLOCK_LOOT ? BLOCK_LOOT[block.name] : block.name
    drops.length = 0
    const centre = data.position.offset(0.5, 0.3, 0.5)
    for (const item of serv.forgetStore(data.position)) serv.dropItem(player.world, centre, item.type, item.count)
    if (block.name === 'oak_leaves' && Math.random() < 0.1) serv.dropNamed(player.world, centre, 'oak_sapling', 1)
    const harvest = serv.harvestOf(block)
    for (const [item, count] of harvest ?? []) serv.dropNamed(player.world, centre, item, count)
    if (!harvest && harvests && name && serv.registry.itemsByName[name]) serv.dropNamed(player.world, centre, name, 1)
  })

  // ── harm ──
  player.hurt = damage => {
    if (player.gameMode !== 0 || player.health <= 0) return
    player.updateHealth(Math.max(0, player.health - damage))
    player._client.write('entity_status', { entityId: player.id, entityStatus: player.health > 0 ? 2 : 3 })
    if (player.health > 0) return
    for (const item of player.inventory.slots.filter(Boolean)) {
      serv.dropItem(player.world, player.position, item.type, item.count, 2000)
      player.inventory.updateSlot(item.slot, null)
    }
  }
  let highest = null
  const fell = () => {
    const { y } = player.position
    highest = highest === null ? y : Math.max(highest, y)
    if (!player.onGround) return
    const depth = highest - y
    highest = y
    if (depth > 3.5) player.hurt(Math.floor(depth - 3))
  }
  for (const name of ['position', 'position_look', 'flying']) {
    player._client.on(name, packet => {
      player.onGround = packet.onGround
      fell()
      if (player.heldAt && player.position.distanceTo(player.heldAt) > 0.1) {
        player.position = player.heldAt.clone()
        player.sendSelfPosition()
      }
    })
  }
  player._client.on('client_command', ({ actionId }) => {
    if (actionId !== 'perform_respawn') return // as a name in this version of the data; the server looks for a number
    player.behavior('requestRespawn', {}, () => {
      player._sendRespawn()
      highest = null
      player.position = player.spawnPoint.clone()
      player.sendSelfPosition()
      player.updateHealth(20)
      player.updateFood(20)
      player.nearbyEntities = []
      player.updateAndSpawn()
      player._unloadAllChunks()
      player.worldSendAllChunks()
    })
  })

  // ── eating ──
  player._client.on('use_item', () => {
    const slot = 36 + player.heldItemSlot
    const food = player.inventory.slots[slot]
    if (!food || !(food.name in FOOD) || player.food >= 20) return
    setTimeout(() => {
      const still = player.inventory.slots[slot]
      if (!still || still.type !== food.type) return
      player.inventory.updateSlot(slot, still.count > 1 ? new Item(still.type, still.count - 1) : null)
      player.updateFood(Math.min(20, player.food + FOOD[food.name]))
      player._client.write('entity_status', { entityId: player.id, entityStatus: 9 })
    }, 1600)
  })

  // ── coming back ──
  player.on('disconnected', () => {
    player.giveBack()
    serv.remembered.set(player.username, {
      position: player.position, health: player.health, food: player.food,
      items: player.inventory.slots.filter(Boolean).map(item => [item.slot, item.type, item.count, item.nbt])
    })
  })
  player.on('connected', () => {
    const before = serv.remembered.get(player.username)
    if (!before || before.health <= 0) return
    for (const [slot, type, count, nbt] of before.items) player.inventory.updateSlot(slot, new Item(type, count, 0, nbt))
    player.position = before.position
    player.sendSelfPosition()
    player.updateHealth(before.health)
    player.updateFood(before.food)
  })
}
