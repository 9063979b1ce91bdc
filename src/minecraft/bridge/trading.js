// Trading: a villager who has the thing, its offers, and the exchange.
//
// Each villager is asked once; one that has the thing for a price that cannot be paid ends the search with what is lacking.
'use strict'

const { Failure } = require('./failure')
const { go, goals, nearestMob, search, feet } = require('./moving')
const { held } = require('./mining')
const { carried } = require('./frames')
const { closeWindow } = require('./stations')
const { sleepInBed } = require('./handling')
const { isNight } = require('./shelter')

const ASKED_MAX = 24
const EXCHANGES_MAX = 64
const OPEN_MS = 3000
const EXCHANGE_MS = 15000
// By the numbers that the game gives them.
const PROFESSIONS = ['none', 'armorer', 'butcher', 'cartographer', 'cleric', 'farmer', 'fisherman', 'fletcher', 'leatherworker', 'librarian', 'mason', 'nitwit', 'shepherd', 'toolsmith', 'weaponsmith']
// The clothes show it: where an entity of 1.16 carries it, and one place later since 1.17.
const PROFESSION_AT = 17

function mayTrade (bot, villager, professions) {
  const data = villager.metadata[PROFESSION_AT + (bot.registry.version['>=']('1.17') ? 1 : 0)]
  const number = data?.villagerProfession
  return number === undefined || professions.includes(PROFESSIONS[number])
}

async function open (work, villager) {
  const { bot } = work
  try {
    return await work.race(bot.openVillager(villager), OPEN_MS)
  } catch (error) {
    if (work.ended) throw work.ended
    return null // it sleeps, or has nothing to trade
  }
}

const priceOf = offer => {
  const price = [[offer.inputItem1.name, offer.realPrice]]
  if (offer.hasItem2) price.push([offer.inputItem2.name, offer.inputItem2.count])
  return price
}

// The first offer of such a thing that can be paid, or what is lacking for one.
function choose (work, window, gain, missing) {
  const has = carried(work.bot)
  let lacking = null
  for (const [index, offer] of window.trades.entries()) {
    if (!offer.outputItem || !gain.includes(offer.outputItem.name) || offer.tradeDisabled || offer.nbTradeUses >= offer.maximumNbTradeUses) continue
    const price = priceOf(offer)
    const short = price.find(([name, each]) => (has[name] ?? 0) < each)
    if (!short) return { index, price }
    const times = Math.ceil(missing / Math.max(1, offer.outputItem.count))
    lacking = new Failure('missing', { needs: short[0], have: has[short[0]] ?? 0, need: short[1] * times })
  }
  return { lacking }
}

// Exchanges until there is enough or no more to be had; gives what is lacking.
async function buy (work, window, gain, goal) {
  const { bot, session } = work
  for (let n = 0; n < EXCHANGES_MAX && held(work, gain) < goal; n++) {
    const { index, price, lacking } = choose(work, window, gain, goal - held(work, gain))
    if (index === undefined) return lacking
    const before = held(work, gain)
    const began = Date.now()
    await work.race(bot.trade(window, index, 1), EXCHANGE_MS, () => new Failure('gui_blocked', { gui: 'trade' }))
    await work.wait(200)
    await session.confirmed(began)
    if (held(work, gain) <= before) throw new Failure('gui_blocked', { gui: 'trade' })
    for (const [name, each] of price) work.noteUsed(name, each)
  }
  return null
}

async function trade (work, { gain, count, professions, beds }) {
  const { bot } = work
  const goal = held(work, gain) + count
  const asked = new Set()
  let lacking = null
  while (held(work, gain) < goal) {
    await work.session.keepSafe.check(work)
    const next = () => nearestMob(work, 'villager', 40, entity => !asked.has(entity.id) && mayTrade(bot, entity, professions))
    if (!next() && lacking) throw lacking
    if (asked.size >= ASKED_MAX) break
    if (!next()) await search(work, next, { mob: 'villager' })
    const villager = next()
    await go(work, new goals.GoalFollow(villager, 2), villager.position.floored(), 30000)
    const window = await open(work, villager)
    if (!window && isNight(bot)) {
      // They sleep too.
      await sleepInBed(work, { beds }).catch(error => {
        if (work.ended) throw work.ended
        throw error instanceof Failure ? new Failure('gui_blocked', { gui: 'trade' }) : error
      })
      continue
    }
    asked.add(villager.id)
    if (!window) continue
    work.noteWindow('trade')
    try {
      lacking = await buy(work, window, gain, goal) ?? lacking
    } finally {
      if (!work.ended) await closeWindow(work)
    }
  }
  if (held(work, gain) < goal) throw lacking ?? new Failure('no_target', { of: 'villager', y: feet(bot).y })
}

module.exports = { trade }
