// Sign-in: a Microsoft account, by a code that its owner types on a page of Microsoft's.
//
// The tokens go to files of one folder that only their owner may read, and nowhere else: the libraries of the sign-in print,
// so from here on this process prints nothing.
'use strict'

const fs = require('fs')
const path = require('path')
const { Failure } = require('./failure')
const { reachSignIn } = require('./reach')

// One account: whose it is, the tokens say.
const ACCOUNT = 'account'
const PRIVATE = 0o600
const TOKENS = 'https://login.live.com/oauth20_token.srf'
const REFUSALS = { authorization_declined: 'declined', access_denied: 'declined', expired_token: 'too_late', bad_verification_code: 'too_late' }
const NAMES_MAX = 120

class TokenCache {
  constructor (file) { this.file = file }

  async reset () {
    await this.setCached({})
    return {}
  }

  async getCached () {
    if (this.cached === undefined) {
      try {
        this.cached = JSON.parse(fs.readFileSync(this.file, 'utf8'))
      } catch {
        this.cached = {}
      }
    }
    return this.cached
  }

  // Beside its place first, so that it is whole or not there.
  async setCached (cached) {
    this.cached = cached
    const partial = `${this.file}.partial`
    fs.writeFileSync(partial, JSON.stringify(cached), { mode: PRIVATE })
    fs.renameSync(partial, this.file)
  }

  async setCachedPartial (cached) { await this.setCached({ ...await this.getCached(), ...cached }) }
}

const cachesIn = folder => ({ cacheName }) => new TokenCache(path.join(folder, `${cacheName}.json`))

function beSilent () {
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'dir', 'table', 'trace']) console[name] = () => {}
}

// What may be said of a fault: nothing in it that could be a token.
const redacted = error => String(error?.message ?? error).replace(/[A-Za-z0-9_\-.+/=%]{24,}/g, '…').slice(0, NAMES_MAX)

// The library asks on after a refusal until the code is too old; its answers are looked at on their way.
function watchRefusals (onRefused) {
  const plain = globalThis.fetch
  globalThis.fetch = async (address, options) => {
    const answer = await plain(address, options)
    if (String(address).startsWith(TOKENS)) {
      const body = await answer.clone().json().catch(() => null)
      if (REFUSALS[body?.error]) onRefused(new Failure(REFUSALS[body.error]))
    }
    return answer
  }
  return () => { globalThis.fetch = plain }
}

const late = ms => new Promise((resolve, reject) => setTimeout(() => reject(new Failure('too_late')), ms).unref())

// Signs in; `onCode` is told what to type and where. Gives the name of the player.
async function signIn (folder, timeoutMs, onCode) {
  beSilent()
  reachSignIn()
  const { Authflow, Titles } = require('prismarine-auth')
  let refuse = null
  const refused = new Promise((resolve, reject) => { refuse = reject })
  const unwatch = watchRefusals(refuse)
  const options = { flow: 'live', authTitle: Titles.MinecraftNintendoSwitch, deviceType: 'Nintendo' }
  const flow = new Authflow(ACCOUNT, cachesIn(folder), options, onCode)
  try {
    const { profile } = await Promise.race([flow.getMinecraftJavaToken({ fetchProfile: true }), refused, late(timeoutMs)])
    if (!profile?.name) throw new Failure('no_game')
    return profile.name
  } catch (error) {
    if (error instanceof Failure) throw error
    throw /timed out/.test(String(error?.message)) ? new Failure('too_late') : new Failure('sign_in_failed', { because: redacted(error) })
  } finally {
    unwatch()
    if (flow.msa) flow.msa.polling = false
  }
}

// What `createBot` needs to play as the account that is signed in; a new sign-in is refused, for nobody would see its code.
function optionsFor (folder, onCode) {
  beSilent()
  reachSignIn()
  return { auth: 'microsoft', username: ACCOUNT, profilesFolder: cachesIn(folder), onMsaCode: onCode, disableChatSigning: true }
}

module.exports = { signIn, optionsFor, redacted }
