// A Minecraft server for tests: prints its port as one JSON line, obeys JSON lines on standard input, ends with it.
//
// It listens on this machine only and keeps its world in memory.
'use strict'

const path = require('path')
const readline = require('readline')
const { Vec3 } = require('vec3')

const options = JSON.parse(process.argv[2] ?? '{}')
// Libraries write to the console; standard output is for answers only.
const say = body => process.stdout.write(JSON.stringify(body) + '\n')
console.log = console.info = (...words) => console.error(...words)

const mc = require('flying-squid')
const serv = mc.createMCServer({
  host: '127.0.0.1',
  port: options.port ?? 0,
  motd: options.motd ?? 'a server for tests',
  'max-players': 20,
  'online-mode': false,
  logging: false,
  gameMode: 0,
  difficulty: 1,
  generation: { name: path.join(__dirname, 'terrain.js'), options: { seed: options.seed ?? 7 } },
  kickTimeout: 10000,
  plugins: { [path.join(__dirname, 'survival.js')]: {} },
  modpe: false,
  'view-distance': options.view ?? 4,
  'player-list-text': { header: { text: '' }, footer: { text: '' } },
  'everybody-op': false,
  'max-entities': 200,
  version: options.version ?? '1.16.5'
})
serv.startPlaces = options.places ?? {}
serv.on('error', error => console.error(error))

serv.heard = []
serv._server.prependListener('login', client => {
  if (serv.denies) client.end('denied', JSON.stringify(serv.denies))
  client.on('chat', ({ message }) => serv.heard.push([client.username, message]))
})

const at = ([x, y, z]) => new Vec3(x, y, z)
const named = name => serv.players.find(player => player.username === name) ?? serv.players[0]

// What a test can ask of the server.
const orders = {
  give: ({ player, item, count }) => named(player).receive(serv.registry.itemsByName[item].id, count ?? 1),
  // A thing that is worn or enchanted, or both.
  give_worn: ({ player, item, damage, enchants }) => {
    const Item = require('prismarine-item')(serv.registry)
    const thing = new Item(serv.registry.itemsByName[item].id, 1)
    if (damage) thing.durabilityUsed = damage
    if (enchants) thing.enchants = enchants
    named(player).receiveItem(thing)
  },
  level: ({ player, level }) => {
    named(player).level = level
    named(player).sendXp()
  },
  clear: ({ player }) => named(player).inventory.slots.forEach((item, slot) => item && named(player).inventory.updateSlot(slot, null)),
  set: ({ pos, block }) => serv.setBlock(serv.overworld, at(pos), serv.registry.blocksByName[block].defaultState),
  fill: async ({ from, to, block }) => {
    for (let x = from[0]; x <= to[0]; x++) for (let y = from[1]; y <= to[1]; y++) for (let z = from[2]; z <= to[2]; z++) await serv.setBlock(serv.overworld, at([x, y, z]), serv.registry.blocksByName[block].defaultState)
  },
  protect: ({ pos }) => { serv.protectedBlocks.add(pos.join(',')) },
  store: ({ pos, items }) => {
    const Item = require('prismarine-item')(serv.registry)
    const made = items.map(([name, count]) => new Item(serv.registry.itemsByName[name].id, count))
    serv.storeAt('chest', at(pos)).slots = made
  },
  spawn: ({ mob, pos }) => serv.spawnMob(serv.registry.entitiesByName[mob].id, serv.overworld, at(pos)).id,
  young: ({ mob, pos }) => serv.spawnYoung(serv.registry.entitiesByName[mob].id, at(pos)).id,
  // A villager that gives things for things.
  villager: ({ pos, offers }) => {
    const villager = serv.spawnMob(serv.registry.entitiesByName.villager.id, serv.overworld, at(pos))
    serv.offers.set(villager.id, offers)
    return villager.id
  },
  catches: ({ items, ms }) => Object.assign(serv, { catches: items, biteMs: ms ?? serv.biteMs }) && null,
  plant: ({ pos, block, age }) => {
    serv.plantedAt(at(pos))
    return serv.setBlock(serv.overworld, at(pos), serv.registry.blocksByName[block].minStateId + (age ?? 0))
  },
  // Puts a text wherever a server can put one: a sign, a name of a mob and of a thing, titles, lists, a bar.
  deface: ({ player, text, sign, mob }) => {
    const who = named(player)
    const chat = JSON.stringify({ text })
    const [x, y, z] = sign
    const line = { type: 'string', value: chat }
    const value = { id: { type: 'string', value: 'minecraft:sign' }, x: { type: 'int', value: x }, y: { type: 'int', value: y }, z: { type: 'int', value: z }, Text1: line, Text2: line, Text3: line, Text4: line }
    who._client.write('tile_entity_data', { location: { x, y, z }, action: 9, nbtData: { type: 'compound', name: '', value } })
    serv.spawnMob(serv.registry.entitiesByName.cow.id, serv.overworld, at(mob), { metadata: [{ key: 2, type: 5, value: chat }, { key: 3, type: 7, value: true }] })
    const Item = require('prismarine-item')(serv.registry)
    const thing = new Item(serv.registry.itemsByName.stick.id, 1)
    thing.customName = chat
    who.receiveItem(thing)
    who._client.write('title', { action: 0, text: chat })
    who._client.write('playerlist_header', { header: chat, footer: chat })
    who._client.write('boss_bar', { entityUUID: '00000000-0000-0000-0000-000000000001', action: 0, title: chat, health: 1, color: 0, dividers: 0, flags: 0 })
    who._client.write('scoreboard_objective', { name: 'score', action: 0, displayText: chat, type: 0 })
  },
  hurt: ({ player, damage }) => named(player).hurt(damage),
  feed: ({ player, food }) => named(player).updateFood(food),
  // What is left of the breath, of 300.
  breath: ({ player, air }) => named(player)._client.write('entity_metadata', { entityId: named(player).id, metadata: [{ key: 1, type: 1, value: air }] }),
  move: ({ player, pos }) => {
    const who = named(player)
    who.position = at(pos)
    who.sendSelfPosition()
  },
  // A body that is held is put back wherever it goes.
  hold: ({ player, on }) => { named(player).heldAt = on ? named(player).position.clone() : null },
  // All mobs are gone.
  calm: () => Object.values(serv.entities).filter(entity => entity.type === 'mob').forEach(mob => mob.destroy()),
  // Chests do not open.
  jam: ({ on }) => { serv.isJammed = on },
  time: ({ time }) => serv.setTime(time),
  rain: ({ on }) => serv._writeAll('game_state_change', { reason: on ? 1 : 2, gameMode: 0 }),
  chat: ({ text }) => serv._writeAll('chat', { message: JSON.stringify({ text }), position: 0, sender: '00000000-0000-0000-0000-000000000000' }),
  kick: ({ player, reason }) => named(player).kick(reason),
  // Nobody is let in any more, for this reason.
  deny: ({ reason }) => { serv.denies = reason },
  // What was said in the chat, by whom.
  heard: () => serv.heard.splice(0),
  ticks: ({ perSecond }) => serv.setTickInterval(perSecond),
  block: async ({ ms }) => { const end = Date.now() + ms; while (Date.now() < end); },
  look: ({ player }) => {
    const who = named(player)
    const items = who.inventory.slots.filter(Boolean).map(item => [item.name, item.count])
    return { name: who.username, pos: who.position.toArray(), health: who.health, food: who.food, items }
  },
  players: () => serv.players.map(player => player.username),
  joined: () => serv.remembered.size,
  at: async ({ pos }) => (await serv.overworld.getBlock(at(pos))).name
}

serv.on('listening', port => say({ port }))
const input = readline.createInterface({ input: process.stdin })
input.on('line', async line => {
  try {
    const order = JSON.parse(line)
    say({ ok: (await orders[order.do](order)) ?? null })
  } catch (error) {
    say({ error: String(error) })
  }
})
input.on('close', () => process.exit(0))
