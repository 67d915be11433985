import { hostText } from '../../call/address/host-pattern.ts'
import { isJsonObject, type Json, type JsonObject } from '../../call/json/json.ts'
import { fencedName } from '../../display/formatting.ts'
import type { GrantScope, OfferedLifetime } from '../../policy/model/grant.ts'

/**
 * The lifetime of a grant in words, the same on every surface.
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

/**
 * What a pattern covers, in words that leave nothing out: the same where it is offered and where it is listed.
 *
 * @example
 * patternWords(scope) // 'commands `git add …` of `run` in `/srv/app`, without variables, redirections and flags `-C`'
 */
export function patternWords({ when, around, shown }: Extract<GrantScope, { readonly kind: 'pattern' }>): string {
  const { command, tool, not, ...rest } = objectOf(when)
  const { program, verb, ...more } = objectOf(command)
  const where = around === undefined ? '' : ` in ${fencedName(around.cwd)}`
  const same = around === undefined || around.beside.length === 0 ? '' : `, with the same ${named(around.beside)}`
  if (program === undefined || verb === undefined || Object.keys({ ...rest, ...more }).length > 0)
    return `calls with ${conditionWords(when)}${where}${same}`
  const through = tool === undefined ? '' : ` of ${fencedName(listWords(tool))}`
  const without = not === undefined ? ' and redirections' : `, redirections and ${conditionWords(not)}`
  const bound = shown === undefined ? [] : [...(shown.operand === null ? [] : [shown.operand]), ...shown.options]
  const places = shown?.elsewhere.filter((one) => one !== shown.operand) ?? []
  const limits = shown === undefined ? '' : ', and from medium risk on without other options, hosts or folders'
  const line = [listWords(program), listWords(verb), ...bound, ...places, shown?.open ?? '…'].join(' ')
  return `commands ${fencedName(line)}${through}${where}${same}, without variables${without}${limits}`
}

/**
 * What a grant for a host covers, in words.
 *
 * @example
 * networkWords({ kind: 'network', host: 'api.example.com' }) // 'contact with `api.example.com`'
 */
export function networkWords({ host, port }: Extract<GrantScope, { readonly kind: 'network' }>): string {
  return `contact with ${fencedName(hostText(host, port))}`
}

/**
 * What a grant for a file, a folder or fixed arguments covers, in words.
 *
 * @example
 * toolPartWords(scope) // '`tracker/comment` with `issue` `12`, and any `body`'
 */
export function toolPartWords(scope: Extract<GrantScope, { readonly kind: 'fields' | 'file' | 'folder' }>): string {
  const tool = fencedName(scope.server === null ? scope.tool : `${scope.server}/${scope.tool}`)
  if (scope.kind !== 'fields') {
    const path = fencedName(scope.path)
    return scope.kind === 'file'
      ? `${tool} on ${path}`
      : `${tool} on everything in ${path} except secrets and files that other programs run`
  }
  const fixed = Object.entries(scope.fixed).map(
    ([name, value]) => `${fencedName(name)} ${fencedName(listWords(value))}`,
  )
  return `${tool} with ${fixed.join(', ')}, and any ${named(scope.free)}`
}

function named(names: readonly string[]): string {
  return names.map(fencedName).join(', ')
}

function conditionWords(when: Json, above = ''): string {
  return Object.entries(objectOf(when))
    .map(([name, value = null]) => {
      const path = above === '' || above === 'command' ? name : `${above} ${name}`
      const isNested = Object.keys(objectOf(value)).length > 0
      return isNested ? conditionWords(value, path) : `${path} ${fencedName(listWords(value))}`
    })
    .join(' and ')
}

function listWords(value: Json | undefined): string {
  const all = Array.isArray(value) ? value : [value]
  return all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(', ')
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
