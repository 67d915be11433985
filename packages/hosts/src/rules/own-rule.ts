import { coverSecrets } from '@countersign/core'
import type { HostContract } from '../contract/host-contract.ts'
import { loadRules } from './load-rules.ts'
import { mightMatch } from './might-match.ts'
import { type OwnRulePlace, ownRuleFiles } from './own-rule-files.ts'

/** INVARIANT: L10. */
const MOST_RULES = 5_000
const MOST_SHOWN = 120

/**
 * The first rule of the agent's own that asks or denies and might match a command, as text; null if there certainly is none. The agent
 * applies its rules to the command that it is given: one in the sandbox would hide the words that they are about.
 */
export async function ownRuleFor(
  command: string,
  { name: host }: Pick<HostContract, 'name'>,
  place: OwnRulePlace,
): Promise<string | null> {
  if (place.argv === null || place.env === null) return 'the way it was started (can’t be checked)'
  const files = ownRuleFiles(host, place)
  if (files.length === 0 && !isStartedWithRules(place)) return null
  const { rulesInStart, rulesOf, unread } = await loadRules()
  const rules = [...files.flatMap((file) => rulesOf(host, file)), ...rulesInStart(host, place)]
  const { folders } = place
  const spelled = { command, folders: /(?:^|[\s=:])~/.test(command) ? [...folders, place.accountHome] : folders }
  const found =
    rules.slice(0, MOST_RULES).find(({ covers }) => mightMatch(covers, spelled)) ??
    (rules.length > MOST_RULES ? unread('more than 5,000 rules') : undefined)
  return found === undefined ? null : shown(found.text)
}

/** Whether its command line or environment could name rules. */
function isStartedWithRules({ argv, env }: OwnRulePlace): boolean {
  const isNamed = (text: string): boolean => /settings|disallow|deny|policy|OPENCODE_(?:CONFIG|PERMISSION)/i.test(text)
  return (argv ?? []).some(isNamed) || Object.keys(env ?? {}).some(isNamed)
}

/** SECURITY: A32, a rule may contain a secret. */
function shown(text: string): string {
  const line = coverSecrets(text).replaceAll(/\s+/g, ' ').trim()
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…`.toWellFormed() : line
}
