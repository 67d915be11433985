import type { FrozenCall } from '../../call/call.ts'
import { canonicalJson } from '../../call/json/canonical.ts'
import type { JsonObject } from '../../call/json/json.ts'
import type { OfferedLifetime } from '../../policy/model/grant.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import { findSecrets } from '../../secrets/redaction-patterns.ts'
import type { GrantOffer } from '../request/view.ts'
import { toolPartWords } from './grant-words.ts'

/** Grants between exact arguments and a whole tool: a file, a folder, or the same arguments around a free text. */
export function narrowOffers(
  call: FrozenCall,
  risk: RiskReport,
  lifetimes: readonly OfferedLifetime[],
): readonly GrantOffer[] {
  const { server, name: tool, definition } = call.tool
  const identity = { server, tool, definition }
  const scopes = [
    ...placesOf(call, risk).map((place) => ({ ...identity, ...place })),
    ...fieldsOf(call).map((fields) => ({ kind: 'fields', ...identity, ...fields }) as const),
  ]
  // SECURITY: A32 a grant outlives its call, and would keep a secret among the fixed values.
  const safe = scopes.filter((scope) => findSecrets(canonicalJson({ ...scope })).length === 0)
  return safe.map((scope) => ({ scope, lifetimes, words: toolPartWords(scope) }))
}

const FILE_KINDS: readonly string[] = ['read', 'write', 'delete', 'move']

interface Place {
  readonly kind: 'file' | 'folder'
  readonly path: string
}

/** The one file of a file tool's call, and the folder of all its files. */
function placesOf({ descriptor }: FrozenCall, { paths }: RiskReport): readonly Place[] {
  if (!FILE_KINDS.includes(descriptor.kind)) return []
  const real = [...new Set(paths.map((path) => path.real))]
  if (real.length === 0 || real.includes(null)) return []
  const [first = '', ...others] = real.map((path) => path ?? '')
  const folder = first.slice(0, first.lastIndexOf('/'))
  const isTogether = folder !== '' && others.every((path) => path.slice(0, path.lastIndexOf('/')) === folder)
  return [
    ...(others.length === 0 ? [{ kind: 'file', path: first } as const] : []),
    ...(isTogether ? [{ kind: 'folder', path: folder } as const] : []),
  ]
}

interface Fields {
  readonly fixed: JsonObject
  readonly free: readonly string[]
}

const LONGEST_NAME = 64
const MOST_FIXED = 1_024

/** Text with spaces or of some length is what a call says; everything else is where it goes, and stays as it is. */
function fieldsOf({ descriptor, args }: FrozenCall): readonly Fields[] {
  if (FILE_KINDS.includes(descriptor.kind) && descriptor.paths !== undefined) return []
  const entries = Object.entries(args)
  const isFree = (value: unknown): boolean =>
    typeof value === 'string' && (value.length > LONGEST_NAME || /\s/u.test(value))
  const free = entries.filter(([, value]) => isFree(value)).map(([name]) => name)
  const fixed = Object.fromEntries(entries.filter(([name]) => !free.includes(name)))
  const isSome = free.length > 0 && Object.keys(fixed).length > 0
  return isSome && canonicalJson(fixed).length <= MOST_FIXED ? [{ fixed, free }] : []
}
