import type { CodeEffect } from '../../command/code/find-effects.ts'
import { understandJavaScript } from '../../command/code/whole/javascript.ts'
import { type PythonUnderstanding, understandPython } from '../../command/code/whole/python.ts'
import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'
import { nodeModule, obeyType } from './node-modules.ts'
import { pythonModule, shadowedModules } from './python-modules.ts'

/** Code with everything that it loads, understood whole. */
export interface WholeCode {
  readonly kind: 'whole'
  /** What it does, by the file that does it; null for code in the command. */
  readonly acts: readonly { readonly file: ProjectFile | null; readonly effect: CodeEffect }[]
  /** Whether it loads a file of the project. */
  readonly alone: boolean
  /** Its arguments may name modules to load. */
  readonly takesModules: boolean
  /** Python may load compiled copies of its modules. */
  readonly cached: boolean
}

export type Whole = WholeCode | { readonly kind: 'unclear'; readonly why: string }

/** Code to start with: a file, or text of the command that runs in a folder. */
export interface StartCode {
  readonly text: string
  readonly file: ProjectFile | null
}

function unclear(why: string): Whole {
  return { kind: 'unclear', why }
}

/** How a file or the command is named in a reason. */
function nameOf(file: ProjectFile | null): string {
  return file === null ? 'the code' : `\`${file.shown}\``
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** Understands JavaScript with the files that it loads. `folder` is where the command runs. */
export async function wholeJavaScript(
  starts: readonly StartCode[],
  folder: string,
  reader: ProjectReader,
): Promise<Whole> {
  const acts: { file: ProjectFile | null; effect: CodeEffect }[] = []
  const known = new Set(starts.flatMap(({ file }) => (file === null ? [] : [file.real])))
  const waiting = [...starts]
  let [tests, lists] = [false, false]
  let loaded = 0
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { file, text } = next
    if (file?.real.endsWith('.json') === true) continue
    if (file !== null) await obeyType(file, reader)
    if (file !== null && /\.(?:[mc]?ts|tsx|jsx|node)$/.test(file.real))
      return unclear(`${nameOf(file)} is not analyzed`)
    const found = understandJavaScript(text, {
      folder: file === null ? '.' : folderOf(file.real),
      inline: file === null,
    })
    if (found.kind === 'unclear') return unclear(`${nameOf(file)} ${found.why}`)
    acts.push(...found.effects.map((effect) => ({ file, effect })))
    tests ||= found.tests
    lists ||= found.lists
    // SECURITY: A28 the assertions of a test include one that shows the content of any file.
    if (tests && lists) return unclear(`${nameOf(file)} may list the members of a test`)
    for (const specifier of found.loads) {
      const module = await nodeModule(specifier, file === null ? folder : folderOf(file.real), reader)
      if (module.kind === 'opaque') return unclear(module.why)
      loaded++
      if (known.has(module.real)) continue
      known.add(module.real)
      waiting.push({ text: module.text, file: module })
    }
  }
  return {
    kind: 'whole',
    acts,
    alone: loaded === 0 && starts.every(({ file }) => file === null),
    takesModules: false,
    cached: false,
  }
}

/** Understands Python with the modules that it loads from `roots`, the folders of its path inside the project. */
export async function wholePython(
  starts: readonly StartCode[],
  roots: readonly string[],
  reader: ProjectReader,
  isCached = false,
): Promise<Whole> {
  const acts: { file: ProjectFile | null; effect: CodeEffect }[] = []
  const known = new Set(starts.flatMap(({ file }) => (file === null ? [] : [file.real])))
  const waiting = [...starts]
  const folders = [...roots]
  const exposes = new Set<string>()
  const members = new Set<string>()
  let takesModules = false
  let usesArguments = false
  let cached = isCached
  let loaded = 0
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { file, text } = next
    const found: PythonUnderstanding = understandPython(text, file?.real ?? null)
    if (found.kind === 'unclear') return unclear(`${nameOf(file)} ${found.why}`)
    acts.push(...found.effects.map((effect) => ({ file, effect })))
    for (const name of found.exposes) exposes.add(name)
    for (const name of found.members) members.add(name)
    takesModules ||= found.takesModules
    usesArguments ||= found.usesArguments
    for (const given of found.folders) {
      const real = await reader.resolve(given, file === null ? (folders[0] ?? '/') : (roots[0] ?? '/'))
      if (real === null) return unclear(`${nameOf(file)} loads modules from outside the workspace`)
      if (folders.includes(real)) continue
      // Modules that were found before could now be found in another place.
      if (loaded > 0) return unclear(`${nameOf(file)} changes where modules are loaded from`)
      folders.unshift(real)
    }
    for (const one of found.imports) {
      const modules = await pythonModule(one, file, folders, reader)
      if (modules.kind === 'opaque') return unclear(modules.why)
      cached ||= modules.cached
      for (const module of modules.files) {
        loaded++
        if (known.has(module.real)) continue
        known.add(module.real)
        waiting.push({ text: module.text, file: module })
      }
    }
  }
  for (const folder of folders) {
    const [shadow] = await shadowedModules(folder, reader)
    if (shadow !== undefined) return unclear(shadow)
  }
  if (takesModules && usesArguments) return unclear('its arguments may name modules to load')
  const leak = [...members].find((name) => exposes.has(name))
  if (leak !== undefined && loaded > 0) return unclear(`\`${leak}\` is used through another module`)
  if (members.has('*') && exposes.size > 0) return unclear('a module imports every name of another one')
  return { kind: 'whole', acts, alone: loaded === 0 && starts.every(({ file }) => file === null), takesModules, cached }
}
