import { fencedName, formatDuration, patternWords } from '@countersign/react'
import type { ListedGrant } from '../api/service.ts'

/** What a grant covers, in words; names stand between backticks. */
export function grantScopeText({ scope, from }: ListedGrant): string {
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
export function grantLeftText({ lifetime, uses }: ListedGrant, now: number): string {
  switch (lifetime.kind) {
    case 'uses': {
      const left = Math.max(0, lifetime.uses - uses)
      return `${left} ${left === 1 ? 'use' : 'uses'} left`
    }
    case 'until':
      return `${formatDuration(lifetime.at - now)} left`
    case 'session':
      return 'until its session ends'
  }
}
