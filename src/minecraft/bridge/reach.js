// Reach: which hosts this process may open sockets to: the server that it was told, and for a sign-in those of Microsoft.
//
// A server cannot send it elsewhere: the list is set by the other side's requests, and by nothing that comes from a network.
'use strict'

const net = require('net')

// The code, Xbox, the profile of the game, and the word to a server that the player is the one.
const SIGN_IN_HOSTS = new Set([
  'login.live.com', 'device.auth.xboxlive.com', 'title.auth.xboxlive.com', 'user.auth.xboxlive.com', 'xsts.auth.xboxlive.com',
  'api.minecraftservices.com', 'sessionserver.mojang.com'
])
const HTTPS = 443

let server = null
let mayKnock = false

const connectSocket = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...args) {
  const given = Array.isArray(args[0]) ? args[0][0] : args[0]
  const port = Number(typeof given === 'object' ? given.port : given)
  const host = typeof given === 'object' ? given.host : args[1]
  if (!mayReach(host, port)) throw new Error('the bridge reaches no other host than it was told')
  return connectSocket.apply(this, args)
}

function mayReach (host, port) {
  if (server && port === server.port && host === server.host) return true
  return mayKnock && port === HTTPS && SIGN_IN_HOSTS.has(host)
}

const reachServer = (host, port) => { server = { host, port } }
const reachSignIn = () => { mayKnock = true }

module.exports = { reachServer, reachSignIn, mayReach, SIGN_IN_HOSTS }
