import { type ToolIdentity, toolLabel } from '../../call/tool.ts'
import { compileTextGlob } from '../match/glob.ts'
import type { CompiledRule } from './compiled-rule.ts'
import { type Entry, Shelf } from './rule-bucket.ts'
import { orderOf } from './specificity.ts'

/** How many tools are remembered. SECURITY: names come from agents and servers, so the memory is bounded. */
const MAX_REMEMBERED = 512
/** Up to this many rules for a tool stand on one shelf: one lookup instead of one per pattern. */
const MAX_MERGED = 1_024

/** Rules under one pattern; the shelf is built when a tool first needs it. */
class Group {
  readonly entries: Entry[] = []
  #shelf: Shelf | null = null

  get shelf(): Shelf {
    this.#shelf ??= new Shelf(this.entries)
    return this.#shelf
  }
}

/** Finds rules by tool: exact label, `server/*`, other globs, any tool. Case never matters. */
export class ToolIndex {
  readonly #exact = new Map<string, Group>()
  readonly #servers = new Map<string, Group>()
  readonly #globs: { readonly matches: (label: string) => boolean; readonly entry: Entry }[] = []
  readonly #any = new Group()
  readonly #remembered = new Map<string | null, Map<string, readonly Shelf[]>>()
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

  /** How many tools are remembered right now. */
  get remembered(): number {
    return this.#count
  }

  /** The shelves that together hold every rule for a tool. */
  shelvesOf(tool: ToolIdentity): readonly Shelf[] {
    return this.#remembered.get(tool.server)?.get(tool.name) ?? this.#remember(tool)
  }

  #remember(tool: ToolIdentity): readonly Shelf[] {
    const shelves = shelvesFor(this.#groupsOf(toolLabel(tool).toLowerCase()))
    if (this.#count >= MAX_REMEMBERED) {
      this.#remembered.clear()
      this.#count = 0
    }
    let names = this.#remembered.get(tool.server)
    if (!names) {
      names = new Map()
      this.#remembered.set(tool.server, names)
    }
    names.set(tool.name, shelves)
    this.#count += 1
    return shelves
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

function shelvesFor(groups: readonly Group[]): readonly Shelf[] {
  const [only] = groups
  if (only && groups.length === 1) return [only.shelf]
  const rules = groups.reduce((sum, group) => sum + group.entries.length, 0)
  return rules > MAX_MERGED ? groups.map((group) => group.shelf) : [new Shelf(groups.flatMap((group) => group.entries))]
}

function groupIn(groups: Map<string, Group>, key: string): Group {
  const known = groups.get(key)
  if (known) return known
  const group = new Group()
  groups.set(key, group)
  return group
}
