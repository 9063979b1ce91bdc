// Server list: what version a server speaks, as it tells everybody who asks, in any version.
//
// Nothing of the answer but a number is believed: the number stands for versions in our own table.
'use strict'

const net = require('net')

const STATUS_MS = 1200
const BYTES_MAX = 1 << 18

// Numbers on the wire: seven bits a byte, the lowest first.
function varint (number) {
  const bytes = []
  for (let left = number >>> 0; ; left >>>= 7) {
    if (left < 128) return Buffer.from([...bytes, left])
    bytes.push((left & 127) | 128)
  }
}

// The number at a place and the place after it; null if it is not there yet.
function readVarint (buffer, at) {
  let number = 0
  for (let n = 0; n < 5; n++) {
    if (at + n >= buffer.length) return null
    number |= (buffer[at + n] & 127) << (7 * n)
    if (buffer[at + n] < 128) return { number, next: at + n + 1 }
  }
  throw new Error('no number')
}

const framed = (...parts) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([varint(body.length), body])
}

// Asks for the status of a server without joining it.
function question (host, port, protocol) {
  const name = Buffer.from(host)
  const ends = Buffer.from([port >> 8, port & 255])
  return Buffer.concat([framed(varint(0), varint(protocol), varint(name.length), name, ends, varint(1)), framed(varint(0))])
}

// The status as text; null as long as a part of it is still to come.
function statusText (buffer) {
  const length = readVarint(buffer, 0)
  if (!length || buffer.length < length.next + length.number) return null
  const kind = readVarint(buffer, length.next)
  const text = kind && readVarint(buffer, kind.next)
  if (!text || kind.number !== 0) throw new Error('no status')
  return buffer.subarray(text.next, text.next + text.number).toString()
}

// The number of the protocol that the server speaks; null if it does not say so in time.
function protocolOf (host, port, mine) {
  return new Promise(resolve => {
    const socket = net.connect({ host, port })
    const end = found => {
      clearTimeout(timer)
      socket.destroy()
      resolve(found)
    }
    const timer = setTimeout(() => end(null), STATUS_MS)
    let heard = Buffer.alloc(0)
    socket.on('connect', () => socket.write(question(host, port, mine)))
    socket.on('error', () => end(null))
    socket.on('close', () => end(null))
    socket.on('data', data => {
      heard = Buffer.concat([heard, data])
      if (heard.length > BYTES_MAX) return end(null)
      try {
        const text = statusText(heard)
        const protocol = text === null ? null : JSON.parse(text)?.version?.protocol
        if (text !== null) end(Number.isSafeInteger(protocol) ? protocol : null)
      } catch {
        end(null)
      }
    })
  })
}

// If the server speaks another version than it was joined in, or one that is not known here: both in words.
async function otherVersion (host, port, asked) {
  const { versionsByMinecraftVersion, postNettyVersionsByProtocolVersion } = require('minecraft-data')
  const mine = versionsByMinecraftVersion.pc[asked]?.version
  // Servers of several versions answer in the one of who asks.
  const protocol = await protocolOf(host, port, mine ?? 0)
  if (protocol === null) return null
  const { testedVersions } = require('mineflayer')
  const named = (postNettyVersionsByProtocolVersion.pc[protocol] ?? []).map(version => version.minecraftVersion)
  const speaks = named.find(name => testedVersions.includes(name)) ?? named[0] ?? null
  if (asked && mine === protocol) return null
  if (!asked && named.some(name => testedVersions.includes(name))) return null
  // A version that the bridge cannot is nothing to be asked for.
  return { speaks, protocol, asked: testedVersions.includes(speaks) ? asked ?? null : null }
}

module.exports = { otherVersion, STATUS_MS }
