import { lineAt } from './offence.ts'

/** One import or re-export of a module. */
export interface Import {
  readonly specifier: string
  /** Erased before the program runs. */
  readonly typeOnly: boolean
  /** A dynamic import. */
  readonly lazy: boolean
  readonly line: number
}

const STATEMENT = /^[ \t]*(?:import|export)\s+(type\s+)?((?:[\w*$]|\{[^}]*\}|[\s,])*?)\s*\bfrom\s*(['"])([^'"\n]+)\3/gm
const BARE = /^[ \t]*import\s*(['"])([^'"\n]+)\1/gm
const DYNAMIC = /\bimport\(\s*(['"`])([^'"`\n]+)\1/g

/** Every import of a TypeScript source. Text inside block comments does not count. */
export function importsOf(source: string): Import[] {
  const text = source.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
  const found: Import[] = []
  for (const match of text.matchAll(STATEMENT)) {
    const [, type, names = '', , specifier = ''] = match
    const typeOnly = type !== undefined || isAllTypes(names)
    found.push({ specifier, typeOnly, lazy: false, line: lineOf(text, match) })
  }
  for (const match of text.matchAll(BARE))
    found.push({ specifier: match[2] ?? '', typeOnly: false, lazy: false, line: lineOf(text, match) })
  for (const match of text.matchAll(DYNAMIC))
    found.push({ specifier: match[2] ?? '', typeOnly: false, lazy: true, line: lineOf(text, match) })
  return found
}

function isAllTypes(names: string): boolean {
  const inside = /^\s*\{([^}]*)\}\s*$/
    .exec(names)?.[1]
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return inside !== undefined && inside.length > 0 && inside.every((name) => name.startsWith('type '))
}

function lineOf(text: string, match: RegExpMatchArray): number {
  return lineAt(text, (match.index ?? 0) + (match[0].length - match[0].trimStart().length))
}
