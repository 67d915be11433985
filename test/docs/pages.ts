import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** One fenced block of a page. */
export interface Block {
  readonly page: string
  readonly line: number
  /** The first word after the fence: `ts`, `yaml`, `sh`, `console`, … */
  readonly language: string
  /** The rest of that line: the path, for a block that is a file. */
  readonly path: string
  readonly text: string
}

/** All pages that people read, relative to the root of the repository. */
export const PAGES: readonly string[] = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
].sort()

/** The text of a page. */
export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): readonly Block[] {
  const text = pageText(page)
  return [...text.matchAll(/^```([^\s`]*)[^\S\n]*([^\n]*)\n(.*?)^```$/gms)].map((found) => {
    const [, language = '', path = '', inner = ''] = found
    return { page, line: text.slice(0, found.index).split('\n').length, language, path, text: inner }
  })
}

/** All blocks of one language, on any page. */
export function blocksIn(language: string): readonly Block[] {
  return PAGES.flatMap(blocksOf).filter((block) => block.language === language)
}
