import { moduleOf } from '../../command/code/python-module.ts'
import type { CommandWord } from '../../command/model/decomposition.ts'
import { PYTHON } from '../../knowledge/compiled/runners.ts'
import { type Found, type RunnerInput, unclear } from '../reading/runner.ts'
import { wholeFinds, wholeOr } from './code-file.ts'
import { docTests } from './doc-tests.ts'
import { pythonModule } from './python-modules.ts'
import { unitTests } from './unit-tests.ts'
import { type StartCode, wholePython } from './whole-code.ts'

/** Options that load no code. Those that keep Python from loading modules of the folder are not among them. */
const HARMLESS = /^-(?:[uBsSbOqvE]+|W\w*|X\w+)$/

/** What a command line of Python runs. */
type Use =
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'script'; readonly path: string; readonly rest: readonly CommandWord[] }
  | { readonly kind: 'module'; readonly name: string; readonly rest: readonly CommandWord[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unclear'; readonly why: string }

/** `python3 x.py`, `python3 -c …`, `python3 -m unittest`. Null for a session, or a module that is a program. */
export async function seePython(input: RunnerInput): Promise<Found | null> {
  const { part, folder, reader } = input
  const use = readLine(part.args, part.stdin)
  if (use.kind === 'nothing') return null
  if (use.kind === 'unclear') return unclear(use.why)
  const added = await pathFolders(input)
  if (added === null) return use.kind === 'code' ? null : unclear('`PYTHONPATH` leads out of the workspace')
  const variables = part.assignments.some(({ name }) => name === 'PYTHONPATH') ? { variables: ['PYTHONPATH'] } : {}
  const here = await reader.resolve('.', folder)
  const isIsolated = part.args.some(({ value }) => value !== null && /^-[A-Za-z]*E/.test(value))
  const checked = (found: Found): Found =>
    found.cached === true && isIsolated
      ? { ...found, opaque: [...found.opaque, 'Python may load compiled code'] }
      : found
  if (here === null) return use.kind === 'code' ? null : unclear('the folder is outside the workspace')
  const roots = [here, ...added]
  if (use.kind === 'code') {
    const start = [{ text: use.text, file: null }]
    const whole = await wholePython(start, roots, reader)
    // Code in the command is rated with the command.
    if (whole.kind === 'unclear' || whole.takesModules) return null
    return checked({ ...wholeFinds(whole, part.cwd, start, 'python'), ...variables })
  }
  if (use.kind === 'module') {
    const found = await seeModule(use.name, use.rest, roots, input)
    return found === null ? null : checked({ ...found, ...variables })
  }
  const reading = await reader.read(use.path, folder)
  if (reading.kind === 'opaque') return unclear(reading.why)
  if (reading.kind === 'absent') return unclear(`\`${use.path.slice(0, 80)}\` does not exist`)
  if (/\.(?:pyc|pyo|zip|pyz)$/.test(reading.real)) return unclear(`\`${reading.shown}\` is compiled`)
  const start = [{ text: reading.text, file: reading }]
  const whole = await wholePython(start, [reading.real.slice(0, reading.real.lastIndexOf('/')), ...added], reader)
  if (whole.kind === 'whole' && whole.takesModules && use.rest.length > 0)
    return unclear('its arguments may name modules to load')
  return checked({ ...(await wholeOr(whole, start, 'python', { cwd: part.cwd, reader })), ...variables })
}

/** The folders of `PYTHONPATH=src`; null if one is not in the workspace. */
async function pathFolders({ part, folder, reader }: RunnerInput): Promise<readonly string[] | null> {
  const given = part.assignments.find(({ name }) => name === 'PYTHONPATH')
  if (given === undefined) return []
  if (given.value === null) return null
  const folders: string[] = []
  for (const path of given.value.split(':')) {
    const real = await reader.resolve(path === '' ? '.' : path, folder)
    if (real === null || /^~/.test(path)) return null
    folders.push(real)
  }
  return folders
}

async function seeModule(
  name: string,
  rest: readonly CommandWord[],
  roots: readonly string[],
  input: RunnerInput,
): Promise<Found | null> {
  const { part, reader } = input
  const words = rest.map(({ value, glob }) => (glob ? null : value))
  const literal = words.filter((word) => word !== null)
  const place = { cwd: part.cwd, reader }
  if (name === 'json.tool') return jsonTool(literal.length < words.length ? null : literal, roots, input)
  if (name === 'unittest' || name === 'doctest') {
    if (literal.length < words.length) return unclear('the test files are not known')
    const found = await (name === 'unittest' ? unitTests : docTests)(literal, roots, input)
    if (found.kind === 'unclear') return unclear(found.why)
    const whole = await wholePython(found.starts, found.roots, reader, found.cached)
    // The code is in files, also where these are not modules.
    return wholeOr(whole.kind === 'whole' ? { ...whole, alone: false } : whole, found.starts, 'python', place)
  }
  // Modules that are programs are parts of their own, and other modules of Python are rated by their names.
  if (moduleOf(input.program, part.args)?.program != null) return null
  if (PYTHON.modules.has(name.split('.')[0] ?? '') || !/^[A-Za-z]\w*(?:\.\w+)*$/.test(name)) return null
  const found = await pythonModule({ module: name, names: ['__main__'] }, null, roots, reader, rest.length === 0)
  if (found.kind === 'opaque') return unclear(found.why)
  const starts: StartCode[] = found.files.map((file) => ({ text: file.text, file }))
  const whole = await wholePython(starts, roots, reader, found.cached)
  if (whole.kind === 'whole' && whole.takesModules && rest.length > 0)
    return unclear('its arguments may name modules to load')
  return wholeOr(whole, starts, 'python', place)
}

/** `python3 -m json.tool in.json out.json` reads the first file and writes the second. */
async function jsonTool(
  words: readonly string[] | null,
  roots: readonly string[],
  { part, reader }: RunnerInput,
): Promise<Found | null> {
  const flags = /^--(?:sort-keys|no-ensure-ascii|json-lines|indent=\d+|tab|no-indent|compact)$/
  const files =
    words?.filter(
      (word, at) => !flags.test(word) && word !== '--indent' && !(words[at - 1] === '--indent' && /^\d+$/.test(word)),
    ) ?? null
  if (files === null || files.length > 2 || files.some((word) => word.startsWith('-'))) return null
  const shadow = await wholePython([], roots, reader)
  if (shadow.kind === 'unclear') return unclear(shadow.why)
  const [from, to] = files
  const line = { origin: { file: 'json.tool', line: 1 }, cwd: part.cwd }
  return {
    runs: [
      ...(from === undefined ? [] : [{ code: ['cat', '--', from], ...line }]),
      ...(to === undefined ? [] : [{ code: ['tee', '-a', '--', to], ...line }]),
    ],
    opaque: [],
    alone: true,
  }
}

function readLine(args: readonly CommandWord[], stdin: RunnerInput['part']['stdin']): Use {
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (value === null || args[at]?.glob === true) return { kind: 'unclear', why: 'the script is not known' }
    if (value === '-') break
    if (!value.startsWith('-')) return { kind: 'script', path: value, rest: args.slice(at + 1) }
    const [, letter, joined = ''] = /^-[uBsSbOqvE]*([cm])([\s\S]*)$/.exec(value) ?? []
    if (letter !== undefined) {
      const given = joined === '' ? (args[at + 1]?.value ?? null) : joined
      const rest = args.slice(joined === '' ? at + 2 : at + 1)
      if (given === null) return { kind: 'unclear', why: 'the code is not known' }
      return letter === 'c' ? { kind: 'code', text: given } : { kind: 'module', name: given, rest }
    }
    if (/^(?:-V+|--version|-h|--help(?:-\w+)?|-\?)$/.test(value)) return { kind: 'nothing' }
    if (value === '-W' || value === '-X') {
      if (!/^\w+$/.test(args[++at]?.value ?? '')) return { kind: 'unclear', why: `\`${value}\` may load other code` }
    } else if (!HARMLESS.test(value)) return { kind: 'unclear', why: `\`${value.slice(0, 40)}\` may load other code` }
  }
  return stdin.kind === 'literal' ? { kind: 'code', text: stdin.text } : { kind: 'nothing' }
}
