import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml'

/** One YAML file of knowledge, with the line of every value. */
export interface KnowledgeFile {
  /** Relative to the package: `knowledge/programs/git.yaml`. */
  readonly path: string
  readonly data: unknown
  /** The line, from 1, of the value at a path such as `['programs', 3]`. */
  lineOf(keys: readonly (string | number)[]): number
}

/** The result of compiling a domain: a module's text, or problems as `file:line: message`. */
export interface Compiled {
  readonly text: string
  readonly problems: readonly string[]
}

/** A folder of `packages/core/knowledge`, and how to check and compile it. */
export interface Domain {
  readonly folder: string
  compile(files: readonly KnowledgeFile[]): Compiled
}

/** Every YAML file of a folder, sorted by name. */
export function readKnowledge(root: string, folder: string): readonly KnowledgeFile[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => parseKnowledge(`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')))
}

/** Reads one file's text. Throws with `file:line` if it is not YAML. */
export function parseKnowledge(path: string, text: string): KnowledgeFile {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, strict: true, uniqueKeys: true })
  const [error] = document.errors
  if (error !== undefined) throw new Error(`${path}:${error.linePos?.[0].line ?? 1}: ${error.message}`)
  return {
    path,
    data: document.toJS({ maxAliasCount: 0 }),
    lineOf(keys) {
      let node: unknown = document.contents
      for (const key of keys) {
        const next: unknown = isMap(node) || isSeq(node) ? node.get(key, true) : undefined
        if (!isNode(next)) break
        node = next
      }
      const start = isNode(node) ? node.range?.[0] : undefined
      return start === undefined ? 1 : lineCounter.linePos(start).line
    },
  }
}
