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

/** Reads sed's scripts: commands that run programs, and files they write or read. */
export function sedActs(part: CommandPart): SedActs {
  const { texts, hidden } = scriptsOf(part)
  const acts: Found = { runs: false, writes: new Set(), reads: new Set() }
  let isClear = true
  for (const text of texts) {
    isClear = readScript(text, USUAL, acts) && isClear
    // SECURITY: A28 seds read some classes differently: what any of them would do counts.
    for (const reading of otherReadings(text)) readScript(text, reading, acts)
  }
  return { runs: acts.runs, writes: [...acts.writes], reads: [...acts.reads], hidden: hidden || !isClear }
}

/** How a sed finds the end of a class such as `[^]/]`. */
interface ClassReading {
  /** Whether `\]` is a member, so that the class goes on. */
  readonly hasEscapes: boolean
  /** Whether `[:alpha:]` is a member. */
  readonly hasNames: boolean
}

const USUAL: ClassReading = { hasEscapes: false, hasNames: true }

function otherReadings(text: string): readonly ClassReading[] {
  return [
    ...(/\[/.test(text) && /\\/.test(text) ? [{ hasEscapes: true, hasNames: true }] : []),
    ...(/\[[:.=]/.test(text) ? [{ hasEscapes: false, hasNames: false }] : []),
  ]
}

interface Found {
  runs: boolean
  readonly writes: Set<string>
  readonly reads: Set<string>
}

/** Whether every part of the script ends. Where one does not, sed refuses the whole script. */
function readScript(text: string, reading: ClassReading, found: Found): boolean {
  let at = 0
  while (at < text.length) {
    const next = addressEnd(text, at, reading)
    if (next === null) return false
    at = next
    const command = text[at] ?? ''
    at++
    switch (command) {
      case 's':
      case 'y': {
        const middle = command === 's' ? regexEnd(text, at, reading) : textEnd(text, at, text[at] ?? '')
        const close = middle === null ? null : textEnd(text, middle - 1, text[at] ?? '')
        if (close === null) return false
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
  return true
}

/** Steps over white space, separators and addresses to the command's letter. Null: an address does not end. */
function addressEnd(text: string, start: number, reading: ClassReading): number | null {
  let at: number | null = start
  while (at !== null && at < text.length) {
    const char = text[at] ?? ''
    if (/[\s;{},0-9$!+~I]/.test(char)) at++
    else if (char === '/') at = regexEnd(text, at, reading)
    else if (char === '\\') at = regexEnd(text, at + 1, reading)
    else return at
  }
  return at
}

/** The place behind the delimiter that ends a pattern, given the place of the one that starts it. Inside `[…]` none counts. */
function regexEnd(text: string, start: number, reading: ClassReading): number | null {
  const delimiter = text[start] ?? ''
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === delimiter) return at + 1
    else if (char === '[') {
      const close = classEnd(text, at, reading)
      if (close === null) return null
      at = close
    }
  }
  return null
}

/** The bracket that ends the class at a position. `]` is one of its members at the start and in `[:name:]`. */
function classEnd(text: string, open: number, reading: ClassReading): number | null {
  let at = open + (text[open + 1] === '^' ? 2 : 1)
  if (text[at] === ']') at++
  for (; at < text.length; at++) {
    const char = text[at]
    if (char === ']') return at
    if (char === '\\' && reading.hasEscapes) at++
    const kind = text[at + 1] ?? ''
    if (char === '[' && reading.hasNames && /[:.=]/.test(kind)) {
      const name = /^(?:[\w-]{0,40}[:.=]|.[.=])\]/s.exec(text.slice(at + 2, at + 44))?.[0]
      if (name?.at(-2) === kind) at += 1 + name.length
    }
  }
  return null
}

/** The same for text that is no pattern: only a backslash matters. */
function textEnd(text: string, start: number, delimiter: string): number | null {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === delimiter) return at + 1
  }
  return null
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

function fileName(text: string, at: number, into: Set<string>): number {
  const end = lineEnd(text, at)
  const name = text.slice(at, end).trim()
  if (name !== '' && name !== '/dev/stdout' && name !== '/dev/stderr' && name !== '/dev/stdin') into.add(name)
  return end
}
