// Breeding: two grown animals of a kind, food for both, and the wait for the young one.
//
// An animal has taken the food when the server takes it away; it is over when young is seen that was not there before.
'use strict'

const { Failure } = require('./failure')
const { go, goals, nearestMob, search, feet } = require('./moving')
const { held } = require('./mining')
const { carriedItem } = require('./stations')

// Animals that are offered food before it is given up.
const OFFERS_MAX = 24
const SETTLE_MS = 600
const COURT_MS = 35000
const NEAR = 6
// Where the younger versions say that an animal is a child: one place later since 1.17.
const CHILD_AT = 15

function isYoung (bot, entity) {
  const named = bot.registry.entitiesByName[entity.name]?.metadataKeys?.indexOf('baby') ?? -1
  const at = named >= 0 ? named : CHILD_AT + (bot.registry.version['>=']('1.17') ? 1 : 0)
  return entity.metadata[at] === true
}

// Comes to the animal and holds the food out; true if it was taken.
async function offer (work, animal, feed) {
  const { bot, session } = work
  const began = Date.now()
  await go(work, new goals.GoalFollow(animal, 2), animal.position.floored(), 20000)
  const food = carriedItem(bot, feed)
  if (!food) return false
  await work.race(bot.equip(food, 'hand'), 8000)
  const { name } = food
  const before = held(work, [name])
  await work.race(bot.activateEntity(animal), 5000)
  await work.wait(SETTLE_MS)
  await session.confirmed(began)
  const taken = before - held(work, [name])
  if (taken > 0) work.noteUsed(name, taken)
  return taken > 0
}

// Stays near and looks at them until there is young of the kind.
async function awaitYoung (work, kind, known, fed) {
  const { bot } = work
  const end = Date.now() + COURT_MS
  const young = entity => isYoung(bot, entity) && !known.has(entity.id)
  while (Date.now() < end) {
    if (nearestMob(work, kind, 32, young)) return
    const parent = Object.values(bot.entities).find(entity => fed.has(entity.id))
    if (parent) {
      if (parent.position.distanceTo(bot.entity.position) > NEAR) {
        await go(work, new goals.GoalFollow(parent, NEAR - 2), parent.position.floored(), 10000).catch(error => {
          if (!(error instanceof Failure) || !['no_path', 'stuck'].includes(error.code)) throw error
        })
      }
      await work.race(bot.lookAt(parent.position.offset(0, 0.7, 0), true), 3000)
    }
    await work.session.keepSafe.check(work)
    await work.wait(500)
  }
  throw new Failure('no_target', { y: feet(bot).y })
}

async function breed (work, { mob: kind, feed }) {
  const { bot } = work
  const known = new Set(Object.values(bot.entities).filter(entity => entity.name === kind).map(entity => entity.id))
  const [fed, refused] = [new Set(), new Set()]
  for (let n = 0; n < OFFERS_MAX; n++) {
    if (fed.size >= 2) return await awaitYoung(work, kind, known, fed)
    if (held(work, feed) < 2 - fed.size) throw new Failure('not_held', { item: feed[0] })
    const next = () => nearestMob(work, kind, 40, entity => !fed.has(entity.id) && !refused.has(entity.id) && !isYoung(bot, entity))
    if (!next()) await search(work, next, { mob: kind })
    const animal = next()
    if (await offer(work, animal, feed)) fed.add(animal.id)
    else refused.add(animal.id)
  }
  throw new Failure('no_target', { y: feet(bot).y })
}

module.exports = { breed, isYoung }
