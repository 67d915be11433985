import type { CommandPart } from '../../command/model/decomposition.ts'
import { programRow } from '../../knowledge/programs.ts'
import { type TypedOption, typedOptions } from './typed-options.ts'

/** What sed's scripts do besides editing the stream. */
export interface SedActs {
  /** Runs commands: `e`, or the flag `e` of a substitution. */
  readonly runs: boolean
  readonly writes: readonly string[]
  readonly reads: readonly string[]
  /** A script that is not shown: unknown text, or a file. */
  readonly hidden: boolean
}

/** Whether sed rewrites its files. */
export function rewritesInPlace(part: CommandPart): boolean {
  return sedOptions(part).some(({ name }) => name === '-i' || name === '-I' || name === '--in-place')
}

/** Whether a script is given by an option, so that every plain word is a file. */
export function hasScriptOption(part: CommandPart): boolean {
  return sedOptions(part).some(({ name }) => SCRIPT_OPTIONS.has(name) || FILE_OPTIONS.has(name))
}

const SCRIPT_OPTIONS = new Set(['-e', '--expression'])
const FILE_OPTIONS = new Set(['-f', '--file'])

function sedOptions(part: CommandPart): readonly TypedOption[] {
  const row = programRow('sed')
  return row === undefined ? [] : typedOptions(part, row)
}

/** The scripts among sed's words. */
function scriptsOf(part: CommandPart): { texts: string[]; hidden: boolean } {
  const options = sedOptions(part)
  const scripts = options.filter(({ name }) => SCRIPT_OPTIONS.has(name)).map(({ value }) => value?.value ?? null)
  const texts = scripts.filter((text) => text !== null)
  const hidden = texts.length < scripts.length || options.some(({ name }) => FILE_OPTIONS.has(name))
  if (scripts.length > 0 || hidden) return { texts, hidden }
  const taken = new Set(options.map(({ value }) => value))
  const first = part.args.find(
    (word, at) =>
      !taken.has(word) &&
      // BSD's `-i ''` has an empty word for its backup.
      !(word.value === '' && part.args[at - 1]?.value === '-i') &&
      (word.value === null || !word.value.startsWith('-') || part.args[at - 1]?.value === '--'),
  )
  if (first === undefined) return { texts, hidden }
  return first.value === null ? { texts: [first.text], hidden: true } : { texts: [first.value], hidden: false }
}

/** Reads sed's scripts in one pass: commands that run programs, and files they write or read. */
export function sedActs(part: CommandPart): SedActs {
  const { texts, hidden } = scriptsOf(part)
  const acts = { runs: false, writes: [] as string[], reads: [] as string[] }
  for (const text of texts) readScript(text, acts)
  return { ...acts, hidden }
}

interface Found {
  runs: boolean
  readonly writes: string[]
  readonly reads: string[]
}

function readScript(text: string, found: Found): void {
  let at = 0
  while (at < text.length) {
    at = addressEnd(text, at)
    const command = text[at] ?? ''
    at++
    switch (command) {
      case 's':
      case 'y': {
        const close = delimited(text, at, 2)
        // After the flag `w`, the rest of the line is a file's name.
        const flags = /^[a-vx-zA-Z0-9]{0,40}w?/.exec(text.slice(close, close + 41))?.[0] ?? ''
        at = close + flags.length
        if (command === 's' && flags.includes('e')) found.runs = true
        if (command === 's' && flags.endsWith('w')) at = fileName(text, at, found.writes)
        break
      }
      case 'e':
        found.runs = true
        at = lineEnd(text, at)
        break
      case 'w':
      case 'W':
        at = fileName(text, at, found.writes)
        break
      case 'r':
      case 'R':
        at = fileName(text, at, found.reads)
        break
      case 'a':
      case 'i':
      case 'c':
      case '#':
      case ':':
      case 'b':
      case 't':
      case 'T':
        at = command === ':' || /[btT]/.test(command) ? labelEnd(text, at) : lineEnd(text, at)
        break
    }
  }
}

/** Steps over white space, separators and addresses to the command's letter. */
function addressEnd(text: string, start: number): number {
  let at = start
  while (at < text.length) {
    const char = text[at] ?? ''
    if (/[\s;{},0-9$!+~I]/.test(char)) at++
    else if (char === '/') at = delimited(text, at, 1)
    else if (char === '\\') at = delimited(text, at + 1, 1)
    else return at
  }
  return at
}

/** The end of one or two parts behind a delimiter. */
function delimited(text: string, start: number, parts: number): number {
  const delimiter = text[start] ?? ''
  let left = parts
  let at = start + 1
  // A class ends near where it starts: the bound keeps many that never close from taking square time.
  for (let inClass = 0; at < text.length && left > 0 && (inClass === 0 || at - inClass < 256); at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '[' && left === parts && inClass === 0) inClass = at
    else if (char === ']') inClass = 0
    else if (char === delimiter && inClass === 0) left--
  }
  // A class that never closes: read again without classes.
  if (left > 0) {
    left = parts
    for (at = start + 1; at < text.length && left > 0; at++) {
      if (text[at] === '\\') at++
      else if (text[at] === delimiter) left--
    }
  }
  return at
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}

function labelEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && !/[;\n}]/.test(text[at] ?? '')) at++
  return at
}

function fileName(text: string, at: number, into: string[]): number {
  const end = lineEnd(text, at)
  const name = text.slice(at, end).trim()
  if (name !== '' && name !== '/dev/stdout' && name !== '/dev/stderr' && name !== '/dev/stdin') into.push(name)
  return end
}
