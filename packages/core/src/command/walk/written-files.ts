import { printedText } from '../expansion/known-output.ts'
import type { Input } from '../expansion/standard-input.ts'
import type { ShellWord } from '../expansion/words.ts'
import type { WrittenText } from '../model/decomposition.ts'
import { readShell, SHELLS } from '../nested/shells.ts'
import type { PlacedCommand } from './frame.ts'

/** A path in its folder; null when the folder is unknown. */
function keyOf(path: string, cwd: string | null): string | null {
  const anchored = path.startsWith('/') || path.startsWith('~')
  if (!anchored && cwd === null) return null
  const names: string[] = []
  for (const name of (anchored ? path : `${cwd}/${path}`).split('/')) {
    if (name === '..' && names.length > 0) names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `${anchored && path.startsWith('/') ? '/' : ''}${names.join('/')}`
}

/** The files that the source has written so far; null for unknown content. */
export class WrittenFiles {
  #texts: Map<string, string | null> | null = null

  get isEmpty(): boolean {
    return this.#texts === null
  }

  /** Every file whose text is known, by its path from the folder of the call. */
  get known(): readonly WrittenText[] {
    return this.#texts === null
      ? []
      : [...this.#texts].flatMap(([path, text]) => (text === null ? [] : [{ path, text }]))
  }

  /** The text of a file that the source wrote; undefined when it did not, or when it is unknown. */
  read(path: string, cwd: string | null): string | undefined {
    if (this.#texts === null) return undefined
    const key = keyOf(path, cwd)
    return key === null ? undefined : (this.#texts.get(key) ?? undefined)
  }

  /** Remembers what a command writes into files. */
  remember(program: string, command: PlacedCommand, input: Input, cwd: string | null): void {
    const { redirections, words } = command
    for (const { operator, target, glob } of redirections) {
      if (target === null || glob === true || target.startsWith('/dev/') || !operator.includes('>')) continue
      if (operator === '>' || operator === '>|') this.#put(target, cwd, printedText(words, input))
      else this.#append(target, cwd, operator === '>>' ? printedText(words, input) : null)
    }
    if (program === 'tee') this.#tee(words, input, cwd)
    else if ((program === 'cp' || program === 'mv') && this.#texts !== null) this.#copy(words, cwd)
  }

  #put(path: string, cwd: string | null, text: string | null): void {
    const key = keyOf(path, cwd)
    if (key === null || (text === null && this.#texts === null)) return
    this.#texts ??= new Map()
    this.#texts.set(key, text)
  }

  #append(path: string, cwd: string | null, text: string | null): void {
    const before = this.read(path, cwd)
    // The content before is unknown, but the appended text still runs.
    this.#put(path, cwd, text === null ? null : `${before ?? ''}${text}`)
  }

  #tee(words: readonly ShellWord[], input: Input, cwd: string | null): void {
    const text = input.kind === 'text' && input.known ? `${input.text}\n` : null
    const appends = words.some(({ value }) => value === '-a' || value === '--append')
    for (const { value } of words.slice(1)) {
      if (value === null || value.startsWith('-')) continue
      if (appends) this.#append(value, cwd, text)
      else this.#put(value, cwd, text)
    }
  }

  #copy(words: readonly ShellWord[], cwd: string | null): void {
    const plain = words.slice(1).filter(({ value }) => value?.startsWith('-') !== true)
    const [from, to] = plain
    if (plain.length !== 2 || from?.value == null || to?.value == null) return
    const text = this.read(from.value, cwd)
    this.#put(to.value, cwd, text ?? null)
  }
}

/** A script that the source writes and then runs. */
export interface WrittenScript {
  readonly text: string
  /** False for code in another language. */
  readonly isShell: boolean
}

const OTHER = /^(?:python|pypy|node|nodejs|ruby|perl|php|lua|deno|bun|tsx|rscript)[\d.]*$/
const OTHER_LINE = /^#![^\n]*(?:python|node|ruby|perl|php|lua|deno|bun)/

/** The script of a command, when the same source wrote its text. */
export function scriptOf(
  files: WrittenFiles,
  name: string,
  path: string,
  words: readonly ShellWord[],
  cwd: string | null,
): WrittenScript | undefined {
  if (files.isEmpty) return undefined
  const file = fileOf(name, path, words)
  const text = file === undefined ? undefined : files.read(file, cwd)
  return text === undefined ? undefined : { text, isShell: !OTHER.test(name) && !OTHER_LINE.test(text) }
}

function fileOf(name: string, path: string, words: readonly ShellWord[]): string | undefined {
  if (path.includes('/') && !path.startsWith('/bin/') && !path.startsWith('/usr/')) return path
  if (name === 'source' || name === '.') return words[1]?.value ?? undefined
  if (SHELLS.has(name)) {
    const use = readShell(name, words.slice(1))
    return use.kind === 'script' ? use.file : undefined
  }
  if (!OTHER.test(name)) return undefined
  return words.slice(1).find(({ value }) => value !== null && !value.startsWith('-'))?.value ?? undefined
}
