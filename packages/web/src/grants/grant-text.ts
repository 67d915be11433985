import { boundsWords, fencedName, formatDuration, networkWords, patternWords, toolPartWords } from '@countersign/react'
import type { ListedGrant } from '../api/service.ts'

/** The scope of a grant in words, with names in backticks. */
export function grantScopeText(grant: ListedGrant): string {
  return `${coveredText(grant)}${boundsWords(grant)}`
}

function coveredText({ scope, from }: ListedGrant): string {
  switch (scope.kind) {
    case 'exact':
      return from === null
        ? 'one tool with exactly the same arguments'
        : `${fencedName(from.tool)} with exactly these arguments`
    case 'pattern':
      return patternWords(scope)
    case 'tool':
      return `every call of ${fencedName(scope.server === null ? scope.tool : `${scope.server}/${scope.tool}`)}`
    case 'server':
      return `every tool of server ${fencedName(scope.server)}`
    case 'fields':
    case 'file':
    case 'folder':
      return toolPartWords(scope)
    case 'network':
      return networkWords(scope)
  }
}

/** The rest of a grant's lifetime. */
export function grantLeftText({ lifetime, uses }: ListedGrant, now: number): string {
  switch (lifetime.kind) {
    case 'uses': {
      const left = Math.max(0, lifetime.uses - uses)
      return `${left} ${left === 1 ? 'use' : 'uses'} left`
    }
    case 'until':
      return `${formatDuration(lifetime.at - now)} left`
    case 'session':
      return 'until the session ends'
  }
}
