import type { ParsedScript, Redirection } from 'unbash'
import type { Scope } from './scope.ts'

/** A substitution with unknown text but a known kind of path: the current folder, or a new temporary path. */
export type SubstitutedPlace = { readonly kind: 'here' } | { readonly kind: 'temporary'; readonly path: string }

const HERE: SubstitutedPlace = { kind: 'here' }
const VALUED = new Set(['-p', '--suffix'])
const PLAIN_NAME = /^[\w./~+-]{1,200}$/

/** Recognizes `$(pwd)`, `$(git rev-parse --show-toplevel)` and `$(mktemp …)`. */
export function substitutedPlace(script: ParsedScript | undefined, scope: Scope): SubstitutedPlace | null {
  const statement = script?.commands[0]
  if (script === undefined || statement === undefined || script.commands.length !== 1 || statement.background)
    return null
  const { command } = statement
  if (command.type !== 'Command' || command.name === undefined || command.prefix.length > 0) return null
  if (command.redirects.some(({ descriptor }) => !isErrors(descriptor))) return null
  const words: string[] = []
  for (const word of command.args) {
    if (word.type !== 'Word' || word.parts !== undefined) return null
    words.push(word.value)
  }
  switch (command.name.value) {
    case 'pwd':
      return words.every((word) => word === '-P' || word === '-L') ? HERE : null
    case 'git':
      return words.join(' ') === 'rev-parse --show-toplevel' ? HERE : null
    case 'mktemp':
      return scope.isUntouched('TMPDIR') ? madeBy(words) : null
    default:
      return null
  }
}

/** Standard error may go anywhere: it is not part of the output. */
function isErrors(descriptor: Redirection['descriptor']): boolean {
  return descriptor?.type === 'FileDescriptor' && descriptor.value === 2
}

/** Where `mktemp` creates its file: in the temporary folder, unless an option or a path names another. */
function madeBy(words: readonly string[]): SubstitutedPlace | null {
  let folder: string | null = null
  let template: string | null = null
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '-t' || word === '--tmpdir') folder ??= '/tmp'
    else if (word === '-p') folder = words[at + 1] ?? null
    else if (word.startsWith('--tmpdir=')) folder = word.slice('--tmpdir='.length)
    else if (!word.startsWith('-')) template = word
    if (VALUED.has(word)) at++
  }
  const name = template ?? 'tmp.XXXXXXXXXX'
  const path = template !== null && folder === null ? name : `${folder ?? '/tmp'}/${name}`
  return PLAIN_NAME.test(path) ? { kind: 'temporary', path } : null
}
