import { fencedName, type Json, spanWords } from '@countersign/react'
import type { ToldGrant } from './service.ts'

/** What a grant covers, in words; names stand between backticks. */
export function scopeWords({ scope, from }: ToldGrant): string {
  switch (scope.kind) {
    case 'exact':
      return from === null
        ? 'one tool with exactly the same arguments'
        : `${fencedName(from.tool)} with exactly these arguments`
    case 'pattern':
      return patternWords(scope.when)
    case 'tool':
      return `everything ${fencedName(scope.server === null ? scope.tool : `${scope.server}/${scope.tool}`)} does`
    case 'server':
      return `every tool of server ${fencedName(scope.server)}`
  }
}

/** Conditions of policy in words: `commands git add …` where that is what they say, else each by its name. */
function patternWords(when: Json): string {
  const { command, tool, not, ...rest } = objectOf(when)
  const { program, verb, ...more } = objectOf(command)
  if (program === undefined || verb === undefined || Object.keys({ ...rest, ...more }).length > 0)
    return `calls with ${conditionWords(when)}`
  const through = tool === undefined ? '' : ` of ${fencedName(listWords(tool))}`
  const without = not === undefined ? '' : `, without ${conditionWords(not)}`
  return `commands ${fencedName(`${listWords(program)} ${listWords(verb)} …`)}${through}${without}`
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

function objectOf(value: Json | undefined): Readonly<Record<string, Json | undefined>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Json | undefined>>)
    : {}
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
