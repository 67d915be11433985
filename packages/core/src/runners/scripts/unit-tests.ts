import type { ProjectReader } from '../reading/project-reader.ts'
import type { RunnerInput } from '../reading/runner.ts'
import { pythonModule } from './python-modules.ts'
import type { StartCode } from './whole-code.ts'

/** The files that a test runner of Python loads, and the folders that it loads modules from. */
export type FoundTests =
  | {
      readonly kind: 'found'
      readonly starts: readonly StartCode[]
      readonly roots: readonly string[]
      readonly cached: boolean
    }
  | { readonly kind: 'unclear'; readonly why: string }

const FLAG = /^(?:-[vqfbc]+|--(?:verbose|quiet|failfast|buffer|catch|locals))$/
const MAX_FOLDERS = 100

/** What `python3 -m unittest …` loads: the modules that are named, or the tests that it finds. */
export async function unitTests(
  words: readonly string[],
  roots: readonly string[],
  { folder, reader }: RunnerInput,
): Promise<FoundTests> {
  const plain = words.filter((word) => !FLAG.test(word))
  if (plain.length === 0 || plain[0] === 'discover') return discover(plain.slice(1), roots, folder, reader)
  const starts: StartCode[] = []
  let cached = false
  for (const word of plain) {
    const name = word.endsWith('.py') ? word.slice(0, -3).replaceAll('/', '.') : word
    if (!/^[A-Za-z]\w*(?:\.\w+)*$/.test(name)) return { kind: 'unclear', why: `\`${word.slice(0, 40)}\` is not known` }
    const found = await pythonModule({ module: name, names: [] }, null, roots, reader, true)
    if (found.kind === 'opaque') return { kind: 'unclear', why: found.why }
    starts.push(...found.files.map((file) => ({ text: file.text, file })))
    cached ||= found.cached
  }
  return { kind: 'found', starts, roots, cached }
}

/** `discover -s tests -p 'test*.py'`. */
async function discover(
  words: readonly string[],
  roots: readonly string[],
  folder: string,
  reader: ProjectReader,
): Promise<FoundTests> {
  let start = '.'
  let pattern = 'test*.py'
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '-s' || word === '--start-directory') start = words[++at] ?? ''
    else if (word === '-p' || word === '--pattern') pattern = words[++at] ?? ''
    else return { kind: 'unclear', why: `\`${word.slice(0, 40)}\` may load other code` }
  }
  const real = start === '' ? null : await reader.resolve(start, folder)
  if (real === null || !/^[\w*.-]+$/.test(pattern)) return { kind: 'unclear', why: 'the test files are not known' }
  const matches = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  const starts: StartCode[] = []
  let cached = false
  const waiting = [real]
  for (let count = 0; waiting.length > 0; count++) {
    const at = waiting.shift() ?? real
    const names = count > MAX_FOLDERS ? null : await reader.names('.', at)
    if (names === null) return { kind: 'unclear', why: 'the folders with its tests can’t be listed' }
    cached ||= names.some((name) => name.startsWith('__pycache__'))
    for (const name of names) {
      const isLoaded = name.endsWith('.py') && (matches.test(name) || name === '__init__.py')
      // Folders with or without `__init__.py`: versions of Python differ.
      if (name.endsWith('/') && name !== '__pycache__/') waiting.push(`${at}/${name.slice(0, -1)}`)
      if (/\.(?:so|pyd|pyc)$/.test(name)) return { kind: 'unclear', why: `\`${name}\` is compiled` }
      if (!isLoaded) continue
      const reading = await reader.read(name, at)
      if (reading.kind !== 'file') return { kind: 'unclear', why: `\`${name}\` can’t be read` }
      starts.push({ text: reading.text, file: reading })
    }
  }
  return { kind: 'found', starts, roots: [real, ...roots], cached }
}
