import type { Json } from '../../call/json/json.ts'
import { plainKey } from '../../call/names/words.ts'
import { SHELLS } from '../../command/nested/shells.ts'
import { ARGUMENT_NAMES } from '../../knowledge/compiled/tools.ts'
import { findHostTool } from '../../knowledge/tools.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rating-input.ts'

const SHELL_FOLDERS = /^(?:\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?bin\/)?/

/**
 * Rates arguments that make a host's reader or shell do more than the argument it is known for. SECURITY: L11, whatever is
 * known about `ls` does not hold if a program of the agent's choice reads it.
 */
export function rateExtraArguments({ tool, args, descriptor }: RatedCall, runs: boolean): readonly RiskFinding[] {
  if (descriptor.source !== 'known' || (!runs && descriptor.kind !== 'read')) return []
  const row = findHostTool(tool.name)
  const known = new Set([...(row?.command ?? []), ...(row?.workingDirectory ?? []), ...(row?.volatile ?? [])])
  return Object.entries(args).flatMap(([key, value]) => {
    const text =
      known.has(key) || key === row?.program || isNothing(value) ? null : effectOf(plainKey(key), value, runs)
    return text === null ? [] : [finding('high', 'tool.extra-argument', `its argument \`${key}\` ${text}`, 'unknown')]
  })
}

function effectOf(name: string, value: Json, runs: boolean): string | null {
  if (ARGUMENT_NAMES.alsoWrite.has(name)) return 'may write a file'
  const isNumber =
    typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && /^\d+$/.test(value))
  if (!isNumber && (ARGUMENT_NAMES.alsoRun.has(name) || ARGUMENT_NAMES.commands.has(name)))
    return 'may run something else'
  if (!runs) return null
  if (ARGUMENT_NAMES.shells.has(name) && !isShell(value)) return 'may choose a program other than a shell'
  return ARGUMENT_NAMES.elsewhere.has(name) ? 'may run it elsewhere or with other rights' : null
}

function isNothing(value: Json): boolean {
  return (
    value === null || value === false || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
  )
}

function isShell(value: Json): boolean {
  return value === true || (typeof value === 'string' && SHELLS.has(value.replace(SHELL_FOLDERS, '')))
}
