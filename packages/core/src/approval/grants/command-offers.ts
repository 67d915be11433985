import { shellQuote } from '../../call/arguments/command-words.ts'
import type { FrozenCall } from '../../call/call.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { toolLabel } from '../../call/tool.ts'
import type { CommandPart } from '../../command/model/decomposition.ts'
import { grantableOptions } from '../../command/programs/global-options.ts'
import { wholeVerb } from '../../command/programs/subcommand.ts'
import { fencedName } from '../../display/formatting.ts'
import { contactedHosts } from '../../policy/evaluate/first-contact.ts'
import { isOnlyCommand } from '../../policy/match/like.ts'
import { isWithinShown, shownWords } from '../../policy/match/shown-words.ts'
import { NO_BOUNDS, type RuleBounds } from '../../policy/model/containment.ts'
import type { OfferedLifetime, ShownWords } from '../../policy/model/grant.ts'
import { readLike } from '../../policy/schema/like-command.ts'
import { findSecrets } from '../../secrets/redaction-patterns.ts'
import type { Judgement } from '../request/judgement.ts'
import type { AlwaysOffer, GrantOffer } from '../request/view.ts'
import { patternWords } from './grant-words.ts'

/**
 * The grant for commands of the same shape, with what they need in the sandbox. Only a program with subcommands makes a
 * pattern narrow enough to agree to: `git add …`, never `curl …`.
 */
export function commandOffers(
  { tool, around }: FrozenCall,
  parts: Judgement['risk']['parts'],
  lifetimes: readonly OfferedLifetime[],
  needed: RuleBounds = NO_BOUNDS,
): readonly GrantOffer[] {
  const [only] = parts.filter(({ command }) => command.origin === undefined)
  if (only === undefined || parts.length > 1 || around === null) return []
  const { program } = only.command
  const verb = wholeVerb(only.command)
  const options = program === null ? undefined : grantableOptions(program)
  if (program === null || options === undefined || verb === null) return []
  // SECURITY: A11 `git -C other add` and `kubectl --context prod get` are not what was shown.
  const leading = [...options.valued]
  const elsewhere = leading.length === 0 ? {} : { not: { command: { flags: leading } } }
  const when = { tool: [toolLabel(tool)], command: { program: [program], verb: [verb] }, ...elsewhere }
  const shown = shownWords(only.command, verb)
  // SECURITY: A32 a grant outlives its call, and would keep a secret among the bound words.
  if (shown === null || findSecrets(only.command.text).length > 0) return []
  const scope = { kind: 'pattern', when, around, shown } as const
  const bounds = Object.values(needed).every((all) => all.length === 0) ? {} : { bounds: needed }
  return [{ scope, lifetimes, words: patternWords(scope), ...bounds }]
}

/** The rule for exactly what a pattern covers, with the same bounds; null if the policy language can't express it. */
export function commandRule(
  { scope, bounds = NO_BOUNDS }: Pick<GrantOffer, 'scope' | 'bounds'>,
  judgement: Judgement,
): AlwaysOffer | null {
  const { call, risk } = judgement
  if (scope.kind !== 'pattern' || scope.around === undefined) return null
  const [only] = risk.parts
  const verb = only === undefined ? null : wholeVerb(only.command)
  if (only?.command.program == null || verb === null || scope.shown === undefined) return null
  if (!isOnlyCommand(judgement, only.command.program)) return null
  const like = likeText(only.command, verb, scope.shown)
  if (like === null) return null
  const { program } = only.command
  const named = contactedHosts(only.hosts)
  const contain = containOf(bounds, named)
  if (contain === null) return null
  const line = `${like} ${scope.shown.open ?? '…'}`
  return {
    conditions: {
      tool: toolLabel(call.tool),
      command: { program, verb, like, in: scope.around.cwd },
      ...(named.length === 0 ? {} : { network: oneOrAll(named) }),
    },
    ...(Object.keys(contain).length === 0 ? {} : { contain }),
    words: `commands ${fencedName(line)} in ${fencedName(scope.around.cwd)}, without variables, redirections, other options, hosts or folders, in every session`,
  }
}

/** A command with the bound words and no others; the command itself where its words can't be put together anew. */
function likeText(command: CommandPart, verb: string, { operand, options, elsewhere }: ShownWords): string | null {
  const program = command.program ?? ''
  const words = [
    ...options.flatMap((one) => (one.includes(' ') ? one.split(' ', 2) : [one])),
    ...(operand === null ? [] : [operand]),
    ...elsewhere.filter((one) => one !== operand),
  ]
  const short = [program, verb, ...words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word)))].join(
    ' ',
  )
  return [short, command.text].find((text) => isSameShape(text, command)) ?? null
}

function isSameShape(text: string, command: CommandPart): boolean {
  const like = readLike(text)
  const shown = like === null ? null : shownWords(like.part, like.verb)
  if (like === null || shown === null) return false
  const own = shownWords(command, like.verb)
  return own !== null && isWithinShown(command, [like.verb], shown) && isWithinShown(like.part, [like.verb], own)
}

/** What a rule adds to the sandbox; null for a port, which it can't name. Hosts in its conditions are reached anyway. */
function containOf({ write, read, network, credentials }: RuleBounds, named: readonly string[]): JsonObject | null {
  const reached = network.filter((host) => !named.includes(host))
  if (reached.some((host) => /:\d+$/.test(host))) return null
  const listed = Object.entries({ write, read, network: reached, credentials })
  return Object.fromEntries(listed.flatMap(([key, all]) => (all.length === 0 ? [] : [[key, oneOrAll(all)]])))
}

function oneOrAll(all: readonly string[]): string | readonly string[] {
  return all.length === 1 ? (all[0] ?? '') : all
}
