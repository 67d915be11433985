import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFile } from './offence.ts'

const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.vitest', 'coverage', 'compiled'])
const TEXT = /(\.(ts|tsx|js|mjs|json|md|ya?ml|sh)|^LICENSE|\/run)$/

/** Every hand-written text file of the repository. */
export function sourceTree(root: string, folder = ''): SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return []
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return sourceTree(root, path)
    return entry.isFile() && TEXT.test(path) ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : []
  })
}
