import { type ToolIdentity, toolLabel } from '../../call/tool.ts'
import { compileTextGlob } from '../match/glob.ts'
import type { CompiledRule } from './compiled-rule.ts'
import { type Entry, RuleBucket } from './rule-bucket.ts'
import { orderOf } from './specificity.ts'

/** Size of the cache. SECURITY: tool names come from agents and servers, so it is bounded. */
const MAX_REMEMBERED = 512
/** Up to this many rules, all patterns of a tool share one bucket, which saves lookups. */
const MAX_MERGED = 1_024

/** The rules for one pattern. The bucket is built on first use. */
class Group {
  readonly entries: Entry[] = []
  #bucket: RuleBucket | null = null

  get bucket(): RuleBucket {
    this.#bucket ??= new RuleBucket(this.entries)
    return this.#bucket
  }
}

/** Finds rules by tool, case-insensitively: exact label, `server/*`, other globs, any tool. */
export class ToolIndex {
  readonly #exact = new Map<string, Group>()
  readonly #servers = new Map<string, Group>()
  readonly #globs: { readonly matches: (label: string) => boolean; readonly entry: Entry }[] = []
  readonly #any = new Group()
  readonly #remembered = new Map<string | null, Map<string, readonly RuleBucket[]>>()
  #count = 0

  constructor(rules: readonly CompiledRule[]) {
    for (const rule of rules) {
      const { tool } = rule.source.when
      if (tool === undefined) this.#any.entries.push({ rule, order: orderOf(rule.source, null) })
      else for (const pattern of tool) this.#add(rule, pattern.toLowerCase())
    }
  }

  #add(rule: CompiledRule, pattern: string): void {
    const entry = { rule, order: orderOf(rule.source, pattern) }
    if (!pattern.includes('*')) groupIn(this.#exact, pattern).entries.push(entry)
    else if (pattern.indexOf('*') === pattern.length - 1 && pattern.endsWith('/*')) {
      groupIn(this.#servers, pattern.slice(0, -2)).entries.push(entry)
    } else this.#globs.push({ matches: compileTextGlob(pattern), entry })
  }

  /** Number of cached tools. */
  get remembered(): number {
    return this.#count
  }

  /** The buckets that contain all rules for a tool. */
  bucketsOf(tool: ToolIdentity): readonly RuleBucket[] {
    return this.#remembered.get(tool.server)?.get(tool.name) ?? this.#remember(tool)
  }

  #remember(tool: ToolIdentity): readonly RuleBucket[] {
    const buckets = bucketsFor(this.#groupsOf(toolLabel(tool).toLowerCase()))
    if (this.#count >= MAX_REMEMBERED) {
      this.#remembered.clear()
      this.#count = 0
    }
    let names = this.#remembered.get(tool.server)
    if (!names) {
      names = new Map()
      this.#remembered.set(tool.server, names)
    }
    names.set(tool.name, buckets)
    this.#count += 1
    return buckets
  }

  #groupsOf(label: string): readonly Group[] {
    const groups: Group[] = []
    const exact = this.#exact.get(label)
    if (exact) groups.push(exact)
    for (let at = label.indexOf('/'); at >= 0; at = label.indexOf('/', at + 1)) {
      const server = this.#servers.get(label.slice(0, at))
      if (server) groups.push(server)
    }
    const globbed = new Group()
    for (const { matches, entry } of this.#globs) if (matches(label)) globbed.entries.push(entry)
    if (globbed.entries.length > 0) groups.push(globbed)
    if (this.#any.entries.length > 0) groups.push(this.#any)
    return groups
  }
}

function bucketsFor(groups: readonly Group[]): readonly RuleBucket[] {
  const [only] = groups
  if (only && groups.length === 1) return [only.bucket]
  const rules = groups.reduce((sum, group) => sum + group.entries.length, 0)
  return rules > MAX_MERGED
    ? groups.map((group) => group.bucket)
    : [new RuleBucket(groups.flatMap((group) => group.entries))]
}

function groupIn(groups: Map<string, Group>, key: string): Group {
  const known = groups.get(key)
  if (known) return known
  const group = new Group()
  groups.set(key, group)
  return group
}
