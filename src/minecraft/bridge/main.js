// The bridge: one body on one Minecraft server, driven by JSON lines.
//
// Requests come with an id and a time limit and get one answer each; events have no id. It decides nothing: the plan is
// made elsewhere. It ends when its standard input ends.
'use strict'

const { Writer, readLines, keepConsoleOffStdout } = require('./wire')
keepConsoleOffStdout()
const { Failure, asFailure } = require('./failure')

const PROTOCOL = 1
const BEAT_MS = 2000
// A code of a sign-in holds a quarter of an hour.
const WAIT_MS_MAX = 16 * 60 * 1000
const STUCK_EXIT = 71
const FAULT_EXIT = 70

const writer = new Writer(process.stdout)
let session = null
let opening = null
let generation = 0
let frameTimer = null

const emit = (body, replaceable) => {
  if (body.gen !== undefined && body.gen !== generation) return
  writer.send(body, replaceable)
}

const answer = (id, result) => writer.send({ id, ok: true, result })
const refuse = (id, failure) => writer.send({ id, ok: false, error: { code: failure.code, ...failure.details } })

function live () {
  if (!session || session.isOver) throw new Failure('not_connected')
  return session
}

async function connect (args, timeoutMs) {
  leave()
  const { Session } = require('./session')
  const { KeepSafe } = require('./keep_safe')
  const opened = new Session(++generation, args, emit)
  opening = opened
  await opened.open(timeoutMs)
  session = opened
  session.keepSafe = new KeepSafe(session, args.foods)
  await settle(session)
  if (args.walk) await walkApart(session, args.walk)
  frameTimer = setInterval(() => {
    session.guarded(() => emit({ ev: 'frame', gen: session.gen, frame: session.frame() }, true))
  }, args.frame_ticks * 50)
  const version = session.bot.version
  return { gen: generation, version, frame: session.frame() }
}

// To a place of its own, before the body is in the world for the other side.
async function walkApart (opened, { by, ms }) {
  const { Work } = require('./work')
  const { walkBy } = require('./moving')
  const { ServerClock } = require('./server_clock')
  const work = new Work(opened, { do: 'walk' })
  opened.active = work
  opened.onOver = because => work.end(new Failure('disconnected', { because }))
  try {
    if (!await walkBy(work, by, ms)) opened.warn('the body did not reach its own place in time and begins where it stands')
  } finally {
    opened.active = null
    opened.onOver = () => {}
  }
  opened.trail = []
  // The way there is no time of the episode.
  opened.clock = new ServerClock()
  opened.sight.look()
}

// The land around has to be there before anything is looked at.
async function settle (opened) {
  const { sleep } = require('./work')
  await Promise.race([opened.bot.waitForChunksToLoad().catch(() => {}), sleep(4000)])
  for (let n = 0; n < 20 && !opened.bot.entity.onGround; n++) await sleep(100)
  opened.sight.look()
}

async function act ({ order }) {
  const { carryOut } = require('./actions')
  const opened = live()
  if (opened.active) throw new Failure('busy')
  const { report, failure, isQuiet } = await carryOut(opened, order)
  if (failure?.code === 'disconnected') throw failure
  if (!isQuiet) {
    // A body that does not come to rest cannot be given another order.
    emit({ ev: 'fatal', gen: opened.gen, because: 'the body did not come to rest' })
    setTimeout(() => process.exit(STUCK_EXIT), 100)
  }
  // Dead bodies come back by themselves; what is planned next begins with the new one.
  const { sleep } = require('./work')
  for (let n = 0; n < 50 && opened.isDead && !opened.isOver; n++) await sleep(100)
  if (opened.isOver) throw new Failure('disconnected')
  opened.sight.look()
  const error = failure ? { code: failure.code, ...failure.details } : null
  return { ...report, failure: error, frame: opened.frame() }
}

function leave () {
  clearInterval(frameTimer)
  session?.close()
  session = null
}

const operations = {
  ping: async () => ({}),
  connect: (args, timeoutMs) => connect(args, timeoutMs),
  act: args => act(args),
  cancel: async () => {
    live().active?.cancel()
    return {}
  },
  keep: async ({ kept }) => {
    live().keepSafe.keep(kept)
    return {}
  },
  say: async ({ text }) => {
    live().say(text)
    return {}
  },
  sign_in: async ({ tokens }, timeoutMs) => {
    const { signIn } = require('./sign_in')
    const onCode = ({ verification_uri: address, user_code: code, expires_in: seconds }) => writer.send({ ev: 'code', address, code, minutes: Math.round(seconds / 60) })
    return { name: await signIn(tokens, timeoutMs, onCode) }
  },
  observe: async () => ({ frame: live().frame() }),
  disconnect: async () => {
    leave()
    return {}
  }
}

async function perform ({ id, op, args, timeout_ms: timeoutMs }) {
  try {
    const operation = Object.hasOwn(operations, op) ? operations[op] : null
    if (!operation) throw new Failure('bad_request', { because: 'unknown operation' })
    answer(id, await operation(args ?? {}, Math.min(timeoutMs ?? 20000, WAIT_MS_MAX)))
  } catch (error) {
    refuse(id, asFailure(error))
  }
}

process.on('uncaughtException', error => {
  console.error(error)
  // What a server of another version sends can trip the libraries while the body comes in.
  if (opening?.failOpening) return opening.failOpening(new Failure('connect_failed', { because: String(error?.message ?? error).slice(0, 300) }))
  writer.send({ ev: 'fatal', because: String(error?.message ?? error).slice(0, 300) })
  setTimeout(() => process.exit(FAULT_EXIT), 50)
})
process.on('unhandledRejection', error => console.error(error))
process.stdout.on('error', () => process.exit(0))

readLines(process.stdin,
  request => { perform(request) },
  because => writer.send({ ev: 'warn', because }),
  () => {
    leave()
    setTimeout(() => process.exit(0), 100)
  })

const { actionNames } = require('./actions')
writer.send({ ev: 'hello', protocol: PROTOCOL, node: process.version, mineflayer: require('mineflayer/package.json').version, actions: actionNames })
setInterval(() => writer.send({ ev: 'beat' }, true), BEAT_MS)
