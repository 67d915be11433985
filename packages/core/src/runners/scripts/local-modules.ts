import { codeTokens } from '../../command/code/tokenizer.ts'
import { PYTHON } from '../../knowledge/compiled/runners.ts'
import type { Language } from '../../knowledge/shell.ts'
import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'

interface Imported {
  readonly files: readonly ProjectFile[]
  readonly opaque: readonly string[]
}

const NOTHING: Imported = { files: [], opaque: [] }
const NODE_ENDINGS = ['', '.ts', '.js', '.mjs', '.cjs', '.mts', '.cts', '.tsx', '.jsx', '/index.ts', '/index.js']
const PYTHON_IMPORT = /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w. ,\t]+))/gm

/** The files of the project that a file loads by a literal relative name, or in Python by the name of a module beside it. */
export async function importedFiles(file: ProjectFile, language: Language, reader: ProjectReader): Promise<Imported> {
  const folder = file.real.slice(0, file.real.lastIndexOf('/'))
  const candidates = namesIn(file, language)
  if (candidates.length === 0) return NOTHING
  const files: ProjectFile[] = []
  const opaque: string[] = []
  for (const names of candidates) {
    for (const name of names) {
      const reading = await reader.read(name, folder)
      if (reading.kind === 'absent') continue
      // A folder is loaded by its index file, which is another candidate.
      if (reading.kind === 'file') files.push(reading)
      else if (/\.\w+$/.test(name)) opaque.push(reading.why)
      else continue
      break
    }
  }
  return { files, opaque }
}

/** For each import the paths it can mean, in order. */
function namesIn({ text }: ProjectFile, language: Language): readonly (readonly string[])[] {
  switch (language) {
    case 'node':
      return relativeNames(text).map((name) => [
        ...NODE_ENDINGS.map((ending) => `${name}${ending}`),
        // TypeScript names the file that it will become.
        ...(name.endsWith('.js') ? [`${name.slice(0, -3)}.ts`] : []),
      ])
    case 'python':
      return moduleNames(text).map((name) => [`${name}.py`, `${name}/__init__.py`])
    case 'ruby':
      return relativeNames(text).map((name) => [name, `${name}.rb`])
    default:
      return []
  }
}

function relativeNames(text: string): readonly string[] {
  const names = new Set<string>()
  const tokens = codeTokens(text, 'node')
  for (const [at, { kind, text: name, dynamic }] of tokens.entries()) {
    if (kind !== 'string' || dynamic || name.length > 400) continue
    const [before, earlier] = [tokens[at - 1]?.text, tokens[at - 2]?.text]
    const loads = before === '(' ? (earlier ?? '') : (before ?? '')
    // Ruby's `require_relative 'a'` is relative without a dot.
    const isRelative = loads === 'require_relative' || /^\.{1,2}\//.test(name)
    const isCall = before === '(' ? /^(?:require|import|require_relative)$/ : /^(?:from|import|require_relative)$/
    if (isRelative && isCall.test(loads)) names.add(name)
  }
  return [...names]
}

function moduleNames(text: string): readonly string[] {
  const names = new Set<string>()
  for (const [, from, list] of text.matchAll(PYTHON_IMPORT)) {
    const named = from === undefined ? (list ?? '').split(',').map((one) => one.trim().split(/\s/)[0] ?? '') : [from]
    for (const name of named) {
      const bare = name.replace(/^\.+/, '')
      if (/^[A-Za-z_]\w*(?:\.\w+)*$/.test(bare)) names.add(bare.replaceAll('.', '/'))
    }
  }
  return [...names]
}

/** Files beside a Python script that Python loads in place of modules of its own, whoever imports them. */
export async function shadowedModules(folder: string, reader: ProjectReader): Promise<readonly string[]> {
  const names = await reader.names('.', folder)
  if (names === null) return ['the modules beside the script can’t be listed']
  return names.flatMap((name) => {
    const module = name.replace(/(?:\.py|\/)$/, '')
    return module !== name && PYTHON.modules.has(module)
      ? [`\`${reader.shown(`${folder}/${name}`)}\` replaces a module of Python`]
      : []
  })
}
