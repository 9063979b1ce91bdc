// Recipes: which result a crafting grid gives, by the game's table.
'use strict'

const id = entry => {
  if (entry == null) return -1
  if (Array.isArray(entry)) return entry[0]
  return typeof entry === 'object' ? (entry.id ?? -1) : entry
}

// The rows of the grid without its empty border.
function trimmed (ids, width) {
  const rows = []
  for (let at = 0; at < ids.length; at += width) rows.push(ids.slice(at, at + width))
  const used = rows.map(row => row.some(cell => cell !== -1))
  const inner = rows.slice(used.indexOf(true), used.lastIndexOf(true) + 1)
  const columns = Array.from({ length: width }, (_, x) => inner.some(row => row[x] !== -1))
  const [left, right] = [columns.indexOf(true), columns.lastIndexOf(true)]
  return inner.map(row => row.slice(left, right + 1))
}

function fitsShape (shape, rows) {
  const wanted = shape.map(row => row.map(id))
  const width = Math.max(...wanted.map(row => row.length))
  const padded = wanted.map(row => [...row, ...Array(width - row.length).fill(-1)])
  if (padded.length !== rows.length || width !== rows[0].length) return false
  const same = (a, b) => a.every((row, y) => row.every((cell, x) => cell === b[y][x]))
  return same(padded, rows) || same(padded.map(row => [...row].reverse()), rows)
}

function fitsBag (ingredients, ids) {
  const left = ids.filter(cell => cell !== -1)
  for (const entry of ingredients) {
    const at = left.indexOf(id(entry))
    if (at < 0) return false
    left.splice(at, 1)
  }
  return left.length === 0
}

// The result of a grid of item ids (-1 where a cell is empty): `{id, count}` or null.
module.exports.resultOf = function resultOf (registry, ids, width) {
  if (ids.every(cell => cell === -1)) return null
  const rows = trimmed(ids, width)
  for (const recipes of Object.values(registry.recipes)) {
    for (const recipe of recipes) {
      const fits = recipe.inShape ? fitsShape(recipe.inShape, rows) : fitsBag(recipe.ingredients ?? [], ids)
      if (fits) return { id: id(recipe.result), count: recipe.result.count ?? 1 }
    }
  }
  return null
}
