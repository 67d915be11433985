import type { OfferedLifetime } from '../../policy/model/grant.ts'

/** The most that a person can choose in place of an offered number of uses or minutes. */
export const MOST_OF_LIFETIME = { uses: 100, minutes: 480 } as const

const STEPS = {
  uses: [1, 2, 3, 5, 10, 15, 20, 30, 50, 100],
  minutes: [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 240, 480],
} as const

/**
 * Whether a lifetime may be given where others were offered: one of them, or another number of the same kind within bounds.
 *
 * @example
 * isLifetimeOffered({ kind: 'minutes', minutes: 45 }, [{ kind: 'minutes', minutes: 10 }]) // true
 */
export function isLifetimeOffered(given: OfferedLifetime, offered: readonly OfferedLifetime[]): boolean {
  if (!offered.some(({ kind }) => kind === given.kind)) return false
  if (Object.keys(given).length !== (given.kind === 'session' ? 1 : 2)) return false
  switch (given.kind) {
    case 'session':
      return true
    case 'uses':
      return isWithin(given.uses, MOST_OF_LIFETIME.uses)
    case 'minutes':
      return isWithin(given.minutes, MOST_OF_LIFETIME.minutes)
    default:
      return false
  }
}

function isWithin(count: number, most: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= most
}

/**
 * The next longer or shorter lifetime of the same kind; itself at the end, and for a session.
 *
 * @example
 * nextLifetime({ kind: 'minutes', minutes: 10 }, 1) // { kind: 'minutes', minutes: 15 }
 */
export function nextLifetime(given: OfferedLifetime, by: 1 | -1): OfferedLifetime {
  if (given.kind === 'session') return given
  if (given.kind === 'uses') return { kind: 'uses', uses: step(STEPS.uses, given.uses, by) }
  return { kind: 'minutes', minutes: step(STEPS.minutes, given.minutes, by) }
}

function step(steps: readonly number[], now: number, by: 1 | -1): number {
  const next = by === 1 ? steps.find((one) => one > now) : steps.findLast((one) => one < now)
  return next ?? now
}

/** The bounds in words: `1 to 480 minutes`. */
export function lifetimeBounds(kind: 'uses' | 'minutes'): string {
  return kind === 'uses' ? `1 to ${MOST_OF_LIFETIME.uses} uses` : `1 to ${MOST_OF_LIFETIME.minutes} minutes`
}
