// Wire: JSON lines in and out, within limits.
//
// Requests come in on standard input and answers and events go out on standard output; nothing else is ever
// written there. When the reader is slow, events that a later one replaces are left out.
'use strict'

const LINE_BYTES_MAX = 1 << 20
// Bytes that may wait for a slow reader before replaceable events are left out.
const WAITING_BYTES_MAX = 1 << 20

// Libraries print: to standard error, where it can do no harm.
function keepConsoleOffStdout () {
  for (const name of ['log', 'info', 'debug', 'dir', 'table']) {
    console[name] = (...words) => console.error(...words)
  }
}

class Writer {
  constructor (out) {
    this.out = out
    this.seq = 0
    this.dropped = 0
  }

  // `isReplaceable` says that a later event tells the same better.
  send (body, isReplaceable = false) {
    if (isReplaceable && this.out.writableLength > WAITING_BYTES_MAX) {
      this.dropped++
      return false
    }
    const line = JSON.stringify({ seq: ++this.seq, ...body })
    if (line.length > LINE_BYTES_MAX) {
      this.dropped++
      return false
    }
    this.out.write(line + '\n')
    return true
  }
}

// Calls `onRequest` with each object; what is no request is answered by `onFault`.
function readLines (input, onRequest, onFault, onEnd) {
  let rest = ''
  input.setEncoding('utf8')
  input.on('data', text => {
    rest += text
    if (rest.length > LINE_BYTES_MAX && !rest.includes('\n')) {
      rest = ''
      onFault('a request is longer than a line may be')
    }
    let end
    while ((end = rest.indexOf('\n')) >= 0) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 1)
      if (line.trim() === '') continue
      let request
      try {
        request = JSON.parse(line)
      } catch {
        onFault('a request is not JSON')
        continue
      }
      if (typeof request !== 'object' || request === null || !Number.isSafeInteger(request.id)) {
        onFault('a request has no id')
        continue
      }
      onRequest(request)
    }
  })
  input.on('end', onEnd)
  input.on('error', onEnd)
}

module.exports = { Writer, readLines, keepConsoleOffStdout }
