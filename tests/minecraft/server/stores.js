// Stores: what lies in chests, and furnaces that burn by the tick.
'use strict'

const COOK_TICKS = 200
const SMELTS = {
  iron_ore: 'iron_ingot', gold_ore: 'gold_ingot', sand: 'glass', cobblestone: 'stone', clay_ball: 'brick',
  beef: 'cooked_beef', porkchop: 'cooked_porkchop', chicken: 'cooked_chicken', mutton: 'cooked_mutton',
  oak_log: 'charcoal', birch_log: 'charcoal', spruce_log: 'charcoal', potato: 'baked_potato'
}
const burnTicks = name => {
  if (name === 'coal' || name === 'charcoal') return 1600
  if (name === 'coal_block') return 16000
  if (/_(planks|log|wood)$/.test(name)) return 300
  if (name === 'stick') return 100
  return 0
}

module.exports.server = function (serv) {
  const Item = require('prismarine-item')(serv.registry)
  const stores = new Map()
  const item = (name, count) => new Item(serv.registry.itemsByName[name].id, count)

  serv.storeAt = (kind, position) => {
    const key = `${position.x},${position.y},${position.z}`
    if (!stores.has(key)) stores.set(key, { kind, slots: [], burn: 0, burnAll: 0, cook: 0 })
    return stores.get(key)
  }
  serv.forgetStore = position => {
    const key = `${position.x},${position.y},${position.z}`
    const store = stores.get(key)
    stores.delete(key)
    return store?.slots.filter(Boolean) ?? []
  }

  function sendProgress (open, player) {
    const store = serv.storeAt('furnace', open.position)
    const values = [store.burn, store.burnAll, store.cook, COOK_TICKS]
    // The totals first: a client computes shares of them.
    for (const property of [1, 3, 0, 2]) {
      player._client.write('craft_progress_bar', { windowId: open.id, property, value: values[property] })
    }
  }
  serv.windowChanged = (open, player) => {
    if (open.kind === 'furnace') sendProgress(open, player)
  }

  const take = (slots, at) => {
    slots[at] = slots[at].count > 1 ? new Item(slots[at].type, slots[at].count - 1) : null
  }

  function work (store) {
    const { slots } = store
    const product = slots[0] && SMELTS[slots[0].name]
    const hasRoom = product && (!slots[2] || (slots[2].name === product && slots[2].count < 64))
    if (store.burn > 0) store.burn--
    if (store.burn === 0 && hasRoom && slots[1] && burnTicks(slots[1].name) > 0) {
      store.burn = store.burnAll = burnTicks(slots[1].name)
      take(slots, 1)
    }
    if (store.burn === 0 || !hasRoom) {
      store.cook = 0
      return false
    }
    store.cook++
    if (store.cook < COOK_TICKS) return false
    store.cook = 0
    take(slots, 0)
    slots[2] = item(product, (slots[2]?.count ?? 0) + 1)
    return true
  }

  serv.on('tick', (_, count) => {
    for (const [key, store] of stores) {
      if (store.kind !== 'furnace') continue
      const before = store.burn
      const made = work(store)
      if (!made && before === 0 && store.burn === 0) continue
      for (const player of serv.players) {
        const open = player.openWindow?.()
        if (open?.kind !== 'furnace' || `${open.position.x},${open.position.y},${open.position.z}` !== key) continue
        if (made || store.burn === store.burnAll) player.sendWindow()
        if (count % 5 === 0) sendProgress(open, player)
      }
    }
  })

  serv.on('asap', () => {
    for (const kind of ['crafting_table', 'furnace', 'chest', 'anvil', 'enchanting_table']) {
      const handler = async ({ block, player }) => {
        if (!serv.isJammed || kind !== 'chest') player.openStation(kind, block.position)
        return true
      }
      // The chest of the server itself is empty and forgets; ours takes its place.
      if (kind === 'chest') serv.interactions.set(kind, handler)
      else serv.onBlockInteraction(kind, handler)
    }
  })
}
