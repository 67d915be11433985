import { isJsonObject, type Json } from '../../call/json/json.ts'
import { grantOfReasons } from '../../policy/compile/verdict-contribution.ts'
import { SUPERVISIONS } from '../../policy/model/supervision.ts'
import type { Store } from '../../ports/store.ts'
import { pastJudged } from './journal-scan.ts'

/** A tool that was used, according to the journal. */
export interface SeenTool {
  /** `name`, or `server/name`. */
  readonly tool: string
  readonly server: string | null
  readonly name: string
  /** The hash of the definition in its last call; `unbound` without one. */
  readonly definition: string
  /** Other definitions in the calls examined: the tool changed under the same name. SECURITY: A20. */
  readonly otherDefinitions: readonly string[]
  readonly kind: string
  readonly lastUsed: number
  /** The id of its last call. */
  readonly lastCall: string | null
  readonly calls: number
  /** The supervision of its last call. */
  readonly supervision: string
  /** The strictest supervision of the calls examined. */
  readonly strictest: string
  readonly rule: Json
  /** The grant by which the last call ran; null without one. */
  readonly grant: string | null
  readonly risk: string
}

/** A tool may change its definition with every call; a person needs to know that it did, not every version. */
const MOST_DEFINITIONS = 10
const MOST_TOOLS = 1000

/** Every tool in the journal, most recently used first. */
export async function seenTools(store: Pick<Store, 'head' | 'entries'>): Promise<readonly SeenTool[]> {
  const found = new Map<string, SeenTool>()
  for await (const entry of pastJudged(store)) {
    const tool = textOf(entry['tool'])
    const definition = textOf(entry['definition'])
    const supervision = textOf(entry['supervision'])
    const known = found.get(tool)
    if (known !== undefined) found.set(tool, withCall(known, definition, supervision))
    else if (found.size < MOST_TOOLS)
      found.set(tool, {
        tool,
        ...partsOf(tool),
        definition,
        otherDefinitions: [],
        kind: textOf(entry['does']),
        lastUsed: entry.at,
        lastCall: entry.call,
        calls: 1,
        supervision,
        strictest: supervision,
        rule: entry['rule'] ?? null,
        grant: grantOfReasons(Array.isArray(entry['because']) ? entry['because'] : []),
        risk: levelOf(entry['risk']),
      })
  }
  return [...found.values()]
}

function withCall(known: SeenTool, definition: string, supervision: string): SeenTool {
  const { otherDefinitions: others, calls } = known
  const isNew = definition !== known.definition && !others.includes(definition) && others.length < MOST_DEFINITIONS
  const strictest = rankOf(supervision) > rankOf(known.strictest) ? supervision : known.strictest
  return { ...known, strictest, calls: calls + 1, otherDefinitions: isNew ? [...others, definition] : others }
}

/** An unknown supervision ranks below all known ones. */
function rankOf(supervision: string): number {
  return (SUPERVISIONS as readonly string[]).indexOf(supervision)
}

/** Splits `server/name`. A server's name has no slash. */
export function partsOf(label: string): { readonly server: string | null; readonly name: string } {
  const at = label.indexOf('/')
  return at === -1 ? { server: null, name: label } : { server: label.slice(0, at), name: label.slice(at + 1) }
}

/** The risk level of a judged entry. */
export function levelOf(risk: Json | undefined): string {
  return isJsonObject(risk) ? textOf(risk['level']) : ''
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
