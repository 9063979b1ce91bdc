// A Microsoft of the tests: answers what the sign-in asks for as a file beside the tokens says, then runs the bridge.
//
// Only `fetch` is replaced; the libraries of the sign-in, the bridge and its limits are the real ones.
'use strict'

const fs = require('fs')
const path = require('path')

const HOUR_S = 3600
let polls = 0
let folder = null
let scenario = {}

const json = (body, status = 200) => new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })
const inAnHour = () => new Date(Date.now() + HOUR_S * 1000).toISOString()
const xbox = token => ({ IssueInstant: new Date().toISOString(), NotAfter: inAnHour(), Token: token, DisplayClaims: { xui: [{ uhs: 'hash', xid: '1' }], xdi: { did: '1' }, xti: { tid: '1' } } })

const answers = {
  'login.live.com/oauth20_connect.srf': () => json({ user_code: 'ABCD1234', device_code: 'secret-device-code', verification_uri: 'https://www.microsoft.com/link', interval: 1, expires_in: scenario.expires ?? 900 }),
  'login.live.com/oauth20_token.srf': () => {
    if (scenario.refuse) return json({ error: scenario.refuse, error_description: 'the person said no' }, 400)
    if (polls++ < (scenario.pending ?? 0)) return json({ error: 'authorization_pending', error_description: 'not yet' }, 400)
    return json({ token_type: 'bearer', expires_in: HOUR_S, access_token: 'secret-access-token', refresh_token: 'secret-refresh-token', user_id: '1' })
  },
  'device.auth.xboxlive.com/device/authenticate': () => json(xbox('secret-device-token')),
  'title.auth.xboxlive.com/title/authenticate': () => json(xbox('secret-title-token')),
  'user.auth.xboxlive.com/user/authenticate': () => json(xbox('secret-user-token')),
  'xsts.auth.xboxlive.com/xsts/authorize': () => json(xbox('secret-xsts-token')),
  'api.minecraftservices.com/authentication/login_with_xbox': () => json({ username: 'x', access_token: 'secret-game-token', token_type: 'Bearer', expires_in: 86400 }),
  'api.minecraftservices.com/minecraft/profile': () => scenario.profile === false ? json({ error: 'NOT_FOUND' }, 404) : json({ id: '0123456789abcdef0123456789abcdef', name: 'Steve_Test' })
}

globalThis.fetch = async address => {
  const { host, pathname } = new URL(String(address))
  fs.appendFileSync(path.join(folder, 'asked'), `${host}${pathname}\n`)
  if (scenario.down) throw new Error(`no answer, and a token: ${'secret'.repeat(12)}`)
  return answers[host + pathname]?.() ?? json({}, 404)
}

// Where the tokens are is told with the requests; the scenario lies there too.
const parse = JSON.parse
JSON.parse = (...args) => {
  const value = parse(...args)
  if (value?.args?.tokens && folder === null) {
    folder = value.args.tokens
    scenario = parse(fs.readFileSync(path.join(folder, 'scenario'), 'utf8'))
  }
  return value
}

require('../../../src/minecraft/bridge/main.js')
