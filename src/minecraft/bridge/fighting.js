// Fighting: such mobs, one after the other, and what they drop.
'use strict'

const { Failure } = require('./failure')
const { go, goals, nearestMob, search, feet } = require('./moving')
const { held, collect } = require('./mining')

const REACH = 3
const BLOW_MS = 650
const MOBS_MAX = 40
const FIGHT_MS_MAX = 60000
const HEALTH_MIN = 6

const WEAPONS = ['netherite_sword', 'diamond_sword', 'iron_sword', 'stone_sword', 'golden_sword', 'wooden_sword', 'iron_axe', 'stone_axe', 'wooden_axe']

async function armed (work) {
  const { bot } = work
  const items = bot.inventory.items()
  const best = WEAPONS.map(name => items.find(item => item.name === name)).find(Boolean)
  if (best && bot.heldItem?.name !== best.name) await work.race(bot.equip(best, 'hand'), 8000)
}

// Until the mob is dead or gone; true if it died.
async function strike (work, mob) {
  const { bot } = work
  let isDead = false
  const onDead = entity => { if (entity === mob) isDead = true }
  bot.on('entityDead', onDead)
  try {
    for (let spent = 0; spent < FIGHT_MS_MAX; spent += BLOW_MS) {
      if (isDead || !bot.entities[mob.id]) return isDead || spent > 0
      if (bot.health <= HEALTH_MIN) throw new Failure('danger', { of: mob.name })
      if (mob.position.distanceTo(bot.entity.position) > REACH) {
        await go(work, new goals.GoalFollow(mob, REACH - 1), mob.position.floored(), 20000)
      }
      await work.race(bot.lookAt(mob.position.offset(0, (mob.height ?? 1) * 0.7, 0), true), 3000)
      bot.attack(mob)
      await work.wait(BLOW_MS)
    }
  } finally {
    bot.removeListener('entityDead', onDead)
  }
  return false
}

async function attack (work, { mob: kind, gain, count }) {
  const { bot } = work
  const target = { mob: kind }
  const goal = held(work, gain) + count
  work.dead = new Set()
  for (let n = 0; n < MOBS_MAX; n++) {
    if (gain.length && held(work, gain) >= goal) return
    await armed(work)
    const next = () => nearestMob(work, kind)
    if (!next()) await search(work, next, target)
    const mob = next()
    const died = await strike(work, mob)
    work.dead.add(mob.id)
    if (gain.length) await collect(work, gain)
    if (died && !gain.length) return
  }
  throw new Failure('no_target', { target, y: feet(bot).y })
}

module.exports = { attack }
