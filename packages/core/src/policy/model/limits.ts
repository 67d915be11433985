import type { Limit } from './rule.ts'

const WINDOWS = { session: null, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export const LIMIT_PATTERN = /^[1-9][0-9]{0,8}\/(session|m|h|d)$/

/** `200/h` or `50/session` as a count and a window (null: the whole session); null when it is no limit. */
export function parseLimit(text: string): { readonly most: number; readonly windowMs: number | null } | null {
  if (!LIMIT_PATTERN.test(text)) return null
  const [most, window] = text.split('/')
  if (window !== 'session' && window !== 'm' && window !== 'h' && window !== 'd') return null
  return { most: Number(most), windowMs: WINDOWS[window] }
}

/** A limit as people write it: `calls 200/h`. Used in reasons and refusals. */
export function limitLabel(limit: Pick<Limit, 'name' | 'most' | 'windowMs'>): string {
  return `${limit.name} ${limit.most}/${windowName(limit.windowMs)}`
}

/** Under which name a verdict finds the uses of a limit: the same thing over two windows, or of two scopes, is two. */
export function counterName(limit: Pick<Limit, 'name' | 'windowMs' | 'layer'>): string {
  const name = `${limit.name}/${windowName(limit.windowMs)}`
  return limit.layer === 'project' && limit.windowMs !== null ? `${name}/project` : name
}

/**
 * Whose uses a limit counts. SECURITY: A31 over a socket each connection is a session, and its asker names the workspace:
 * what is bounded per time is counted over all of them. Only a project's own limits count what is done in its folder.
 */
export function counterScope(
  { windowMs, layer }: Pick<Limit, 'windowMs' | 'layer'>,
  session: string | null,
  workspace: string,
): string {
  if (windowMs === null) return session ?? ''
  return layer === 'project' ? `in ${workspace}` : 'all'
}

/**
 * The first limit that a call using `adding` more (1 unless told) would pass; null when all hold.
 * A counter is looked up by `counterName`, then by the limit's bare name.
 */
export function limitPassed(
  limits: readonly Limit[],
  counters: Readonly<Record<string, number>>,
  adding: Readonly<Partial<Record<Limit['name'], number>>> = {},
): Limit | null {
  for (const limit of limits) {
    const used = counters[counterName(limit)] ?? counters[limit.name]
    // INVARIANT: L3, a use that could not be counted counts as too many.
    if (used === undefined || !(used + (adding[limit.name] ?? 1) <= limit.most)) return limit
  }
  return null
}

function windowName(windowMs: number | null): string {
  if (windowMs === null) return 'session'
  for (const [name, ms] of Object.entries(WINDOWS)) if (ms === windowMs) return name
  return `${windowMs}ms`
}
