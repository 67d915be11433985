import type { CommandPart } from '../../../command/model/decomposition.ts'
import { finding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
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
