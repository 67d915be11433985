import type { CommandPart } from '../../../command/model/decomposition.ts'
import { optionValue } from '../../path/unresolved-path.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import type { PartFacts } from '../assessor/assessor.ts'
import { rateAs } from '../assessor/rate-row.ts'

/** Scripts that a framework puts into every project, by the end of their path. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)manage\.py$/, 'django-admin'],
  [/(?:^|\/)artisan$/, 'artisan'],
  [/(?:^|\/)bin\/console$/, 'artisan'],
  [/(?:^|\/)bin\/(?:rails|rake)$/, 'rails'],
]

/** Calls of models and queries that take records away. */
const DELETES = /(?:->|::)\s{0,8}(?:delete|forceDelete|truncate|destroy|drop|dropIfExists)\s{0,8}\(/

/** Rates `python manage.py flush` and its like by the command behind the script; null for every other script. */
export function rateFrameworkScript(script: string, facts: PartFacts): RiskFinding | null {
  const rowName = SCRIPTS.find(([name]) => name.test(script))?.[1]
  if (rowName === undefined) return null
  const at = facts.part.args.findIndex(({ value }) => value === script)
  const part: CommandPart = { ...facts.part, args: facts.part.args.slice(at + 1) }
  const program = script.slice(script.lastIndexOf('/') + 1)
  const code = program === 'artisan' ? optionValue(part, ['--execute']) : null
  if (code !== null && DELETES.test(code.value ?? code.text))
    return finding('high', 'database.code', 'artisan runs code that deletes records', 'no')
  const { row, paths, places, folder } = facts
  return rateAs(rowName, { part, program, row, paths, places, folder, hasInner: false, verb: { kind: 'none' } })
}
