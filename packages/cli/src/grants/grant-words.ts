import {
  assertNever,
  boundsWords,
  type GivenGrant,
  networkWords,
  patternWords,
  type SafeText,
  safeText,
  toolPartWords,
} from '@countersign/core'
import { join, timeText } from '@countersign/terminal/card'
import { shortId } from '../arguments/ids.ts'

/** The full scope of a grant in words. */
export function scopeWords(grant: GivenGrant): SafeText {
  return join`${coveredWords(grant)}${safeText(boundsWords(grant))}`
}

function coveredWords({ scope }: GivenGrant): SafeText {
  switch (scope.kind) {
    case 'exact':
      return safeText(`the same arguments exactly (${scope.grantKey.slice(0, 12)})`)
    case 'pattern':
      return safeText(patternWords(scope))
    case 'tool':
      return safeText(`any call of ${scope.server === null ? '' : `${scope.server}/`}${scope.tool}`)
    case 'server':
      return safeText(`every tool of server ${scope.server}`)
    case 'fields':
    case 'file':
    case 'folder':
      return safeText(toolPartWords(scope))
    case 'network':
      return safeText(networkWords(scope))
    default:
      return assertNever(scope)
  }
}

/** The remaining lifetime of a grant. */
export function lifetimeWords({ lifetime, uses, session }: GivenGrant): SafeText {
  switch (lifetime.kind) {
    case 'uses':
      return safeText(`${Math.max(0, lifetime.uses - uses)} of ${lifetime.uses} uses left`)
    case 'until':
      return safeText(`until ${timeText(lifetime.at)}`)
    case 'session':
      return safeText(session === null ? 'until its session ends' : `session ${shortId(session)}`)
    default:
      return assertNever(lifetime)
  }
}
