import { type Covered, coveredByPaths, coveredByWords, EVERYTHING, type OwnRule } from './might-match.ts'
import { recordOf } from './read-settings.ts'

/** A permission of opencode that asks or denies: `bash: git push *: ask`. */
export interface OpencodeRule {
  readonly permission: string
  /** A wildcard pattern; `*` for everything that the permission is about. */
  readonly pattern: string
  readonly action: string
}

/** The permissions that ask or deny, in settings, in their agents and modes, or in the head of an agent's own file. */
export function readOpencode(settings: unknown): readonly OpencodeRule[] {
  const { permission, agent, mode } = recordOf(settings)
  const agents = [recordOf(agent), recordOf(mode)].flatMap((group) => Object.values(group))
  return [permission, ...agents.map((one) => recordOf(one)['permission'])].flatMap(permissionRules)
}

/** One `permission`: an action for everything, or one for each permission or pattern. */
export function permissionRules(value: unknown): readonly OpencodeRule[] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object' || Array.isArray(value)) return tightening('*', '*', value)
  return Object.entries(value).flatMap(([permission, actions]) =>
    typeof actions === 'object' && actions !== null && !Array.isArray(actions)
      ? Object.entries(actions).flatMap(([pattern, action]) => tightening(permission, pattern, action))
      : tightening(permission, '*', actions),
  )
}

function tightening(permission: string, pattern: string, action: unknown): readonly OpencodeRule[] {
  return action === 'allow' ? [] : [{ permission, pattern, action: String(action) }]
}

/** The YAML between the lines of dashes that a Markdown file starts with; null if it has none. */
export function headOf(text: string): string | null {
  return /^\uFEFF?---[^\S\n]*\r?\n([\s\S]*?)\r?\n---[^\S\n]*(?:\r?\n|$)/.exec(text)?.[1] ?? null
}

/** A path outside of the project is spelled with one of these. */
const OUTSIDE: Covered = { kind: 'words', starts: [], parts: ['/', '..', '~'] }

/** Rules for other tools than the shell matter if they name a file. */
export function opencodeRule({ permission, pattern, action }: OpencodeRule): readonly OwnRule[] {
  const text = `${permission}: ${pattern === '*' ? action : `${pattern}: ${action}`}`
  if (permission === 'external_directory') return [{ text, covers: OUTSIDE }]
  if (/^[\w-]+$/.test(permission) && permission !== 'bash') {
    const covers = coveredByPaths([pattern])
    return covers.kind === 'everything' ? [] : [{ text, covers }]
  }
  return [{ text, covers: permission === 'bash' ? coveredByWords([pattern]) : EVERYTHING }]
}
