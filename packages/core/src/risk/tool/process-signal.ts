import { shellQuote } from '../../call/arguments/command-words.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { readName } from '../../call/names/verbs.ts'
import { plainKey } from '../../call/names/words.ts'
import { decompose } from '../../command/decompose.ts'
import { PROGRAM_TOOLS } from '../../knowledge/compiled/tools.ts'
import { rateCommand } from '../command/rate-command.ts'
import type { RiskCircumstances } from '../path/located-path.ts'
import type { RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rating-input.ts'

/** Rates `kill_process { pid: 1 }` like the command `kill`; null for any other call. */
export function rateEndedProcess(
  { tool, cwd }: RatedCall,
  objects: readonly JsonObject[],
  now: RiskCircumstances,
): readonly RiskFinding[] | null {
  const { words, acts } = readName(tool.name)
  if (
    !acts.some(({ word }) => PROGRAM_TOOLS.processEnders.has(word)) ||
    !words.some((word) => PROGRAM_TOOLS.processes.has(word))
  )
    return null
  const lines = Object.entries(objects[0] ?? {}).flatMap(([key, value]) => {
    const name = plainKey(key)
    const given = (Array.isArray(value) ? value : [value]).filter(
      (one) => typeof one === 'number' || (typeof one === 'string' && one.length <= 128 && one !== ''),
    )
    const list = given.map((one) => shellQuote(String(one))).join(' ')
    if (list === '') return []
    if (/^(?:pids?|processids?)$/.test(name)) return [`kill -- ${list}`]
    return /^(?:name|process|processname|pattern)$/.test(name) ? [`pkill -- ${list}`] : []
  })
  return lines.length === 0 ? null : rateCommand(decompose(lines.join('\n')), cwd, now).findings
}
