import type { ShellWord } from '../expansion/words.ts'
import { readShell, SHELLS } from '../nested/shells.ts'
import type { WrittenFiles } from './written-files.ts'

/** A script that the source wrote before it runs it. */
export interface WrittenScript {
  readonly text: string
  /** False for code of another language. */
  readonly isShell: boolean
}

const OTHER = /^(?:python|pypy|node|nodejs|ruby|perl|php|lua|deno|bun|tsx|rscript)[\d.]*$/
const OTHER_LINE = /^#![^\n]*(?:python|node|ruby|perl|php|lua|deno|bun)/

/** The script a command runs, when the same source wrote its text; undefined otherwise. */
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
