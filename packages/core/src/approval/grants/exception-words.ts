import { fencedName } from '../../display/formatting.ts'
import type { RuleBounds, SandboxRefusal } from '../../policy/model/containment.ts'
import type { Grant } from '../../policy/model/grant.ts'
import type { Verdict } from '../../policy/model/verdict.ts'

const REFUSED = { host: 'a connection to', write: 'a change to', read: 'access to', device: 'the device' } as const

/**
 * What the sandbox refused, in words. They contain text from the run's output; escape them for display.
 *
 * @example
 * refusedText({ kind: 'host', what: 'example.com', certainty: 'strong' }) // 'refused a connection to `example.com`'
 */
export function refusedText({ kind, what, certainty }: SandboxRefusal): string {
  if (kind === 'start') return `could not start: ${what}`
  return `${certainty === 'strong' ? 'refused' : 'probably refused'} ${REFUSED[kind]} ${fencedName(what)}`
}

/**
 * The words after a grant's scope that tell what it adds to the sandbox; empty if it adds nothing, or if the scope tells it.
 *
 * @example
 * boundsWords({ scope: { kind: 'network', host: 'example.com' } }) // ''
 */
export function boundsWords({ scope, bounds }: Pick<Grant, 'scope' | 'bounds'>): string {
  return bounds === undefined || scope.kind === 'network' ? '' : `, ${exceptionText(bounds)}`
}

/**
 * What an exception adds to the sandbox, in words.
 *
 * @example
 * exceptionText({ write: ['/srv/shared'], read: [], network: [], credentials: [] }) // 'in the sandbox, also writing `/srv/shared`'
 */
export function exceptionText({ write, read, network, credentials }: RuleBounds): string {
  const named = (verb: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : [`also ${verb} ${names.map(fencedName).join(', ')}`]
  const more = [
    ...named('writing', write),
    ...named('reading', read),
    ...named('reaching', network),
    ...named('with the credentials', credentials),
  ]
  return ['in the sandbox', ...more].join(', ')
}

/**
 * Where the repeats of a command run by a grant, in words that follow its scope; empty for other calls.
 *
 * @example
 * repeatWords({ contain: null }) // '; repeats run outside the sandbox'
 */
export function repeatWords({ contain }: Pick<Verdict, 'contain'>): string {
  if (contain === undefined) return ''
  if (contain === null) return '; repeats run outside the sandbox'
  const credentials = contain.credentials.filter((name) => name !== 'project')
  const reach = contain.network.length === 0 ? ', without network' : ''
  return `; repeats run ${exceptionText({ ...contain, credentials })}${reach}`
}
