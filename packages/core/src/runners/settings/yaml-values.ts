import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { ProjectFile } from '../reading/project-reader.ts'

/** A value in a YAML or JSON file, with its place. */
export interface Setting {
  /** The names and positions that lead to it. */
  readonly path: readonly string[]
  readonly value: string
  readonly line: number
}

/** INVARIANT: L10, values of one file. */
const MAX_SETTINGS = 10_000
const MAX_DEPTH = 32

/** Every plain value of a YAML or JSON file, in order; null if it is invalid or too large. Anchors are followed. */
export function settingsIn(file: ProjectFile): readonly Setting[] | null {
  const lines = new LineCounter()
  const documents = parseDocument(file.text, { lineCounter: lines, uniqueKeys: false, merge: true })
  if (documents.errors.length > 0) return null
  const found: Setting[] = []
  const walk = (node: unknown, path: readonly string[]): boolean => {
    if (path.length > MAX_DEPTH || found.length > MAX_SETTINGS) return false
    if (isMap(node))
      return node.items.every(({ key, value }) => {
        const name = isScalar(key) ? String(key.value) : ''
        return walk(value, name === '<<' ? path : [...path, name])
      })
    if (isSeq(node)) return node.items.every((item, at) => walk(item, [...path, String(at)]))
    if (isScalar(node)) {
      const line = lines.linePos((node as Node).range?.[0] ?? 0).line
      found.push({ path, value: node.value === null ? '' : String(node.value), line })
      return true
    }
    if (node === null || node === undefined) return true
    const target = (node as { resolve?: (document: unknown) => unknown }).resolve?.(documents)
    return target === undefined ? false : walk(target, path)
  }
  return walk(documents.contents, []) ? found : null
}
