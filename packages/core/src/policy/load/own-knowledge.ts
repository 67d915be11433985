import { type OwnKnowledge, type OwnLayer, type OwnRow, type OwnRows, toolKey } from '../../knowledge/own-knowledge.ts'
import type { PolicyFile } from '../../ports/policy-files.ts'
import type { LoadedKnowledge, NamedRow } from '../parse/knowledge-file.ts'
import { onlyTightens } from './layer-rules.ts'

/** A valid knowledge file, with the layer it belongs to. */
export interface KnowledgeOfFile {
  readonly file: Pick<PolicyFile, 'layer' | 'trusted'>
  readonly content: LoadedKnowledge
}

/**
 * Merges the knowledge of all layers. A row of the nearest layer that may loosen replaces the built-in one: a trusted
 * project's before the person's. INVARIANT: L4 L9, rows of an organization or of a project that nobody trusted only raise.
 */
export function mergeKnowledge(files: readonly KnowledgeOfFile[]): { readonly knowledge?: OwnKnowledge } {
  if (files.length === 0) return {}
  return {
    knowledge: {
      programs: rowsByName(
        files,
        ({ programs }) => programs,
        (name) => name,
      ),
      tools: rowsByName(files, ({ tools }) => tools, keyOfTool),
    },
  }
}

/** The rows of one policy, and those of another that only raise. */
export function withRaisingRows(base: OwnKnowledge | undefined, more: OwnKnowledge | undefined) {
  if (more === undefined) return base
  const merged = {
    programs: addRaising(base?.programs ?? new Map(), more.programs),
    tools: addRaising(base?.tools ?? new Map(), more.tools),
  }
  const isSame = base !== undefined && merged.programs === base.programs && merged.tools === base.tools
  return isSame || merged.programs.size + merged.tools.size === 0 ? base : merged
}

function addRaising<Row>(
  base: ReadonlyMap<string, OwnRows<Row>>,
  more: ReadonlyMap<string, OwnRows<Row>>,
): ReadonlyMap<string, OwnRows<Row>> {
  let merged: Map<string, OwnRows<Row>> | undefined
  for (const [name, { raising }] of more) {
    const rows = base.get(name) ?? { replacing: [], raising: [] }
    const known = new Set(rows.raising.map((one) => JSON.stringify(one)))
    const added = raising.filter((one) => !known.has(JSON.stringify(one)))
    if (added.length === 0) continue
    merged ??= new Map(base)
    merged.set(name, { ...rows, raising: [...rows.raising, ...added] })
  }
  return merged ?? base
}

/** `server/name`, or a bare name. */
function keyOfTool(name: string): string {
  const slash = name.indexOf('/')
  return slash === -1 ? toolKey(null, name) : toolKey(name.slice(0, slash), name.slice(slash + 1))
}

function rowsByName<Row>(
  files: readonly KnowledgeOfFile[],
  of: (content: LoadedKnowledge) => readonly NamedRow<Row>[],
  keyOf: (name: string) => string,
): ReadonlyMap<string, OwnRows<Row>> {
  const all = files.flatMap(({ file, content }) =>
    of(content).flatMap(({ names, row }) =>
      names.map((name) => ({ key: keyOf(name), row, layer: file.layer, raises: onlyTightens(file) })),
    ),
  )
  return new Map(
    [...Map.groupBy(all, ({ key }) => key)].map(([key, rows]) => {
      const own = rows.filter(({ raises }) => !raises)
      const nearest: OwnLayer = own.some(({ layer }) => layer === 'project') ? 'project' : 'user'
      return [
        key,
        {
          replacing: own.filter(({ layer }) => layer === nearest).map(plain),
          raising: rows.filter(({ raises }) => raises).map(plain),
        },
      ]
    }),
  )
}

function plain<Row>({ row, layer }: OwnRow<Row>): OwnRow<Row> {
  return { row, layer }
}
