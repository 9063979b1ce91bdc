// Session: one body on one server, from the connection to its end.
//
// Each session has a generation number; what an earlier one still says is never sent. A server that is silent is
// treated as gone, for the library notices it only after a minute and walks on meanwhile.
'use strict'

const { Failure } = require('./failure')
const { ServerClock } = require('./server_clock')
const { Sight } = require('./sight')
const { frame } = require('./frames')
const { reachServer } = require('./reach')
const { otherVersion, STATUS_MS } = require('./server_list')
const { optionsFor, redacted } = require('./sign_in')

const SILENCE_MS_MAX = 8000
const LOOK_MS = 250
const TRAIL_MS = 250
const WARNINGS_MAX = 20
const TEXT_MAX = 300
const SAYING_MAX = 256
const SAYING_MS = 2000

// What a kick says, as plain words; its form differs from version to version.
function plain (reason) {
  const words = []
  const walk = (part, depth) => {
    if (depth > 6 || words.length > 40) return
    if (typeof part === 'string') words.push(part)
    else if (Array.isArray(part)) part.forEach(p => walk(p, depth + 1))
    else if (part && typeof part === 'object') for (const name of ['text', 'translate', 'value', 'extra', 'with']) if (name in part) walk(part[name], depth + 1)
  }
  let body = reason
  if (typeof reason === 'string') {
    try { body = JSON.parse(reason) } catch { /* plain text already */ }
  }
  walk(body, 0)
  return words.filter(Boolean).join(' ').slice(0, TEXT_MAX)
}

class Session {
  constructor (gen, args, emit) {
    this.gen = gen
    this.args = args
    this.emit = (ev, body, replaceable) => emit({ ev, gen, ...body }, replaceable)
    this.isOver = false
    this.isDead = false
    this.guiOpened = 0
    this.guiClosed = 0
    this.crafted = {}
    this.looted = {}
    this.broken = 0
    this.brokenAt = new Set()
    this.isNewPlace = false
    this.trail = []
    this.furnace = null
    this.furnaceState = { burn: 0, burnAll: 0, cook: 0 }
    this.clock = new ServerClock()
    this.lastPacketAt = Date.now()
    this.warnings = 0
    this.onDeath = () => {}
    this.onOver = () => {}
  }

  // Resolves when the body stands in the world.
  async open (timeoutMs) {
    const { host, port, version } = this.args
    reachServer(host, port)
    let onCode = () => {}
    const account = this.accountOptions(() => onCode())
    const { createBot } = require('mineflayer')
    let bot
    try {
      bot = createBot({
        host, port, ...account, version: version || false,
        hideErrors: true, checkTimeoutInterval: 60000, logErrors: false, viewDistance: 'short',
        plugins: { chat: false, book: false, command_block: false, resource_pack: false }
      })
    } catch (error) {
      // A version that does not exist.
      throw await this.explained(new Failure('connect_failed', { because: redacted(error) }))
    }
    this.bot = bot
    bot.once('inject_allowed', () => {
      // Servers speak of blocks before there is a world: somebody digs while the body comes in.
      const { blockAt } = bot
      bot.blockAt = (...args) => bot.world ? blockAt(...args) : null
    })
    let why = null
    bot.on('error', error => {
      // Faults of a sign-in come before there is a connection, and could hold a token.
      const isSignIn = account.auth === 'microsoft' && !bot._client?.socket
      why ??= isSignIn ? new Failure('sign_in_failed', { because: redacted(error) }) : new Failure('connect_failed', { because: String(error?.message ?? error).slice(0, TEXT_MAX) })
      if (!isSignIn) this.warn(String(error?.message ?? error))
    })
    bot.on('kicked', reason => { why = new Failure('kicked', { because: plain(reason) }) })
    await new Promise((resolve, reject) => {
      // Within the time there is still to be asked which version the server speaks.
      const timer = setTimeout(() => reject(why ?? new Failure('connect_silent', { ms: timeoutMs })), timeoutMs - STATUS_MS)
      bot.once('end', reason => reject(why ?? new Failure('connect_failed', { because: String(reason).slice(0, TEXT_MAX) })))
      bot.once('spawn', () => { clearTimeout(timer); resolve() })
      onCode = () => reject(new Failure('not_signed_in'))
      this.failOpening = reject
      bot.once('error', () => setTimeout(() => reject(why), 200))
    }).finally(() => { this.failOpening = null }).catch(async failure => {
      this.close()
      throw await this.explained(failure)
    })
    this.begin(() => why)
  }

  // A server of another version mostly hangs up or says nothing; what it speaks tells why.
  async explained (failure) {
    const { host, port, version } = this.args
    const { because } = failure.details ?? {}
    const isOddKick = failure.code === 'kicked' && (!because || /version|outdated|incompatible|unsupported/i.test(because))
    const mayBeVersion = /^connect_/.test(failure.code) || isOddKick
    const other = mayBeVersion ? await otherVersion(host, port, version) : null
    return other ? new Failure('other_version', { because, ...other }) : failure
  }

  // Whose name the body bears.
  accountOptions (onCode) {
    const { account, player, tokens } = this.args
    return account === 'microsoft' ? optionsFor(tokens, onCode) : { auth: 'offline', username: player }
  }

  // One line of chat, which nothing but a request of the other side leads to; not often, for servers kick who is fast.
  say (text) {
    const now = Date.now()
    const isPlain = typeof text === 'string' && text.length > 0 && text.length <= SAYING_MAX && !/^\//.test(text) && !/[\u0000-\u001f\u007f\u00a7]/.test(text)
    if (!isPlain) throw new Failure('bad_request', { because: 'no line of chat' })
    if (now - (this.saidAt ?? 0) < SAYING_MS) throw new Failure('busy', { because: 'one line at a time' })
    this.saidAt = now
    this.bot._client.chat(text)
  }

  begin (reasonKnown) {
    const { bot, args } = this
    // Time begins with the body's first moment in the world.
    this.clock = new ServerClock()
    const { pathfinder } = require('mineflayer-pathfinder')
    bot.loadPlugin(pathfinder)
    const { movements } = require('./moving')
    bot.pathfinder.setMovements(movements(bot))
    bot.pathfinder.thinkTimeout = 4000
    this.sight = new Sight(bot, args.senses)
    this.notableStates = new Set()
    for (const block of bot.registry.blocksArray) {
      if (!args.notable.includes(block.name)) continue
      for (let state = block.minStateId; state <= block.maxStateId; state++) this.notableStates.add(state)
    }
    bot.on('end', reason => {
      const failure = reasonKnown()
      this.over(failure?.details.because ? `${failure.code === 'kicked' ? 'kicked by the server' : 'connection failed'}: ${failure.details.because}` : `the connection ended (${String(reason).slice(0, 80)})`)
    })
    bot.on('death', () => {
      this.isDead = true
      this.onDeath()
    })
    bot.on('spawn', () => { this.isDead = false })
    // Also what the path finder breaks on its way.
    const dig = bot.dig
    bot.dig = async (block, ...rest) => {
      const { name, position } = block
      await dig(block, ...rest)
      this.noteBroken(position)
      this.active?.noteBroken(name)
    }
    bot.on('windowOpen', () => this.guiOpened++)
    bot.on('windowClose', () => this.guiClosed++)
    bot._client.on('packet', () => { this.lastPacketAt = Date.now() })
    bot._client.on('update_time', packet => this.clock.report(asNumber(packet.age), Math.abs(asNumber(packet.time))))
    bot._client.on('craft_progress_bar', packet => this.noteProgress(packet))
    bot._client.on('game_state_change', packet => {
      // Some servers send only the level of rain.
      if (packet.reason === 8 || packet.reason === 'thunder_level_change') bot.thunderState = packet.gameMode
    })
    this.timers = [
      setInterval(() => this.guarded(() => this.sight.look()), LOOK_MS),
      setInterval(() => this.guarded(() => this.step()), TRAIL_MS),
      setInterval(() => this.watch(), 1000)
    ]
  }

  // Each place counts once: what comes back and is broken again for ever is no progress.
  noteBroken (position) {
    const place = position.toArray().join()
    this.isNewPlace = !this.brokenAt.has(place)
    this.brokenAt.add(place)
    if (this.isNewPlace) this.broken++
  }

  // The server has put back what was broken last.
  noteRestored () {
    if (this.isNewPlace) this.broken--
    this.isNewPlace = false
  }

  guarded (what) {
    if (this.isOver || !this.bot.entity) return
    try { what() } catch (error) { this.warn(String(error?.message ?? error)) }
  }

  step () {
    const at = this.bot.entity.position.floored()
    const last = this.trail.at(-1)
    if (!last || last[0] !== at.x || last[1] !== at.y || last[2] !== at.z) this.trail.push([at.x, at.y, at.z])
    if (this.trail.length > 256) this.trail.shift()
  }

  watch () {
    const silent = Date.now() - this.lastPacketAt
    if (silent > SILENCE_MS_MAX) this.over(`the server has been silent for ${Math.round(silent / 1000)} s`)
  }

  // A success counts only if the server has spoken since: without it the client only believes.
  async confirmed (since) {
    const { sleep } = require('./work')
    for (let waited = 0; waited < SILENCE_MS_MAX; waited += 50) {
      if (this.isOver) throw new Failure('disconnected')
      if (this.lastPacketAt > since) return
      await sleep(50)
    }
    throw new Failure('disconnected')
  }

  noteProgress ({ windowId, property, value }) {
    if (this.bot.currentWindow?.id !== windowId) return
    if (property === 0) this.furnaceState.burn = value
    if (property === 1) this.furnaceState.burnAll = value
    if (property === 2) this.furnaceState.cook = Math.min(200, value)
    this.furnaceState.at = this.clock.tick()
  }

  furnaceView () {
    const count = slot => this.furnace.slots?.[slot] ?? 0
    const window = this.bot.currentWindow
    if (window?.type?.startsWith('minecraft:furnace')) this.furnace.slots = [0, 1, 2].map(slot => window.slots[slot]?.count ?? 0)
    const { x, y, z } = this.furnace.position
    const { burn, cook } = this.furnaceState
    return { at: [x, y, z], burn, cook, input: count(0), fuel: count(1), output: count(2) }
  }

  warn (text) {
    if (this.warnings++ < WARNINGS_MAX) this.emit('warn', { because: text.slice(0, TEXT_MAX) }, true)
  }

  frame () { return frame(this) }

  over (because) {
    if (this.isOver) return
    this.close()
    this.onOver(because)
    this.emit('lost', { because: because.slice(0, TEXT_MAX) })
  }

  close () {
    this.isOver = true
    for (const timer of this.timers ?? []) clearInterval(timer)
    try { this.bot?.end('left') } catch { /* it may be closed already */ }
  }
}

// Long numbers come as pairs of 32 bits, or as BigInt.
function asNumber (value) {
  if (Array.isArray(value)) return (value[0] | 0) * 4294967296 + (value[1] >>> 0)
  return Number(value)
}

module.exports = { Session }
