// Failure: why an action or a request did not do what it was told, as a code with its details.
'use strict'

class Failure extends Error {
  constructor (code, details = {}) {
    super(code)
    this.code = code
    this.details = details
  }
}

const cancelled = () => new Failure('cancelled')

// What libraries throw is not for the other side to understand: it becomes one of our codes.
function asFailure (error) {
  if (error instanceof Failure) return error
  const text = String(error?.message ?? error)
  if (/didn't respond to transaction|rejected transaction/.test(text)) return new Failure('gui_blocked', { gui: 'inventory' })
  return new Failure('internal', { because: text.slice(0, 300) })
}

module.exports = { Failure, asFailure, cancelled }
