import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rateName } from '../../packages/core/src/risk/tool-name/rate-name.ts'
import { parseKnowledge, readKnowledge } from '../../scripts/knowledge/knowledge-file.ts'
import { PATHS } from '../../scripts/knowledge/paths.ts'
import { TOOLS } from '../../scripts/knowledge/tools.ts'

interface VerbRow {
  readonly verbs: readonly string[]
  readonly examples: readonly { readonly tool: string; readonly level: string }[]
}

const ROOT = join(import.meta.dirname, '../../packages/core')
const TOOL_FILES = readKnowledge(ROOT, 'knowledge/tools')
const PATH_FILES = readKnowledge(ROOT, 'knowledge/paths')

describe('the rows of knowledge/tools/verbs.yaml', () => {
  const data = TOOL_FILES.find(({ path }) => path.endsWith('/verbs.yaml'))?.data as { verbs: readonly VerbRow[] }
  const examples = data.verbs.flatMap((row) => row.examples.map((example) => ({ ...example, verbs: row.verbs })))

  it('are rated as in their examples', () => {
    const rated = examples.map(({ tool, level }) => [tool, level, rateName(tool)?.level])
    expect(rated.filter(([, level, found]) => level !== found)).toEqual([])
  })

  it('have examples that use their own verbs', () => {
    const others = examples.filter(({ tool, verbs }) => !verbs.includes(tool.split('_')[0] ?? ''))
    expect(others).toEqual([])
  })
})

describe('compiling word lists', () => {
  const problemsOf = (name: string, change: (text: string) => string) => {
    const changed = PATH_FILES.map((file) =>
      file.path.endsWith(name) ? parseKnowledge(file.path, change(JSON.stringify(file.data))) : file,
    )
    return PATHS.compile(changed).problems
  }

  it('accepts the existing files', () => {
    expect([...PATHS.compile(PATH_FILES).problems, ...TOOLS.compile(TOOL_FILES).problems]).toEqual([])
  })

  it('reports an unknown key, a duplicate word and a missing file, with file and line', () => {
    const name = 'startup-files.yaml'
    expect(problemsOf(name, (text) => text.replace('{', '{"colour":["red"],'))).toEqual([
      expect.stringMatching(/^knowledge\/paths\/startup-files\.yaml:1: .*colour/),
    ])
    expect(problemsOf(name, (text) => text.replace('".bashrc"', '".bashrc",".bashrc"'))).toEqual([
      expect.stringMatching(/^knowledge\/paths\/startup-files\.yaml:1: .*`\.bashrc` is listed twice/),
    ])
    const missing = PATHS.compile(PATH_FILES.filter(({ path }) => !path.endsWith(name))).problems
    expect(missing).toEqual(['knowledge/paths/startup-files.yaml:1: the file is missing'])
  })
})
