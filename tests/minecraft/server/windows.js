// Windows: what a click does to the player's inventory, a station, a chest, or the offers of a villager.
//
// The server decides: a click on something else than the client believes is refused, and the whole window is sent again.
'use strict'

const { resultOf } = require('./recipes')
const works = require('./works')

const TYPES = { crafting_table: 11, furnace: 13, chest: 2, anvil: 7, enchanting_table: 12, trade: 18 }
const OWN_SLOTS = { crafting_table: 10, furnace: 3, chest: 27, anvil: 3, enchanting_table: 2, trade: 3 }
// What lies in these is given back when they close.
const PASSING = ['anvil', 'enchanting_table', 'trade']
const STORED = 36
const INVENTORY_FROM = 9

const rules = registry => {
  const { atAnvil, ...rest } = works(registry)
  return { inAnvil: atAnvil, ...rest }
}

module.exports.player = function (player, serv) {
  const Item = require('prismarine-item')(serv.registry)
  const { inAnvil, inGrid, offers, enchanted } = rules(serv.registry)
  const inventory = player.inventory
  // The window that is open besides the inventory: its kind, its block and its own slots.
  let open = null
  let cursor = null
  let lastId = 0

  const send = (name, body) => player._client.write(name, body)
  const notch = item => Item.toNotch(item ?? null)
  const like = (item, count) => {
    const copy = new Item(item.type, count, item.metadata, item.nbt)
    return copy
  }

  // A slot of the open window (or of the inventory) as a pair of functions over where it is kept.
  function place (slot) {
    const own = open ? OWN_SLOTS[open.kind] : INVENTORY_FROM
    if (open && slot < own) {
      return { get: () => open.slots[slot] ?? null, set: item => { open.slots[slot] = item } }
    }
    const at = open ? slot - own + INVENTORY_FROM : slot
    return {
      get: () => inventory.slots[at] ?? null,
      set: item => {
        inventory.slots[at] = item
        if (item) item.slot = at
      }
    }
  }

  const slotCount = () => open ? OWN_SLOTS[open.kind] + STORED : 46
  const contents = () => Array.from({ length: slotCount() }, (_, slot) => notch(place(slot).get()))
  const resync = () => send('window_items', { windowId: open?.id ?? 0, items: contents() })

  // The cells of the grid that is before the player: first slot, width.
  function grid () {
    if (!open) return { from: 1, width: 2 }
    // Where something is made of what lies before it.
    return open.kind === 'crafting_table' ? { from: 1, width: 3 } : null
  }

  function cells () {
    const { from, width } = grid()
    return Array.from({ length: width * width }, (_, n) => place(from + n))
  }

  function updateResult () {
    const g = grid()
    if (!g) return
    const ids = cells().map(cell => cell.get()?.type ?? -1)
    const result = resultOf(serv.registry, ids, g.width)
    show(0, result ? new Item(result.id, result.count) : inGrid(cells().map(cell => cell.get())))
  }

  // Puts something where results are shown.
  function show (slot, item) {
    place(slot).set(item)
    send('set_slot', { windowId: open?.id ?? 0, slot, item: notch(item) })
  }

  const tell = (property, value) => send('craft_progress_bar', { windowId: open.id, property, value })
  const levels = () => player.level ?? 0
  const pay = count => {
    player.level = levels() - count
    player.sendXp()
  }

  // What the stations without a grid make of what lies in them.
  const made = {
    anvil () {
      const { made, levels: price } = inAnvil(open.slots[0], open.slots[1]) ?? { made: null, levels: 0 }
      show(2, made)
      tell(0, price)
    },
    enchanting_table () {
      offers(open.slots[0]).forEach((level, at) => tell(at, level))
      for (let property = 3; property < 10; property++) tell(property, property === 3 ? 0 : -1)
    },
    trade () {
      const offer = open.offers[open.chosen]
      const paid = offer?.pay.every(([name, count], at) => open.slots[at]?.name === name && open.slots[at].count >= count)
      show(2, paid && offer.uses > 0 ? new Item(serv.registry.itemsByName[offer.get[0]].id, offer.get[1]) : null)
    }
  }

  // True if what was made could be taken, and what it was made of is gone.
  const taken = {
    anvil () {
      const { levels: price, used } = inAnvil(open.slots[0], open.slots[1])
      if (levels() < price) return false
      pay(price)
      open.slots[0] = null
      open.slots[1] = open.slots[1].count > used ? like(open.slots[1], open.slots[1].count - used) : null
      return true
    },
    trade () {
      const offer = open.offers[open.chosen]
      offer.pay.forEach(([, count], at) => { open.slots[at] = open.slots[at].count > count ? like(open.slots[at], open.slots[at].count - count) : null })
      offer.uses--
      return true
    }
  }

  function takeMade () {
    const item = place(2).get()
    if (!item || cursor || !taken[open.kind]()) return false
    cursor = like(item, item.count)
    open.slots[2] = null
    for (const slot of [0, 1]) show(slot, open.slots[slot] ?? null)
    return true
  }

  function takeResult () {
    const made = place(0).get()
    if (!made) return
    if (cursor && (cursor.type !== made.type || cursor.count + made.count > cursor.stackSize)) return
    cursor = like(made, (cursor?.count ?? 0) + made.count)
    for (const cell of cells()) {
      const item = cell.get()
      if (item) cell.set(item.count > 1 ? like(item, item.count - 1) : null)
    }
  }

  function leftClick (spot) {
    const there = spot.get()
    if (there && cursor && there.type === cursor.type) {
      const moved = Math.min(cursor.count, there.stackSize - there.count)
      spot.set(like(there, there.count + moved))
      cursor = cursor.count > moved ? like(cursor, cursor.count - moved) : null
    } else {
      spot.set(cursor)
      cursor = there
    }
  }

  function rightClick (spot) {
    const there = spot.get()
    if (!cursor) {
      if (!there) return
      const taken = Math.ceil(there.count / 2)
      cursor = like(there, taken)
      spot.set(there.count > taken ? like(there, there.count - taken) : null)
    } else if (!there || (there.type === cursor.type && there.count < there.stackSize)) {
      spot.set(like(cursor, (there?.count ?? 0) + 1))
      cursor = cursor.count > 1 ? like(cursor, cursor.count - 1) : null
    } else {
      spot.set(cursor)
      cursor = there
    }
  }

  // Puts as much as fits into slots of a range; what is left is returned.
  function stow (item, from, to) {
    let left = item.count
    for (const wantsEmpty of [false, true]) {
      for (let slot = from; slot < to && left > 0; slot++) {
        const there = place(slot).get()
        if (wantsEmpty ? there : (!there || there.type !== item.type)) continue
        const moved = Math.min(left, item.stackSize - (there?.count ?? 0))
        if (moved <= 0) continue
        place(slot).set(like(item, (there?.count ?? 0) + moved))
        left -= moved
      }
    }
    return left > 0 ? like(item, left) : null
  }

  function shiftClick (slot) {
    const spot = place(slot)
    const item = spot.get()
    if (!item) return
    if (!open) {
      const isHotbar = slot >= 36 && slot < 45
      spot.set(isHotbar ? stow(item, 9, 36) : stow(item, slot >= 9 ? 36 : 9, 45))
      return
    }
    const own = OWN_SLOTS[open.kind]
    spot.set(slot < own ? stow(item, own, own + STORED) : stow(item, 0, open.kind === 'chest' ? own : 0))
  }

  function drop (item, count) {
    const pieces = Math.min(item.count, count)
    serv.dropItem(player.world, player.position.offset(0, 1.3, 0), item.type, pieces, 2000)
    return item.count > pieces ? like(item, item.count - pieces) : null
  }

  function click ({ slot, mouseButton, mode }) {
    if (slot === -999) {
      if (cursor) cursor = drop(cursor, mouseButton === 0 ? cursor.count : 1)
      return true
    }
    if (slot < 0 || slot >= slotCount()) return false
    const spot = place(slot)
    const isResult = slot === 0 && grid()
    if (mode === 0 && isResult) takeResult()
    else if (mode === 0 && slot === 2 && open && taken[open.kind]) return takeMade()
    else if (mode === 0 && slot === 2 && open?.kind === 'furnace' && cursor) return false
    else if (mode === 0 && mouseButton === 0) leftClick(spot)
    else if (mode === 0) rightClick(spot)
    else if (mode === 1 && !isResult) shiftClick(slot)
    else if (mode === 4 && spot.get()) spot.set(drop(spot.get(), mouseButton === 0 ? 1 : spot.get().count))
    else return false
    return true
  }

  function asBelieved ({ slot, mode, item }) {
    if (mode !== 0 || slot < 0) return true
    const there = place(slot).get()
    const believed = item?.present ? item.itemId : -1
    return (there?.type ?? -1) === believed
  }

  // Ours in the place of the one that knows no windows.
  player._client.removeAllListeners('window_click')
  player._client.on('window_click', packet => {
    const isOpen = packet.windowId === (open?.id ?? 0)
    const accepted = isOpen && asBelieved(packet) && click(packet)
    if (accepted && grid()) updateResult()
    if (accepted && open && made[open.kind]) made[open.kind]()
    send('transaction', { windowId: packet.windowId, action: packet.action, accepted })
    if (!accepted) resync()
    if (open) serv.windowChanged(open, player)
  })

  function giveBack () {
    const left = []
    if (grid()) {
      for (const cell of cells()) {
        if (cell.get()) left.push(cell.get())
        cell.set(null)
      }
      place(0).set(null)
    }
    if (open && PASSING.includes(open.kind)) left.push(...open.slots.slice(0, 2).filter(Boolean))
    if (cursor) left.push(cursor)
    cursor = null
    open = null
    for (const item of left) player.receiveItem(item)
  }

  player._client.on('close_window', giveBack)
  player.giveBack = giveBack

  function openWindow (body) {
    giveBack()
    lastId = lastId % 100 + 1
    open = { id: lastId, ...body }
    send('open_window', { windowId: open.id, inventoryType: TYPES[open.kind], windowTitle: JSON.stringify({ text: open.kind }) })
  }

  player.openStation = (kind, position) => {
    const isPassing = kind === 'crafting_table' || PASSING.includes(kind)
    openWindow({ kind, position, slots: isPassing ? [] : serv.storeAt(kind, position).slots })
    resync()
    serv.windowChanged(open, player)
  }

  // ── trading ──
  player.openTrade = rows => {
    openWindow({ kind: 'trade', slots: [], offers: rows, chosen: 0 })
    const item = row => row ? notch(new Item(serv.registry.itemsByName[row[0]].id, row[1])) : undefined
    const trades = rows.map(({ pay, get, uses }) => ({
      inputItem1: item(pay[0]), outputItem: item(get), inputItem2: item(pay[1]), tradeDisabled: uses <= 0,
      nbTradeUses: 0, maximumNbTradeUses: uses, xp: 1, specialPrice: 0, priceMultiplier: 0.05, demand: 0
    }))
    send('trade_list', { windowId: open.id, trades, villagerLevel: 1, experience: 0, isRegularVillager: true, canRestock: true })
    resync()
  }
  // Choosing an offer lays down what it costs.
  player._client.on('select_trade', ({ slot }) => {
    if (open?.kind !== 'trade' || !open.offers[slot]) return
    open.chosen = slot
    for (const at of [0, 1]) {
      if (open.slots[at]) open.slots[at] = stow(open.slots[at], 3, 3 + STORED)
    }
    open.offers[slot].pay.forEach(([name], at) => {
      for (let from = 3; from < 3 + STORED; from++) {
        const there = place(from).get()
        const has = open.slots[at]?.count ?? 0
        if (there?.name !== name || has >= there.stackSize) continue
        const moved = Math.min(there.count, there.stackSize - has)
        open.slots[at] = like(there, has + moved)
        place(from).set(there.count > moved ? like(there, there.count - moved) : null)
      }
    })
    made.trade()
    resync()
  })

  // ── enchanting ──
  player._client.on('enchant_item', ({ enchantment: at }) => {
    if (open?.kind !== 'enchanting_table') return
    const [thing, lapis] = open.slots
    const level = offers(thing)[at]
    if (!level || levels() < Math.max(level, at + 1) || (lapis?.count ?? 0) < at + 1) return
    open.slots[1] = lapis.count > at + 1 ? like(lapis, lapis.count - at - 1) : null
    pay(at + 1)
    show(1, open.slots[1])
    show(0, enchanted(thing))
    made.enchanting_table()
  })

  player.sendWindow = () => { if (open) resync() }
  player.openWindow = () => open

  // What is worn or enchanted does not stack.
  player.receiveItem = item => {
    const order = [...Array(9).keys()].map(n => 36 + n).concat([...Array(27).keys()].map(n => 9 + n))
    const free = order.find(slot => !inventory.slots[slot])
    if (!item.nbt) player.receive(item.type, item.count)
    else if (free !== undefined) inventory.updateSlot(free, like(item, item.count))
  }

  // Adds to the inventory, wherever it fits; what does not fit lies down again.
  player.receive = (type, count) => {
    let left = count
    const size = new Item(type, 1).stackSize
    const order = [...Array(9).keys()].map(n => 36 + n).concat([...Array(27).keys()].map(n => 9 + n))
    for (const wantsEmpty of [false, true]) {
      for (const slot of order) {
        const there = inventory.slots[slot]
        if (left === 0 || (wantsEmpty ? there : (!there || there.type !== type))) continue
        const moved = Math.min(left, size - (there?.count ?? 0))
        if (moved <= 0) continue
        inventory.updateSlot(slot, new Item(type, (there?.count ?? 0) + moved))
        left -= moved
      }
    }
    if (open) resync()
    return left
  }
}
