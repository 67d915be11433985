import type { OfferedLifetime } from '../../policy/model/grant.ts'

/**
 * A lifetime in words, as every surface says it before it is given.
 *
 * @example
 * lifetimeWords({ kind: 'minutes', minutes: 10 }) // 'for 10 minutes'
 */
export function lifetimeWords(lifetime: OfferedLifetime): string {
  switch (lifetime.kind) {
    case 'uses':
      return lifetime.uses === 1 ? 'once' : `${lifetime.uses} times`
    case 'minutes':
      return `for ${lifetime.minutes} minutes`
    case 'session':
      return 'until this session ends'
  }
}
