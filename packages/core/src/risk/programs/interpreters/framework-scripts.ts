import type { CommandPart } from '../../../command/model/decomposition.ts'
import { optionValue } from '../../path/unresolved-path.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import type { Assess, PartFacts } from '../assessor/assessor.ts'
import { assessArtisan, assessDjango, assessRails } from './framework-commands.ts'

/** Scripts that a framework puts into every project, by the end of their path. */
const SCRIPTS: readonly (readonly [RegExp, Assess])[] = [
  [/(?:^|\/)manage\.py$/, assessDjango],
  [/(?:^|\/)artisan$/, assessArtisan],
  [/(?:^|\/)bin\/console$/, assessArtisan],
  [/(?:^|\/)bin\/(?:rails|rake)$/, assessRails],
]

/** Calls of models and queries that take records away. */
const DELETES = /(?:->|::)\s{0,8}(?:delete|forceDelete|truncate|destroy|drop|dropIfExists)\s{0,8}\(/

/** Rates `python manage.py flush` and its like by the command behind the script; null for every other script. */
export function rateFrameworkScript(script: string, facts: PartFacts): RiskFinding | null {
  const assess = SCRIPTS.find(([name]) => name.test(script))?.[1]
  if (assess === undefined) return null
  const at = facts.part.args.findIndex(({ value }) => value === script)
  const part: CommandPart = { ...facts.part, args: facts.part.args.slice(at + 1) }
  const program = script.slice(script.lastIndexOf('/') + 1)
  const code = program === 'artisan' ? optionValue(part, ['--execute']) : null
  if (code !== null && DELETES.test(code.value ?? code.text))
    return finding('high', 'database.code', 'artisan runs code that deletes records', 'no')
  const { paths, places, folder } = facts
  return assess({ part, program, paths, places, folder, hasInner: false, verb: { kind: 'none' } })
}
