import { fencedName, patternWords, spanWords } from '@countersign/react'
import type { ToldGrant } from '../api/service.ts'

/** What a grant covers, in words; names stand between backticks. */
export function scopeWords({ scope, from }: ToldGrant): string {
  switch (scope.kind) {
    case 'exact':
      return from === null
        ? 'one tool with exactly the same arguments'
        : `${fencedName(from.tool)} with exactly these arguments`
    case 'pattern':
      return patternWords(scope)
    case 'tool':
      return `everything ${fencedName(scope.server === null ? scope.tool : `${scope.server}/${scope.tool}`)} does`
    case 'server':
      return `every tool of server ${fencedName(scope.server)}`
  }
}

/** How much of a grant is left. */
export function leftWords({ lifetime, uses }: ToldGrant, now: number): string {
  switch (lifetime.kind) {
    case 'uses': {
      const left = Math.max(0, lifetime.uses - uses)
      return `${left} ${left === 1 ? 'use' : 'uses'} left`
    }
    case 'until':
      return `${spanWords(lifetime.at - now)} left`
    case 'session':
      return 'until its session ends'
  }
}
