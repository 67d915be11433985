import { expect, it } from 'vitest'
import { circumstancesAt, someCall, somePolicy, someRisk, someRule } from '../../../../../test/model/case.ts'
import { compilePolicy } from '../compile/compiled-policy.ts'
import { explainPolicy, formatExplanation } from './explain.ts'

const rules = [
  someRule({ tool: ['write_file'], kind: ['write'] }, { id: 'mine', line: 1 }),
  someRule({ tool: ['*'] }, { id: 'wide', line: 2, supervision: 'confirm' }),
  someRule(
    { tool: ['write_file'], kind: ['write'] },
    { id: 'theirs', layer: 'project', line: 3, supervision: 'manual' },
  ),
  someRule({ path: { inside: ['/etc'] } }, { id: 'system', line: 4, supervision: 'deny' }),
  someRule({ path: { inside: ['/srv'] } }, { id: 'lax', line: 5, unless: { tool: ['write_file'] } }),
  someRule({ risk: { at_least: 'low' } }, { id: 'floor', line: 6, floor: true, supervision: 'notify' }),
]

const explain = (real: string | null) =>
  explainPolicy(
    someCall(),
    someRisk({ paths: [{ given: 'f', real, use: 'write' }] }),
    compilePolicy(somePolicy(rules)),
    circumstancesAt(),
  )

// Scenario 9.
it('names the winner, the answer of every loser, and why it lost', () => {
  const [unit] = explain('/srv/app/a').units
  expect(unit).toMatchObject({ what: 'write /srv/app/a', supervision: 'notify', decidedBy: { id: 'floor' } })
  expect(unit?.rules.map(({ rule, outcome, why }) => [rule.id, outcome, why])).toEqual([
    ['mine', 'lost', 'applies, but `floor` is stricter'],
    ['wide', 'lost', '`mine` is more specific'],
    ['theirs', 'lost', '`mine` is in a nearer layer (user)'],
    ['system', 'no-match', 'its `path` does not match: {"inside":["/etc"]}'],
    ['lax', 'no-match', 'its `unless` matches'],
    ['floor', 'won', '`floor` requires at least notify'],
  ])
})

it('reports that a deny is final', () => {
  const [unit] = explain('/etc/passwd').units
  expect(unit?.rules.map(({ rule, outcome }) => [rule.id, outcome])).toEqual([
    ['mine', 'lost'],
    ['wide', 'lost'],
    ['theirs', 'lost'],
    ['system', 'won'],
    ['lax', 'no-match'],
    ['floor', 'lost'],
  ])
})

it('lists the conditions that could not be ruled out', () => {
  const [unit] = explain(null).units
  const system = unit?.rules.find(({ rule }) => rule.id === 'system')
  expect(unit?.supervision).toBe('manual')
  expect(system).toMatchObject({
    outcome: 'won',
    why: '`system` may apply, which requires at least manual',
  })
})

it('prints plain lines, winners first', () => {
  expect(formatExplanation(explain('/srv/app/a'))).toEqual([
    'write_file: notify, risk low, by floor (user, policy.yaml:6)',
    '  because `floor` requires at least notify',
    '  because `mine` allows it',
    'write /srv/app/a: notify, risk low, by floor (user, policy.yaml:6)',
    '  won      floor (user, policy.yaml:6) sets notify: `floor` requires at least notify',
    '  lost     mine (user, policy.yaml:1) sets automatic: applies, but `floor` is stricter',
    '  lost     wide (user, policy.yaml:2) sets confirm: `mine` is more specific',
    '  lost     theirs (project, policy.yaml:3) sets manual: `mine` is in a nearer layer (user)',
    '  no match system (user, policy.yaml:4) sets deny: its `path` does not match: {"inside":["/etc"]}',
    '  no match lax (user, policy.yaml:5) sets automatic: its `unless` matches',
  ])
})

it('lists at most a hundred parts, the strictest first, and the number of the others (L10)', () => {
  const paths = Array.from({ length: 500 }, (_, n) => `${n === 400 ? '/etc' : '/srv/app'}/${n}`)
  const explained = explainPolicy(
    someCall(),
    someRisk({ paths: paths.map((real) => ({ given: 'f', real, use: 'write' as const })) }),
    compilePolicy(somePolicy(rules)),
    circumstancesAt(),
  )
  expect(explained.units).toHaveLength(100)
  expect(explained.units.at(-1)).toMatchObject({ what: 'write /etc/400', supervision: 'deny' })
  expect(explained.units[0]).toMatchObject({ what: 'write /srv/app/0' })
  expect(explained.moreUnits).toBe(400)
  expect(formatExplanation(explained).at(-1)).toBe('and 400 more parts, none of them stricter')
})
