import { CountersignError, readTraceparent } from '@countersign/core'
import { type HostName, isHostName } from '../contract/host-name.ts'

/** What a hook's process sends: its command line, where it runs, and the event from stdin. */
export interface HookRequest {
  readonly host: HostName
  /** The event's name on the hook's command line. */
  readonly event: string | undefined
  readonly token: string | undefined
  /** The hook's own process, which waits for the answer. */
  readonly hook?: number | undefined
  /** The process that started the hook. */
  readonly parent: number
  readonly cwd: string
  /** How this program was started. */
  readonly launcher: readonly string[]
  /** All of its stdin. */
  readonly text: string
  /** Names the call where the agent does not: unique to this run of the hook. */
  readonly callId?: string | undefined
  /** The hook asked before, and the service died before it answered. */
  readonly again?: boolean
  /** `TRACEPARENT` of its environment, if that is valid: the agent's own trace. */
  readonly traceparent: string | undefined
}

const MAX_WORDS = 16
const MAX_ID = 100

/** Reads a request as a hook sends it to the service. */
export function readHookRequest(line: string): HookRequest {
  const { host, event, token, parent, cwd, launcher, text, traceparent, callId, again, hook } = fieldsOf(line)
  if (typeof host !== 'string' || !isHostName(host)) throw notARequest()
  if (typeof parent !== 'number' || !Number.isSafeInteger(parent)) throw notARequest()
  if (typeof cwd !== 'string' || typeof text !== 'string') throw notARequest()
  if (!Array.isArray(launcher) || launcher.length === 0 || launcher.length > MAX_WORDS) throw notARequest()
  if (!launcher.every((word) => typeof word === 'string')) throw notARequest()
  return {
    host,
    event: typeof event === 'string' ? event : undefined,
    token: typeof token === 'string' ? token : undefined,
    parent,
    cwd,
    hook: typeof hook === 'number' && Number.isSafeInteger(hook) && hook > 1 ? hook : undefined,
    launcher,
    text,
    callId: typeof callId === 'string' && callId.length <= MAX_ID ? callId : undefined,
    again: again === true,
    traceparent: readTraceparent(traceparent),
  }
}

function fieldsOf(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {}
  throw notARequest()
}

function notARequest(): CountersignError {
  return new CountersignError(
    'CS_PROTOCOL',
    'this request did not come from a hook; update Countersign and run `countersign init`',
  )
}
