import type { CallEffect, Language } from '../../knowledge/shell.ts'
import { type Aliases, calledName } from './import-aliases.ts'
import type { CodeToken } from './tokenizer.ts'

const isSign = (token: CodeToken | undefined, text: string) => token?.kind === 'sign' && token.text === text

/** Effects whose functions are dangerous in any hands. */
const POWERS: ReadonlySet<CallEffect> = new Set(['run', 'delete', 'delete-all', 'move'])
/** Objects with dangerous members, by language: a computed member may be any of them. */
const OWNERS: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  node: new Set(['fs', 'promises', 'child_process', 'cp', 'Deno', 'Bun', 'process', 'vm', 'worker_threads']),
  lua: new Set(['os', 'io', '_G', '_ENV', 'package', 'debug']),
  php: new Set(['GLOBALS']),
}

/**
 * Whether code gets hold of a dangerous function without calling it by name, so that its later calls can't be followed:
 * `f = shutil.rmtree`, `fs[name](…)`, Perl's `&$f`, PHP's `$f(…)`.
 */
export function isLooseReference(
  tokens: readonly CodeToken[],
  at: number,
  language: Language,
  aliases: Aliases,
  table: ReadonlyMap<string, CallEffect>,
): boolean {
  const token = tokens[at]
  if (token === undefined) return false
  if (token.kind === 'sign') return isComputedCall(tokens, at, language, aliases)
  if (token.kind === 'variable')
    // The sigil of `&$f` and of `$f->(…)` is not a token of its own.
    return isSign(tokens[at + 1], '(') && (language === 'php' || (language === 'perl' && isSign(tokens[at - 1], '&')))
  if (token.kind !== 'name' || isCalled(tokens[at + 1]) || isImported(tokens, at)) return false
  if (language === 'perl') return isSign(tokens[at + 1], '{') && table.get(token.text) === 'run'
  if (language === 'other' || language === 'osascript' || language === 'awk' || language === 'r') return false
  const name = calledName(tokens, at, aliases)
  if (!name.includes('.')) return false
  const effect = table.get(name) ?? (isSign(tokens[at - 1], '.') ? table.get(`*${token.text}`) : undefined)
  return effect !== undefined && POWERS.has(effect)
}

function isCalled(next: CodeToken | undefined): boolean {
  return isSign(next, '(')
}

/** `from os import system`: its calls are resolved. */
function isImported(tokens: readonly CodeToken[], at: number): boolean {
  for (let before = at - 1; before >= 0 && before > at - 40; before--) {
    const token = tokens[before]
    if (token === undefined || token.kind === 'end' || isSign(token, ';')) return false
    if (token.kind === 'name' && (token.text === 'import' || token.text === 'from')) return true
  }
  return isDestructured(tokens, at)
}

/** `{ rmSync: gone } = require('fs')`. */
function isDestructured(tokens: readonly CodeToken[], at: number): boolean {
  for (let next = at + 1; next < tokens.length && next < at + 40; next++) {
    const token = tokens[next]
    if (isSign(token, '}')) return isSign(tokens[next + 1], '=')
    if (token?.kind === 'end' || isSign(token, ';') || isSign(token, '(')) return false
  }
  return false
}

/** `fs[name]`, `os["exe".."cute"]`, PHP's `("sys"."tem")(…)`, Perl's `&{"system"}(…)`. */
function isComputedCall(tokens: readonly CodeToken[], at: number, language: Language, aliases: Aliases): boolean {
  const before = tokens[at - 1]
  if (isSign(tokens[at], '[')) {
    const owner = before?.kind === 'name' || before?.kind === 'variable' ? before.text : ''
    if (OWNERS[language]?.has(aliases.get(owner) ?? owner) !== true) return false
    return !(isPlainKey(tokens[at + 1]) && isSign(tokens[at + 2], ']'))
  }
  if (language === 'php') return isSign(tokens[at], '(') && isSign(before, ')')
  return language === 'perl' && isSign(tokens[at], '{') && isSign(before, '&') && !isSign(tokens[at - 2], '&')
}

function isPlainKey(token: CodeToken | undefined): boolean {
  return token?.kind === 'string' && !token.dynamic
}
