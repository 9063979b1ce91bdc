// Shelter: three blocks down into firm ground and a block over the head, out of which the next order digs its way.
'use strict'

const { Failure } = require('./failure')
const { feet } = require('./moving')
const { breakBlock, collect } = require('./mining')
const { putBlock, carriedItem } = require('./stations')

const COVERS = ['dirt', 'cobblestone', 'stone', 'andesite', 'diorite', 'granite', 'netherrack', 'sandstone', 'oak_planks', 'birch_planks', 'spruce_planks']
const DEPTH = 3
const FALL_MS = 3000
const SIDES = [[1, 0], [-1, 0], [0, 1], [0, -1]]
const NIGHT_FROM = 13000
const NIGHT_TO = 23000

function isNight (bot) {
  const time = bot.time?.timeOfDay ?? 0
  return time >= NIGHT_FROM && time < NIGHT_TO
}

const isFirm = (bot, at) => bot.blockAt(at)?.boundingBox === 'block'

// Nothing can come near: a block above the head, and on each side of feet and head.
function isEnclosed (bot) {
  const here = feet(bot)
  return isFirm(bot, here.offset(0, 2, 0)) && SIDES.every(([dx, dz]) => isFirm(bot, here.offset(dx, 0, dz)) && isFirm(bot, here.offset(dx, 1, dz)))
}

// Ground that stays: no air, water or lava under or beside the hole.
function isGround (bot, at) {
  const around = SIDES.map(([dx, dz]) => at.offset(dx, 0, dz)).concat([at, at.offset(0, -1, 0)])
  return around.every(place => isFirm(bot, place) && !/lava|magma|gravel|sand$/.test(bot.blockAt(place).name))
}

async function digIn (work) {
  const { bot } = work
  for (let n = 0; n < DEPTH; n++) {
    const below = feet(bot).offset(0, -1, 0)
    if (!isGround(bot, below)) throw new Failure('no_room', { at: below.toArray() })
    if (!await breakBlock(work, below)) throw new Failure('no_room', { at: below.toArray() })
    for (let waited = 0; waited < FALL_MS && feet(bot).y > below.y; waited += 100) await work.wait(100)
  }
  await collect(work, COVERS, 3)
  const cover = carriedItem(bot, COVERS)
  if (!cover) throw new Failure('not_held')
  // Level with the ground, which is what it is held by.
  const above = feet(bot).offset(0, 2, 0)
  await putBlock(work, cover, above)
  if (!isEnclosed(bot)) throw new Failure('no_room', { at: above.toArray() })
}

module.exports = { digIn, isEnclosed, isNight }
