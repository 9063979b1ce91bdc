// Terrain: low hills with oaks, bare rock here and there, and coal and iron in the stone.
//
// Everything is a function of the seed and the place, so that a test finds the same world each time.
'use strict'

const { Vec3 } = require('vec3')

const BASE_Y = 64
const HILL_BLOCKS = 4
const SOIL_BLOCKS = 3
const COAL = { name: 'coal_ore', perChunk: 24, size: 10, top: 66 }
const IRON = { name: 'iron_ore', perChunk: 20, size: 8, top: 62 }

// A number in 0..1 from a seed, a purpose and a place.
function chance (seed, purpose, x, y, z) {
  let h = (seed ^ Math.imul(purpose, 0x9E3779B1)) | 0
  for (const part of [x, y, z]) {
    h = Math.imul(h ^ part, 0x85EBCA6B)
    h = (h ^ (h >>> 13)) | 0
    h = Math.imul(h, 0xC2B2AE35)
    h ^= h >>> 16
  }
  return (h >>> 0) / 4294967296
}

const smooth = t => t * t * (3 - 2 * t)

// Value noise over a grid of `size` blocks.
function noise (seed, purpose, x, z, size) {
  const [gx, gz] = [Math.floor(x / size), Math.floor(z / size)]
  const [tx, tz] = [smooth(x / size - gx), smooth(z / size - gz)]
  const at = (dx, dz) => chance(seed, purpose, gx + dx, 0, gz + dz)
  const near = at(0, 0) * (1 - tx) + at(1, 0) * tx
  const far = at(0, 1) * (1 - tx) + at(1, 1) * tx
  return near * (1 - tz) + far * tz
}

function surfaceY (seed, x, z) {
  return BASE_Y + Math.round((noise(seed, 1, x, z, 24) - 0.5) * 2 * HILL_BLOCKS)
}

// Rock comes to the surface on about a tenth of the land, never where the body begins.
function isBare (seed, x, z) {
  return noise(seed, 2, x, z, 20) > 0.74 && Math.hypot(x, z) > 6
}

module.exports = function generation ({ seed = 7, registry }) {
  const Chunk = require('prismarine-chunk')(registry)
  const state = name => registry.blocksByName[name].defaultState
  const oakLog = registry.blocksByName.oak_log
  const upright = oakLog.minStateId + 1 // axis=y
  const biome = registry.biomesByName.forest.id

  function column (chunk, wx, wz, x, z) {
    const top = surfaceY(seed, wx, wz)
    const bare = isBare(seed, wx, wz)
    for (let y = 0; y <= top; y++) {
      let name = 'stone'
      if (y === 0) name = 'bedrock'
      else if (!bare && y === top) name = 'grass_block'
      else if (!bare && y > top - SOIL_BLOCKS) name = 'dirt'
      chunk.setBlockStateId(new Vec3(x, y, z), state(name))
    }
    for (let y = 0; y < 256; y++) {
      const at = new Vec3(x, y, z)
      chunk.setSkyLight(at, y > top ? 15 : 0)
      chunk.setBiome(at, biome)
    }
  }

  function vein (chunk, cx, cz, ore, purpose, number) {
    const draw = n => chance(seed, purpose, cx, number * 16 + n, cz)
    let [x, y, z] = [Math.floor(draw(0) * 16), 4 + Math.floor(draw(1) * (ore.top - 4)), Math.floor(draw(2) * 16)]
    for (let n = 0; n < ore.size; n++) {
      const at = new Vec3(x, y, z)
      const inside = x >= 0 && x < 16 && z >= 0 && z < 16 && y > 0 && y <= ore.top
      if (inside && chunk.getBlockStateId(at) === state('stone')) chunk.setBlockStateId(at, state(ore.name))
      const step = Math.floor(draw(3 + n) * 6)
      x += [1, -1, 0, 0, 0, 0][step]
      y += [0, 0, 1, -1, 0, 0][step]
      z += [0, 0, 0, 0, 1, -1][step]
    }
  }

  // An oak whose crown stays within its chunk, so that no chunk needs its neighbour.
  function oak (chunk, cx, cz, number) {
    const [x, z] = [2 + Math.floor(chance(seed, 5, cx, number, cz) * 12), 2 + Math.floor(chance(seed, 6, cx, number, cz) * 12)]
    const [wx, wz] = [cx * 16 + x, cz * 16 + z]
    if (isBare(seed, wx, wz) || Math.hypot(wx, wz) < 3) return
    const ground = surfaceY(seed, wx, wz)
    const height = 4 + Math.floor(chance(seed, 7, cx, number, cz) * 2)
    for (let dy = height - 2; dy <= height + 1; dy++) {
      const reach = dy > height - 1 ? 1 : 2
      for (let dx = -reach; dx <= reach; dx++) {
        for (let dz = -reach; dz <= reach; dz++) {
          const at = new Vec3(x + dx, ground + dy, z + dz)
          if (chunk.getBlockStateId(at) === 0) chunk.setBlockStateId(at, state('oak_leaves'))
        }
      }
    }
    for (let dy = 1; dy <= height; dy++) chunk.setBlockStateId(new Vec3(x, ground + dy, z), upright)
  }

  return function generateChunk (cx, cz) {
    const chunk = new Chunk()
    for (let x = 0; x < 16; x++) {
      for (let z = 0; z < 16; z++) column(chunk, cx * 16 + x, cz * 16 + z, x, z)
    }
    for (let n = 0; n < COAL.perChunk; n++) vein(chunk, cx, cz, COAL, 3, n)
    for (let n = 0; n < IRON.perChunk; n++) vein(chunk, cx, cz, IRON, 4, n)
    for (let n = 0; n < 2; n++) oak(chunk, cx, cz, n)
    return chunk
  }
}

module.exports.surfaceY = surfaceY
