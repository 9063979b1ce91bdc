// Fields: ground that is tilled, seeds that grow by the tick, bone meal, and what a harvest gives.
'use strict'

const { Vec3 } = require('vec3')

const PLANTS = { wheat_seeds: 'wheat', carrot: 'carrots', potato: 'potatoes', beetroot_seeds: 'beetroots', melon_seeds: 'melon_stem', pumpkin_seeds: 'pumpkin_stem', sweet_berries: 'sweet_berry_bush', sugar_cane: 'sugar_cane', oak_sapling: 'oak_sapling' }
const FRUITS = { melon_stem: 'melon', pumpkin_stem: 'pumpkin' }
const GROUND = { sugar_cane: ['grass_block', 'dirt', 'sand'], sweet_berry_bush: ['grass_block', 'dirt'], oak_sapling: ['grass_block', 'dirt'] }
const RIPE = { wheat: [['wheat', 1], ['wheat_seeds', 2]], carrots: [['carrot', 3]], potatoes: [['potato', 3]], beetroots: [['beetroot', 1], ['beetroot_seeds', 2]] }
const UNRIPE = { wheat: 'wheat_seeds', carrots: 'carrot', potatoes: 'potato', beetroots: 'beetroot_seeds', sweet_berry_bush: 'sweet_berries' }
const GROW_TICKS = 40
const MEAL_AGES = 3
const CANE_HIGH = 3
const TREE_HIGH = 5

module.exports.server = function (serv) {
  const { blocksByName } = serv.registry
  const key = at => `${at.x},${at.y},${at.z}`
  // What was planted, by place, until it is gone.
  const planted = new Map()
  const set = (at, state) => serv.setBlock(serv.overworld, at, state)
  const nameAt = async at => (await serv.overworld.getBlock(at)).name
  const ageOf = block => block.stateId - blocksByName[block.name].minStateId
  const ages = name => (blocksByName[name].states.find(state => state.name === 'age')?.num_values ?? 1) - 1

  async function raiseTree (at) {
    for (let y = 0; y < TREE_HIGH; y++) await set(at.offset(0, y, 0), blocksByName.oak_log.minStateId + 1)
    await set(at.offset(0, TREE_HIGH, 0), blocksByName.oak_leaves.defaultState)
  }

  async function bearFruit (at, fruit) {
    for (const side of [new Vec3(1, 0, 0), new Vec3(-1, 0, 0), new Vec3(0, 0, 1), new Vec3(0, 0, -1)]) {
      const place = at.plus(side)
      if (await nameAt(place) === fruit) return
      if (await nameAt(place) === 'air') return await set(place, blocksByName[fruit].defaultState)
    }
  }

  async function riseStalk (at, name) {
    for (let y = 1; y < CANE_HIGH; y++) {
      const place = at.offset(0, y, 0)
      if (await nameAt(place) === name) continue
      if (await nameAt(place) === 'air') await set(place, blocksByName[name].defaultState)
      return
    }
  }

  // A plant gets older by so many steps.
  async function age (at, by, isFed) {
    const block = await serv.overworld.getBlock(at)
    if (block.name === 'sugar_cane') return isFed ? false : await riseStalk(at, block.name)
    if (block.name === 'oak_sapling') return isFed ? await raiseTree(at) : undefined
    if (!blocksByName[block.name]?.states.some(state => state.name === 'age')) {
      planted.delete(key(at))
      return false
    }
    const last = ages(block.name)
    if (ageOf(block) >= last) return FRUITS[block.name] ? await bearFruit(at, FRUITS[block.name]) : false
    await set(at, blocksByName[block.name].minStateId + Math.min(last, ageOf(block) + by))
  }
  serv.feedPlant = at => age(at, MEAL_AGES, true)
  serv.plantedAt = at => planted.set(key(at), at)

  // What a plant gives when it is broken; nothing if it is none.
  serv.harvestOf = block => {
    if (!(block.name in UNRIPE)) return null
    return ageOf(block) >= ages(block.name) && RIPE[block.name] ? RIPE[block.name] : [[UNRIPE[block.name], 1]]
  }

  serv.on('tick', (_, count) => {
    if (count % GROW_TICKS === 0) for (const at of planted.values()) age(at, 1, false)
  })

  serv.on('asap', () => {
    for (const [seed, plant] of Object.entries(PLANTS)) {
      const grounds = GROUND[plant] ?? ['farmland']
      serv.onItemPlace(seed, async ({ placedPosition, referencePosition }) => {
        if (!grounds.includes(await nameAt(referencePosition))) return { id: -1, data: 0 }
        serv.plantedAt(placedPosition)
        return { id: blocksByName[plant].id, data: 0 }
      }, false)
    }
    const till = async ({ block, player }) => {
      const held = player.inventory.slots[36 + player.heldItemSlot]
      if (!held?.name.endsWith('_hoe') || serv.protectedBlocks.has(key(block.position))) return false
      await set(block.position, blocksByName.farmland.defaultState)
      return true
    }
    const feed = async ({ block, player }) => {
      const held = player.inventory.slots[36 + player.heldItemSlot]
      if (held?.name !== 'bone_meal') return block.name === 'sweet_berry_bush' ? await pick(block, player) : false
      if (await serv.feedPlant(block.position) !== false) player.takeHeld(1)
      return true
    }
    const pick = async (block, player) => {
      if (ageOf(block) < 2) return false
      await set(block.position, blocksByName.sweet_berry_bush.minStateId + 1)
      serv.dropNamed(player.world, block.position.offset(0.5, 0.3, 0.5), 'sweet_berries', 2)
      return true
    }
    for (const ground of ['grass_block', 'dirt']) serv.interactions.set(ground, till)
    for (const plant of new Set(Object.values(PLANTS))) serv.interactions.set(plant, feed)
  })
}
