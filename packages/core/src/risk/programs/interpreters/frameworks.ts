import type { CommandPart } from '../../../command/model/decomposition.ts'
import { optionValue } from '../../path/unresolved-path.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import type { Assess, PartFacts } from '../assessor/assessor.ts'
import { rateAs } from '../assessor/rate-row.ts'
import { assessMake } from '../packages/project-tools.ts'

const RAILS_TASK = /^(?:db|data|credentials|encrypted|secrets):/

/** `rake`: the project's own tasks; those that Rails brings are what they are there. */
export const assessRake: Assess = (facts) =>
  facts.part.args.some(({ value }) => value !== null && RAILS_TASK.test(value))
    ? rateAs('rails', facts)
    : assessMake(facts)

/** `flask`: `flask db` is Alembic, the rest runs the project. */
export const assessFlask: Assess = (facts) => {
  const { verb } = facts
  if (verb.kind !== 'verb' || verb.verb !== 'db')
    return finding('low', 'build.run', 'flask runs the project’s own code')
  const part: CommandPart = { ...facts.part, args: verb.rest }
  const { row, paths, places, folder } = facts
  const inner = {
    part,
    program: 'flask db',
    row,
    paths,
    places,
    folder,
    hasInner: false,
    verb: { kind: 'none' },
  } as const
  return rateAs('alembic', inner)
}

/** Scripts that a framework puts into every project, by the end of their path. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)manage\.py$/, 'django-admin'],
  [/(?:^|\/)artisan$/, 'artisan'],
  [/(?:^|\/)bin\/console$/, 'artisan'],
  [/(?:^|\/)bin\/(?:rails|rake)$/, 'rails'],
]

/** Calls of models and queries that take records away. */
const DELETES = /(?:->|::)\s{0,8}(?:delete|forceDelete|truncate|destroy|drop|dropIfExists)\s{0,8}\(/

/** Rates `python manage.py flush` and similar by the command behind the script; null for every other script. */
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
