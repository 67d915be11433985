/**
 * Checks the YAML files in `packages/core/knowledge` and compiles them into TypeScript modules in
 * `packages/core/src/knowledge/compiled`. The modules are not committed: the build and the tests write them first.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writePresets } from './compile-presets.ts'
import { DOMAINS } from './knowledge/domains.ts'
import { readKnowledge } from './knowledge/knowledge-file.ts'

const core = join(import.meta.dirname, '../packages/core')

/** Every compiled module by its path below `packages/core/src/knowledge/compiled`. Throws one error that lists every problem. */
export function compiledKnowledge(): ReadonlyMap<string, string> {
  const problems: string[] = []
  const modules = new Map<string, string>()
  for (const domain of DOMAINS) {
    const files = readKnowledge(core, `knowledge/${domain.folder}`)
    const { text, problems: found } = domain.compile(files)
    problems.push(...found)
    modules.set(`${domain.folder}.ts`, `// Compiled from knowledge/${domain.folder}/*.yaml. Do not edit.\n${text}`)
  }
  if (problems.length > 0) throw new Error(`knowledge is not valid\n${problems.join('\n')}`)
  return modules
}

/** Writes the compiled modules that changed. */
export function writeKnowledge(): void {
  for (const [name, text] of compiledKnowledge()) {
    const path = join(core, 'src/knowledge/compiled', name)
    if (contentOf(path) === text) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeKnowledge()
  await writePresets()
}
