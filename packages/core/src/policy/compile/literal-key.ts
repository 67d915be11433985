import type { Conditions, PathTest, ValueTest } from '../model/rule.ts'

/** A literal that every matching call contains. The index finds rules by it. */
export type LiteralKey =
  | { readonly kind: 'argument'; readonly name: string; readonly values: readonly Scalar[] }
  | { readonly kind: 'prefix'; readonly name: string; readonly prefix: string }
  | { readonly kind: 'program'; readonly names: readonly string[] }
  | { readonly kind: 'path'; readonly prefixes: readonly string[] }

export type Scalar = string | number | boolean

/** The most selective literal of the conditions, or null. */
export function literalKey(when: Conditions): LiteralKey | null {
  return argumentKey(when) ?? programKey(when) ?? pathKey(when.path)
}

function argumentKey(when: Conditions): LiteralKey | null {
  if (!when.args) return null
  let best: LiteralKey | null = null
  let longest = 0
  for (const name of Object.keys(when.args)) {
    const test = when.args[name]
    if (test === undefined || name.includes('.')) continue
    const values = valuesOf(test)
    if (values) return { kind: 'argument', name, values }
    const prefix = prefixOf(test)
    if (prefix.length > longest) {
      longest = prefix.length
      best = { kind: 'prefix', name, prefix }
    }
  }
  return best
}

function valuesOf(test: ValueTest): readonly Scalar[] | null {
  const values = test.in ?? (test.equals === undefined ? null : [test.equals])
  if (values === null) return null
  return values.every((value) => isScalar(value)) ? (values as readonly Scalar[]) : null
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function prefixOf(test: ValueTest): string {
  if (test.glob !== undefined) return test.glob.split('*', 1)[0] ?? ''
  return test.regex === undefined ? '' : regexPrefix(test.regex)
}

/** The literal prefix of every match of an anchored expression; empty if unknown. */
export function regexPrefix(pattern: string): string {
  if (!pattern.startsWith('^') || pattern.includes('|')) return ''
  const chars = Array.from(pattern.slice(1))
  let prefix = ''
  for (let at = 0; at < chars.length; at += 1) {
    let char = chars[at] ?? ''
    if (char === '\\') {
      at += 1
      char = chars[at] ?? ''
      if (!/^[^A-Za-z0-9]$/.test(char)) break
    } else if (/^[$^.?*+()[\]{}]$/.test(char)) break
    const next = chars[at + 1]
    if (next === '*' || next === '?' || next === '{') break
    prefix += char
    if (next === '+') break
  }
  return prefix
}

function programKey(when: Conditions): LiteralKey | null {
  const names = when.command?.program
  return names && !names.some((name) => name.includes('*')) ? { kind: 'program', names } : null
}

/** Absolute globs only: folders may be links, and other globs depend on the workspace. */
function pathKey(path: PathTest | undefined): LiteralKey | null {
  if (!path?.glob?.every((glob) => glob.startsWith('/'))) return null
  return {
    kind: 'path',
    prefixes: path.glob.map((glob) => /^[^*?[{]*/.exec(glob.normalize('NFC'))?.[0].replace(/\/$/, '') ?? ''),
  }
}
