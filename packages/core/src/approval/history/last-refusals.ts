import type { FrozenCall } from '../../call/call.ts'
import { isJsonObject, type Json } from '../../call/json/json.ts'
import { parseEntry } from '../../journal/entry.ts'
import type { SandboxException, SandboxRefusal } from '../../policy/model/containment.ts'
import type { Ports } from '../../ports/ports.ts'
import type { CallRedactor } from '../../secrets/redact.ts'

/** How far back the same command is looked for. INVARIANT: L10. */
const MAX_ENTRIES = 2_000
const MAX_AGE_MS = 3_600_000
const MAX_REFUSALS = 8
const MAX_TEXT = 1_000

const NONE: readonly SandboxRefusal[] = []

/** Refusals as an outcome's entry keeps them. Leaves out weak signs. */
export function recordedRefusals(refused: readonly SandboxRefusal[], redactor: Pick<CallRedactor, 'text'>): Json {
  const clean = (text: string): string => redactor.text(text.slice(0, MAX_TEXT).toWellFormed())
  return refused
    .filter(({ certainty }) => certainty !== 'weak')
    .slice(0, MAX_REFUSALS)
    .map(({ kind, what, certainty, exception }) => {
      // A name that had to be redacted can't be opened again.
      const isWhole = exception !== undefined && clean(exception.name) === exception.name
      return {
        kind,
        what: clean(what),
        certainty,
        ...(isWhole ? { exception: { use: exception.use, name: exception.name } } : {}),
      }
    })
}

/**
 * What the sandbox refused when the same command last ran in it, according to the journal. SECURITY: A15 the agent's words
 * have no part in it.
 */
export async function lastRefusals(
  { id, grantKey }: Pick<FrozenCall, 'id' | 'grantKey'>,
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<readonly SandboxRefusal[]> {
  const { size } = await store.head()
  const since = clock.now() - MAX_AGE_MS
  const refused = new Map<string, readonly SandboxRefusal[]>()
  const page = await store.entries(Math.max(0, size - MAX_ENTRIES) + 1, size)
  for (const { line } of page.toReversed()) {
    const isJudged = line.includes('"kind":"judged"')
    if (isJudged ? !line.includes(grantKey) : !line.includes('"refused":[')) continue
    const entry = parseEntry(line)
    if (entry === undefined || entry.call === null || entry.call === id) continue
    if (entry.at < since) return NONE
    if (isJudged && entry.kind === 'judged' && entry['grantKey'] === grantKey) {
      const found = refused.get(entry.call)
      if (found !== undefined) return found
    } else if (entry.kind === 'failed' || entry.kind === 'completed')
      refused.set(entry.call, readRefusals(entry['refused'] ?? null))
  }
  return NONE
}

function readRefusals(value: Json): readonly SandboxRefusal[] {
  if (!Array.isArray(value)) return NONE
  return (value as readonly Json[]).slice(0, MAX_REFUSALS).filter(isRefusal)
}

const KINDS: ReadonlySet<unknown> = new Set<SandboxRefusal['kind']>(['host', 'write', 'read', 'device', 'start'])

function isRefusal(value: Json): value is Json & SandboxRefusal {
  if (!isJsonObject(value)) return false
  const { kind, what, certainty, exception } = value
  if (!KINDS.has(kind) || typeof what !== 'string' || (certainty !== 'strong' && certainty !== 'medium')) return false
  return exception === undefined || isException(exception)
}

const USES: ReadonlySet<unknown> = new Set<SandboxException['use']>(['network', 'write', 'read'])

function isException(value: Json): boolean {
  return isJsonObject(value) && USES.has(value['use']) && typeof value['name'] === 'string'
}
