import type { CommandWord } from '../../command/model/decomposition.ts'

/** What sed's scripts do besides editing the stream. */
export interface SedActs {
  /** Runs commands: `e`, or the flag `e` of a substitution. */
  readonly runs: boolean
  readonly writes: readonly string[]
  readonly reads: readonly string[]
  /** A script that is not shown: unknown text, or a file. */
  readonly hidden: boolean
}

const SCRIPT_FLAG = /^(?:-[nErsuz]*e|--expression)$/
const FILE_FLAG = /^(?:-[nErsuz]*f|--file)/

/** The scripts among sed's words. */
function scriptsOf(args: readonly CommandWord[]): { texts: string[]; hidden: boolean } {
  const texts: string[] = []
  let hidden = false
  let first: CommandWord | undefined
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    const value = word?.value ?? null
    if (word === undefined) break
    const joined = value === null ? undefined : /^(?:-[nErsuz]*e|--expression=)(.+)$/s.exec(value)?.[1]
    if (value !== null && SCRIPT_FLAG.test(value)) {
      const script = args[++at]?.value ?? null
      if (script === null) hidden = true
      else texts.push(script)
    } else if (joined !== undefined) texts.push(joined)
    else if (value !== null && FILE_FLAG.test(value)) hidden = true
    // BSD's `-i ''` has an empty word for its backup.
    else if (value === '' && args[at - 1]?.value === '-i') continue
    else if (value === null || !value.startsWith('-')) first ??= word
  }
  if (texts.length > 0 || hidden || first === undefined) return { texts, hidden }
  return first.value === null ? { texts: [first.text], hidden: true } : { texts: [first.value], hidden: false }
}

/** Reads sed's scripts in one pass: commands that run programs, and files they write or read. */
export function sedActs(args: readonly CommandWord[]): SedActs {
  const { texts, hidden } = scriptsOf(args)
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
        const flags = /^[a-zA-Z0-9]*/.exec(text.slice(close, close + 20))?.[0] ?? ''
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
