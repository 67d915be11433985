import { type Call, CountersignError, type Kind, OUTCOMES, type Outcome, readTraceparent } from '@countersign/core'
import type { AskerHello, AskerLine } from '@countersign/node'

type Fields = Readonly<Record<string, unknown>>

const MAX_ID = 256
const MAX_PATH = 4_096
/** SECURITY: A10 at least 192 bits, so that nobody guesses another asker's session. */
const SECRET = /^[\w-]{32,128}$/

/** The first line of a client. SECURITY: A21 anything but a valid hello ends the connection. */
export function readHello(text: string): AskerHello {
  const { protocol, version, workspace, label, token, resume } = fieldsOf(fieldsOf(parse(text))['hello'])
  if (typeof protocol !== 'number' || typeof version !== 'string') throw notALine()
  if (typeof workspace !== 'string' || workspace.length > MAX_PATH) throw notALine()
  if (resume !== undefined && !(typeof resume === 'string' && SECRET.test(resume))) throw notALine()
  return {
    protocol,
    version: version.slice(0, 64),
    workspace,
    ...(typeof label === 'string' && label !== '' ? { label: label.slice(0, 200) } : {}),
    ...(typeof token === 'string' ? { token } : {}),
    ...(resume === undefined ? {} : { resume }),
  }
}

/** Any later line. The call itself is read by the gate, which copies and checks it. */
export function readLine(text: string): AskerLine {
  const line = fieldsOf(parse(text))
  const { id } = line
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw notALine()
  switch (line['do']) {
    case 'ask': {
      const again = line['again'] === true ? ({ again: true } as const) : {}
      return { id, do: 'ask', call: callOf(line), ...again }
    }
    case 'submit':
    case 'required':
      return { id, do: line['do'], call: callOf(line) }
    case 'leave':
      return { id, do: 'leave' }
    case 'wait':
    case 'withdraw':
      return { id, do: line['do'], callId: textOf(line['callId']), key: textOf(line['key']) }
    case 'settle': {
      const { detail, outcome } = line
      if (!isOutcome(outcome)) throw notALine()
      return {
        id,
        do: 'settle',
        callId: textOf(line['callId']),
        outcome,
        ...(typeof detail === 'string' ? { detail } : {}),
      }
    }
    case 'cancel': {
      const { of } = line
      if (typeof of !== 'number') throw notALine()
      return { id, do: 'cancel', of }
    }
    default:
      // SECURITY: A2 L8, an asker that wants to decide is told no, and the journal hears of it.
      throw new CountersignError('CS_ASKER', 'an agent can only ask, submit, wait, withdraw and settle')
  }
}

function callOf(line: Fields): Call {
  return withTrace(claimedCall(fieldsOf(line['call'])), line['traceparent'])
}

/**
 * A call as an untrusted client may submit it. SECURITY: A1 L9, a client's description of its own tool can only raise the risk:
 * only the kind counts, as a claim; the client cannot choose which arguments a grant leaves open.
 */
function claimedCall(given: Fields): Call {
  const { description, source, ...rest } = given
  const {
    atLeast: _,
    volatile: _volatile,
    describe: _describe,
    preview: _preview,
    restores: _restores,
    containable: _contained,
    uncontained: _uncontained,
    ...call
  } = rest
  // SECURITY: L11, only the code that registers a tool knows where it comes from: an asker can only say that it is a server's.
  const asked = { ...call, ...(source === 'mcp' ? { source } : {}) } as unknown as Call
  return description === undefined ? asked : { ...asked, atLeast: fieldsOf(description)['kind'] as Kind }
}

/** The trace of a line is its call's, unless the call names one. */
function withTrace(call: Call, given: unknown): Call {
  const traceparent = call.traceparent === undefined ? readTraceparent(given) : undefined
  return traceparent === undefined ? call : { ...call, traceparent }
}

function isOutcome(value: unknown): value is Outcome {
  return OUTCOMES.some((one) => one === value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notALine()
  }
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notALine()
  return value as Fields
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_ID) throw notALine()
  return value
}

function notALine(): CountersignError {
  return new CountersignError('CS_PROTOCOL', 'a line is not a valid message; see docs/reference/socket.md')
}
