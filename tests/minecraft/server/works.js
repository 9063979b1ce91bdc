// Works: what comes of things in the grid, at an anvil and on an enchanting table, beyond the recipes of the game's table.
'use strict'

const MATERIALS = { wooden: 'oak_planks', stone: 'cobblestone', iron: 'iron_ingot', golden: 'gold_ingot', diamond: 'diamond' }
const COLOURS = { red_dye: 0xB02E26, blue_dye: 0x3C44AA, yellow_dye: 0xFED83D }
const LEVELS = [2, 6, 12]
const GRID_BONUS = 0.05
const ANVIL_BONUS = 0.12
const TOO_DEAR = 40

module.exports = function works (registry) {
  const Item = require('prismarine-item')(registry)
  const copy = (item, count = item.count) => new Item(item.type, count, item.metadata, structuredClone(item.nbt))
  const wear = item => item.durabilityUsed ?? 0

  function joined (a, b, bonus) {
    const whole = a.maxDurability
    const left = (whole - wear(a)) + (whole - wear(b)) + Math.floor(whole * bonus)
    const made = copy(a, 1)
    made.durabilityUsed = Math.max(0, whole - left)
    return made
  }

  // Two worn things of a kind, or leather and a dye; nothing of anything else.
  function inGrid (items) {
    const things = items.filter(Boolean)
    if (things.length !== 2) return null
    const [a, b] = things
    if (a.type === b.type && a.maxDurability) {
      const made = joined(new Item(a.type, 1), b, GRID_BONUS)
      made.durabilityUsed = Math.max(0, wear(a) + wear(b) - a.maxDurability - Math.floor(a.maxDurability * GRID_BONUS))
      return made
    }
    const dye = things.find(item => item.name in COLOURS)
    const leather = things.find(item => item.name.startsWith('leather_'))
    if (!dye || !leather) return null
    const made = copy(leather, 1)
    made.nbt = made.nbt ?? { type: 'compound', name: '', value: {} }
    made.nbt.value.display = { type: 'compound', value: { color: { type: 'int', value: COLOURS[dye.name] } } }
    return made
  }

  // What an anvil makes of two things: the result, its price in levels, and how many of the second are used.
  function atAnvil (left, right) {
    if (!left || !right) return null
    const material = MATERIALS[left.name.split('_')[0]]
    let [made, levels, used] = [null, 0, 1]
    if (right.name === material && wear(left) > 0) {
      const quarter = Math.floor(left.maxDurability / 4)
      used = Math.min(right.count, 4, Math.ceil(wear(left) / quarter))
      made = copy(left, 1)
      made.durabilityUsed = Math.max(0, wear(left) - used * quarter)
      levels = used
    } else if (right.type === left.type && left.maxDurability) {
      made = joined(left, right, ANVIL_BONUS)
      levels = 2
    } else if (right.name === 'enchanted_book' && left.maxDurability) {
      made = copy(left, 1)
      made.enchants = right.enchants
      levels = right.enchants.reduce((sum, { lvl }) => sum + lvl, 0)
    }
    levels += (left.repairCost ?? 0) + (right.repairCost ?? 0)
    return made && levels < TOO_DEAR ? { made, levels, used } : { made: null, levels, used: 0 }
  }

  const isEnchantable = item => Boolean(item) && item.count === 1 && item.enchants.length === 0 && (Boolean(item.maxDurability) || item.name === 'book')
  const offers = item => isEnchantable(item) ? LEVELS : [0, 0, 0]

  function enchanted (item) {
    const made = item.name === 'book' ? new Item(registry.itemsByName.enchanted_book.id, 1) : copy(item, 1)
    made.enchants = [{ name: 'unbreaking', lvl: 1 }]
    return made
  }

  return { inGrid, atAnvil, offers, enchanted }
}
