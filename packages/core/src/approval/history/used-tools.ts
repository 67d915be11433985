import type { Json } from '../../call/json/json.ts'
import { grantOfReasons } from '../../policy/compile/verdict-contribution.ts'
import { SUPERVISIONS } from '../../policy/model/supervision.ts'
import type { Store } from '../../ports/store.ts'
import { pastJudged } from './journal-scan.ts'

/** A tool that calls were made of, as the journal tells it. */
export interface SeenTool {
  /** `name`, or `server/name`. */
  readonly tool: string
  readonly server: string | null
  readonly name: string
  /** Hash of the definition of its last call, `unbound` when none was given. */
  readonly definition: string
  /** Other definitions it had in the calls looked at: it changed under the same name. SECURITY: A20. */
  readonly otherDefinitions: readonly string[]
  readonly kind: string
  readonly lastUsed: number
  /** The id of its last call. */
  readonly lastCall: string | null
  readonly calls: number
  /** What policy said of its last call, and by which rule. */
  readonly supervision: string
  /** The strictest that was said of any of the calls looked at. */
  readonly strictest: string
  readonly rule: Json
  /** The grant that let it run although the rule said confirm; null when none did. */
  readonly grant: string | null
  readonly risk: string
}

/** A tool may change its definition with every call; a person needs to know that it did, not each. */
const MOST_DEFINITIONS = 10
const MOST_TOOLS = 1000

/** Every tool of the calls that the journal still tells of, the last used first. */
export async function seenTools(store: Pick<Store, 'head' | 'entries'>): Promise<readonly SeenTool[]> {
  const found = new Map<string, SeenTool>()
  for await (const entry of pastJudged(store)) {
    const tool = textOf(entry['tool'])
    const definition = textOf(entry['definition'])
    const supervision = textOf(entry['supervision'])
    const known = found.get(tool)
    if (known !== undefined) found.set(tool, again(known, definition, supervision))
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

function again(known: SeenTool, definition: string, supervision: string): SeenTool {
  const { otherDefinitions: others, calls } = known
  const isNew = definition !== known.definition && !others.includes(definition) && others.length < MOST_DEFINITIONS
  const strictest = rankOf(supervision) > rankOf(known.strictest) ? supervision : known.strictest
  return { ...known, strictest, calls: calls + 1, otherDefinitions: isNew ? [...others, definition] : others }
}

/** What an entry says is text: what is no supervision of ours is below them all. */
function rankOf(supervision: string): number {
  return (SUPERVISIONS as readonly string[]).indexOf(supervision)
}

/** `server/name` taken apart: a server has no slash in its name. */
export function partsOf(label: string): { readonly server: string | null; readonly name: string } {
  const at = label.indexOf('/')
  return at === -1 ? { server: null, name: label } : { server: label.slice(0, at), name: label.slice(at + 1) }
}

/** The risk level that a judged entry names. */
export function levelOf(risk: Json | undefined): string {
  return typeof risk === 'object' && risk !== null && 'level' in risk ? textOf(risk.level) : ''
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
