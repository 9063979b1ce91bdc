// Living: animals that are fed and have young, and villagers that trade.
'use strict'

const { Vec3 } = require('vec3')

const FEED = { cow: ['wheat'], sheep: ['wheat'], pig: ['carrot', 'potato', 'beetroot'], chicken: ['wheat_seeds'] }
// Where an animal of 1.16 says that it is a child, and of what type that is.
const [CHILD, BOOL] = [15, 7]
const IN_LOVE = 18
const COURT_MS = 2500
const COURT_BLOCKS = 8

module.exports.server = function (serv) {
  // By the number of the entity: what a villager gives for what.
  serv.offers = new Map()
  serv.spawnYoung = (type, position) => {
    const child = serv.spawnMob(type, serv.overworld, position, { metadata: [{ key: CHILD, type: BOOL, value: true }] })
    child.isYoung = true
    return child
  }
}

// Two of a kind that are in love and near each other have young.
function court (serv, mob) {
  const mate = Object.values(serv.entities).find(other => other !== mob && other.entityType === mob.entityType && other.isInLove && other.position.distanceTo(mob.position) < COURT_BLOCKS)
  if (!mate) return
  for (const parent of [mob, mate]) Object.assign(parent, { isInLove: false, hasBred: true })
  setTimeout(() => serv.spawnYoung(mob.entityType, mob.position.plus(new Vec3(0.5, 0, 0.5))), COURT_MS)
}

function feed (serv, player, mob) {
  const slot = 36 + player.heldItemSlot
  const food = player.inventory.slots[slot]
  if (!food || !FEED[mob.name]?.includes(food.name) || mob.isInLove || mob.hasBred || mob.isYoung) return
  player.takeHeld(1)
  mob.isInLove = true
  for (const other of serv.players) other._client.write('entity_status', { entityId: mob.id, entityStatus: IN_LOVE })
  court(serv, mob)
}

module.exports.player = function (player, serv) {
  const Item = require('prismarine-item')(serv.registry)
  // Takes some of what is in the hand away.
  player.takeHeld = count => {
    const slot = 36 + player.heldItemSlot
    const held = player.inventory.slots[slot]
    if (held) player.inventory.updateSlot(slot, held.count > count ? new Item(held.type, held.count - count, held.metadata, held.nbt) : null)
  }
  player._client.on('use_entity', ({ mouse, target }) => {
    const mob = serv.entities[target]
    if (mouse !== 0 || !mob) return
    if (mob.name in FEED) feed(serv, player, mob)
    else if (serv.offers.has(target)) player.openTrade(serv.offers.get(target))
  })
}
