import { isProtectedPath } from '../../knowledge/containment.ts'
import type { Places } from '../model/circumstances.ts'
import { PROTECTED } from '../schema/glob-syntax.ts'
import { compileGlobProgram } from './glob-automaton.ts'

/** A case-sensitive glob on text. Only `*` is special: any run of characters. */
export function compileTextGlob(pattern: string): (text: string) => boolean {
  const pieces = pattern.split('*')
  const first = pieces[0] ?? ''
  if (pieces.length === 1) return (text) => text === pattern
  const last = pieces[pieces.length - 1] ?? ''
  if (pieces.length === 2 && last === '') return (text) => text.startsWith(first)
  const middle = pieces.slice(1, -1).filter((piece) => piece !== '')
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    const end = text.length - last.length
    for (const piece of middle) {
      const found = text.indexOf(piece, at)
      if (found < 0 || found + piece.length > end) return false
      at = found + piece.length
    }
    return true
  }
}

/** A case-insensitive glob on a name (tool, server, host, agent). */
export function compileNameGlob(pattern: string): (name: string) => boolean {
  const matches = compileTextGlob(pattern.toLowerCase())
  return (name) => matches(name.toLowerCase())
}

/** Matches a real absolute path in Unicode NFC. */
export type PathMatcher = (path: string, places: Places) => boolean

/**
 * Glob on a path: `*` and `?` within a segment, `**` across, `[abc]`, `{a,b}`; leading dots are not special, and
 * `dir/**` is also `dir` itself. Relative patterns are taken from the workspace, and those that start with `**` from
 * anywhere; `~` and `${home}`, `${workspace}`, `${temp}`, `${gate}` may come first. `${protected}` is what
 * other programs run or obey by themselves. Throws on an unclosed bracket.
 */
export function compilePathGlob(pattern: string): PathMatcher {
  if (pattern === PROTECTED) return leadsToProtected
  const text = pattern.normalize('NFC')
  const placed = leadingPlace(text)
  if (placed) return compileUnder(placed.place, placed.rest)
  if (text.startsWith('/')) return compileGlobProgram(text)
  const inWorkspace = compileUnder('workspace', text)
  if (text !== '**' && !text.startsWith('**/')) return inWorkspace
  const anywhere = compileGlobProgram(text)
  return (path, places) => anywhere(path.slice(1)) || inWorkspace(path, places)
}

/** Only names below the workspace count: where the workspace itself is says nothing about its files. */
function leadsToProtected(path: string, { workspace }: Places): boolean {
  return isProtectedPath(relativeTo(workspace.normalize('NFC'), path) ?? path)
}

function compileUnder(place: keyof Places, rest: string): PathMatcher {
  const matches = compileGlobProgram(rest)
  return (path, places) => {
    const relative = relativeTo(places[place].normalize('NFC'), path)
    return relative !== null && matches(relative)
  }
}

/** The path relative to a folder: empty for the folder itself, null if outside. */
export function relativeTo(folder: string, path: string): string | null {
  if (folder === '') return null
  if (path === folder) return ''
  if (folder === '/') return path.slice(1)
  return path.startsWith(folder) && path.charCodeAt(folder.length) === 47 ? path.slice(folder.length + 1) : null
}

const PLACE = /^(?:~|\$\{(home|workspace|temp|gate)\})(?:\/|$)/

/** Splits a pattern into the place it starts with and the rest; null if it starts with none. */
export function leadingPlace(text: string): { readonly place: keyof Places; readonly rest: string } | null {
  const found = PLACE.exec(text)
  if (!found) return null
  return { place: (found[1] ?? 'home') as keyof Places, rest: text.slice(found[0].length) }
}
