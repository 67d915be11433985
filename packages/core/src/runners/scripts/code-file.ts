import { type CodeEffect, codeEffects, FILE_CODE } from '../../command/code/find-effects.ts'
import { variablesRead } from '../../command/code/read-variables.ts'
import { VARIABLES } from '../../knowledge/compiled/commands.ts'
import type { Language } from '../../knowledge/shell.ts'
import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'
import { Finds, type Found, lineAt, placeIn, quoted } from '../reading/runner.ts'
import { importedFiles } from './local-modules.ts'
import { shadowedModules } from './python-modules.ts'
import { type StartCode, type Whole, type WholeCode, wholeJavaScript, wholePython } from './whole-code.ts'

/** Where code runs. */
interface CodePlace {
  /** As `CommandPart.cwd`. */
  readonly cwd: string | null
  readonly reader: ProjectReader
}

/**
 * A script in another language than the shell, with the modules of the project that it loads. JavaScript and Python are seen
 * through if they are understood whole; otherwise, and in other languages, the acts in them are rated and the rest is opaque.
 */
export async function seeCode(file: ProjectFile, language: Language, place: CodePlace): Promise<Found> {
  const start = [{ text: file.text, file }]
  const folder = file.real.slice(0, file.real.lastIndexOf('/'))
  if (language === 'node') return wholeOr(await wholeJavaScript(start, folder, place.reader), start, language, place)
  if (language === 'python') return wholeOr(await wholePython(start, [folder], place.reader), start, language, place)
  const finds = await looseCode(file, language, place)
  if (language !== 'awk') finds.opaque.push(`\`${file.shown}\` is not written in JavaScript or Python`)
  else if (!isPlainAwk(file.text)) finds.opaque.push(`\`${file.shown}\` may read or write other files`)
  return finds
}

/** Configuration of a tool, by the acts in it. The code that the tool works on is not followed either. */
export async function looseCode(file: ProjectFile, language: Language, place: CodePlace): Promise<Finds> {
  const finds = new Finds()
  const known = new Set([file.real])
  const waiting = [file]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    finds.add(actsIn(next, language, place.cwd))
    const imported = await importedFiles(next, language, place.reader)
    finds.opaque.push(...imported.opaque)
    for (const one of imported.files) {
      if (known.has(one.real)) continue
      known.add(one.real)
      waiting.push(one)
    }
  }
  const folder = file.real.slice(0, file.real.lastIndexOf('/'))
  if (language === 'python') finds.opaque.push(...(await shadowedModules(folder, place.reader)))
  return finds
}

/** What code that is understood whole does, or what shows in code that is not. */
export async function wholeOr(
  whole: Whole,
  starts: readonly StartCode[],
  language: Language,
  place: CodePlace,
): Promise<Found> {
  if (whole.kind === 'whole') return wholeFinds(whole, place.cwd, starts)
  const finds = new Finds()
  for (const { file } of starts) if (file !== null) finds.add(await looseCode(file, language, place))
  if (finds.opaque.length === 0) finds.opaque.push(whole.why)
  return finds
}

/** The acts of code that is understood whole, as commands. `name` stands for code in the command. */
export function wholeFinds(whole: WholeCode, cwd: string | null, starts: readonly StartCode[], name = 'code'): Found {
  const finds = new Finds()
  const seen = new Set<string>()
  for (const { file, effect } of whole.acts) {
    const act = wholeAct(effect)
    if (act === null || seen.has(act.key)) continue
    seen.add(act.key)
    const text = file?.text ?? starts.find((one) => one.file === null)?.text ?? ''
    const line = lineOf(text, act.literal)
    if (act.code === null) finds.opaque.push(act.key)
    else {
      const origin = file === null ? { file: name, line } : placeIn(file, line)
      finds.runs.push({ code: act.code, origin, cwd, text: sourceLine(text, line) })
    }
  }
  const { runs, opaque } = finds
  return {
    runs,
    opaque,
    ...(whole.alone ? { alone: true as const } : {}),
    ...(whole.cached ? { cached: true as const } : {}),
    exact: true,
  }
}

/** Writing is shown by commands with known effects: a file that is appended to, a folder that is created. */
function wholeAct(effect: CodeEffect): Act | null {
  const [first = null] = effect.paths
  if (effect.kind !== 'write' || first === null) return commandOf(effect)
  return effect.folder === true ? words(['mkdir', '-p', '--', first], first) : words(['tee', '-a', '--', first], first)
}

/**
 * Awk that only prints, whatever its signs mean. INVARIANT: Awk has no names that are computed, but for `@name()` and
 * `SYMTAB` of gawk.
 */
export function isPlainAwk(text: string): boolean {
  return !/system|getline|close|fflush|ENVIRON|ARGV|ARGC|SYMTAB|FUNCTAB|PROCINFO|inet|[@|>\\]/.test(text)
}

/** The acts of one file as commands, each with its line. */
function actsIn(file: ProjectFile, language: Language, cwd: string | null): Found {
  const effects = codeEffects(file.text, language, FILE_CODE)
  const finds = new Finds()
  // Any variable can hold a secret, except for those with a known purpose.
  const variable = variablesRead(file.text, language).find((name) => name === null || !isPlainVariable(name))
  if (variable !== undefined) finds.opaque.push(`\`${file.shown}\` reads environment variables`)
  const seen = new Set<string>()
  for (const effect of effects) {
    const act = commandOf(effect)
    if (act === null || seen.has(act.key)) continue
    seen.add(act.key)
    if (act.code === null) finds.opaque.push(`\`${file.shown}\` ${act.key}`)
    else {
      const line = lineOf(file.text, act.literal)
      finds.runs.push({ code: act.code, origin: placeIn(file, line), cwd, text: sourceLine(file.text, line) })
    }
  }
  return finds
}

function isPlainVariable(name: string): boolean {
  return VARIABLES.harmless.has(name) || VARIABLES.public.has(name)
}

/** An act as the command that does the same, and the literal that it is found by; without a code it is only described. */
interface Act {
  readonly key: string
  readonly code: string | readonly string[] | null
  readonly literal: string
}

function commandOf(effect: CodeEffect): Act | null {
  const { kind, run, paths } = effect
  const [first = null, second = null] = paths
  switch (kind) {
    case 'run':
      return runAct(run)
    case 'delete':
      return first === null ? unknown('deletes files with computed names') : words(['rm', '--', first], first)
    case 'delete-all':
      return first === null ? unknown('deletes folders with computed names') : words(['rm', '-r', '--', first], first)
    case 'write':
      return first === null
        ? unknown('writes files with computed names')
        : { key: `>> ${first}`, code: `>> ${quoted(first)}`, literal: first }
    case 'move':
    case 'copy':
      return first === null || second === null
        ? unknown('copies or moves files with computed names')
        : words([kind === 'move' ? 'mv' : 'cp', '--', first, second], first)
    case 'read':
    case 'open':
      return first === null ? unknown('reads files with computed names') : words(['cat', '--', first], first)
    case 'fetch':
    case 'send':
    case 'connect':
      return unknown('contacts a server')
    case 'eval':
      return unknown('runs text as code, or loads code with a computed name')
    case 'reach':
      return unknown('gets hold of a function that can do harm')
    case 'environment':
      return unknown('reads all variables')
    case 'query':
      return effect.sql !== undefined && /^\s*(?:select|pragma table_info)\b/i.test(effect.sql)
        ? null
        : unknown('changes a database')
  }
}

function runAct(run: CodeEffect['run']): Act {
  if (run === null) return unknown('starts a program with a computed name')
  if (run.kind === 'shell')
    return run.known ? { key: run.text, code: run.text, literal: run.text } : unknown('starts a computed command')
  const known = run.words.filter((word) => word !== null)
  return known.length === run.words.length && known.length > 0
    ? words(known, known[0] ?? '')
    : unknown('starts a program with computed words')
}

function words(code: readonly string[], literal: string): Act {
  return { key: code.join('\0'), code, literal }
}

function unknown(key: string): Act {
  return { key, code: null, literal: '' }
}

function lineOf(text: string, literal: string): number {
  const at = literal === '' ? -1 : text.indexOf(literal)
  return at === -1 ? 1 : lineAt(text, at)
}

function sourceLine(text: string, line: number): string {
  return (text.split('\n', line)[line - 1] ?? '').trim().slice(0, 200)
}
