import type { Call } from '../../call/call.ts'
import { callDigest } from '../../call/freeze/digest.ts'
import { isJsonObject, type Json } from '../../call/json/json.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { partsOf } from './used-tools.ts'

/** A past call exactly as it was judged, and its workspace. */
export interface RecalledCall {
  readonly call: Call
  readonly workspace: string
}

/** Redacted or cut text in an entry. */
const PARTIAL = /\[(?:redacted|cut):/

/**
 * The call of a `judged` entry, to be judged again. Null when the entry does not have all of it: a secret was redacted, a
 * long text cut, the tool described the call itself, or the entry is of an older version.
 *
 * @example
 * const recalled = recallCall(entry, ports.crypto)
 */
export function recallCall(entry: JournalEntry, crypto: Pick<Crypto, 'sha256'>): RecalledCall | null {
  const { asked, args, cwd, session, said } = entry
  const names = Array.isArray(entry['agent']) ? entry['agent'].map(String) : []
  const [name, ...parents] = names.toReversed()
  if (entry['described'] === 'declared' || name === undefined || typeof cwd !== 'string') return null
  if (!isJsonObject(asked) || !isJsonObject(args) || !isWhole(said)) return null
  const { annotations, source, workspace = cwd } = asked
  if (!isSource(source) || !isWhole(workspace) || typeof workspace !== 'string') return null
  const tool = partsOf(String(entry['tool']))
  const agent = { name, parents: parents.toReversed() }
  const identity = { ...tool, definition: String(entry['definition']) }
  const digest = callDigest(
    { tool: identity, args, cwd, session: typeof session === 'string' ? session : null, agent },
    crypto,
  )
  if (digest !== entry['digest']) return null
  const call: Call = {
    tool: {
      name: tool.name,
      ...(tool.server === null ? {} : { server: tool.server }),
      ...(isJsonObject(annotations) ? { annotations } : {}),
    },
    args,
    cwd,
    agent,
    source,
    requiresConfirmation: asked['confirm'] === true,
    ...(typeof said === 'string' ? { said } : {}),
  }
  return { call, workspace }
}

function isWhole(text: Json | undefined): boolean {
  return typeof text !== 'string' || !PARTIAL.test(text)
}

function isSource(source: unknown): source is NonNullable<Call['source']> {
  return source === 'builtin' || source === 'mcp' || source === 'custom'
}
