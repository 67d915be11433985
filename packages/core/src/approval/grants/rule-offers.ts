import { hostText } from '../../call/address/host-pattern.ts'
import type { FrozenCall } from '../../call/call.ts'
import { isJsonObject, type Json, type JsonObject } from '../../call/json/json.ts'
import { toolLabel } from '../../call/tool.ts'
import { fencedName } from '../../display/formatting.ts'
import { LEFT_OUT_OF_FOLDERS } from '../../policy/match/grant.ts'
import type { GrantScope } from '../../policy/model/grant.ts'
import { parseGrantPattern } from '../../policy/schema/grant-pattern.ts'
import type { Judgement } from '../request/judgement.ts'
import type { AlwaysOffer, GrantOffer } from '../request/view.ts'
import { commandRule } from './command-offers.ts'
import { toolPartWords } from './grant-words.ts'

/** The offer, with the rule that does the same for good, if the policy language can express one as narrow. */
export function withRule(offer: GrantOffer, judgement: Judgement): GrantOffer {
  const always = offer.scope.kind === 'pattern' ? commandRule(offer, judgement) : ruleFor(offer.scope, judgement.call)
  // A name with a wildcard would make the rule wider than what was shown.
  if (always === null || hasWildcard(always.conditions) || parseGrantPattern(always.conditions) === null) return offer
  return { ...offer, always }
}

function ruleFor(
  scope: Exclude<GrantScope, { readonly kind: 'pattern' }>,
  { tool, descriptor }: FrozenCall,
): AlwaysOffer | null {
  const label = toolLabel(tool)
  const name = fencedName(label)
  switch (scope.kind) {
    case 'exact':
    case 'server':
      return null
    case 'network': {
      if (descriptor.kind !== 'fetch') return null
      const host = hostText(scope.host, scope.port)
      const conditions = { tool: label, url: { host: scope.host, method: ['GET', 'HEAD'] }, network: host }
      return { conditions, words: `${name} reading from ${fencedName(host)}, in every session` }
    }
    case 'file':
      return {
        conditions: { tool: label, path: scope.path },
        words: `${name} on ${fencedName(scope.path)}, in every session`,
      }
    case 'folder':
      return {
        conditions: { tool: label, path: { inside: scope.path, except: [...LEFT_OUT_OF_FOLDERS] } },
        words: `${toolPartWords(scope)}, in every session`,
      }
    case 'fields': {
      const isPlain = Object.values(scope.fixed).every((value) => value === null || typeof value !== 'object')
      if (!isPlain) return null
      const fixed = Object.keys(scope.fixed).map(fencedName).join(', ')
      return {
        conditions: { tool: label, args: scope.fixed },
        words: `${name} with the same ${fixed} and any other arguments, in every session`,
      }
    }
    case 'tool':
      return { conditions: { tool: label }, words: `every call of ${name}, in every session` }
  }
}

/** Values of `args` are compared as they are; everything else may be a pattern. */
function hasWildcard({ args: _, ...others }: JsonObject): boolean {
  return Object.values(others).some(isPattern)
}

function isPattern(value: Json): boolean {
  if (typeof value === 'string') return /[*?[\]{}\\$!]/.test(value)
  if (Array.isArray(value)) return value.some((one: Json) => isPattern(one))
  return isJsonObject(value) && Object.entries(value).some(([key, one]) => !NO_PATTERNS.includes(key) && isPattern(one))
}

/** Exceptions only make a rule narrower, and a command is taken word by word. */
const NO_PATTERNS: readonly string[] = ['except', 'like']
