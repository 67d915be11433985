import { posix } from 'node:path'
import { importsOf } from './imports.ts'
import { isTest, type Offence, type SourceFile } from './offence.ts'

/** Import cycles at load time: the file that is loaded first sees an incomplete module. */
export function checkCycles(files: readonly SourceFile[]): Offence[] {
  const sources = files.filter((file) => /\.tsx?$/.test(file.path) && !isTest(file.path))
  const graph = new Map(sources.map((file) => [file.path, edgesOf(file)]))
  const done = new Set<string>()
  const offences: Offence[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start !== -1) {
      const circle = [...trail.slice(start), path].map((name) => posix.basename(name)).join(' → ')
      offences.push({ path, line: 1, message: `imports itself: ${circle}` })
    }
    if (start !== -1 || done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return offences
}

function edgesOf(file: SourceFile): string[] {
  return importsOf(file.text)
    .filter((found) => !found.typeOnly && !found.lazy && found.specifier.startsWith('.'))
    .map((found) => posix.join(posix.dirname(file.path), found.specifier))
}
