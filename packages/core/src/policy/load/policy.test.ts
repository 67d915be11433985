import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Crypto } from '../../ports/crypto.ts'
import type { PolicyFile } from '../../ports/policy-files.ts'
import { formatProblem } from '../model/policy-problem.ts'
import type { PolicySet } from '../model/rule.ts'
import { failClosedPolicy, loadPolicy } from './policy.ts'

const crypto = { sha256: (text: string) => createHash('sha256').update(text).digest('hex') } as unknown as Crypto
const options = { checkers: ['backup'], crypto }

const file = (layer: PolicyFile['layer'], text: string, more: Partial<PolicyFile> = {}): PolicyFile => ({
  layer,
  name: `${layer}.yaml`,
  trusted: false,
  text: `version: 1\n${text}`,
  ...more,
})

function load(...files: PolicyFile[]): PolicySet {
  const loaded = loadPolicy(files, options)
  if (loaded.kind === 'refused') throw new Error(loaded.problems.map(formatProblem).join('\n'))
  return loaded.policy
}

const own = (policy: PolicySet) => policy.rules.filter(({ layer }) => layer !== 'builtin' && layer !== 'preset')

describe('layers', () => {
  const text =
    'rules: [{ id: a, tool: x, supervision: automatic }, { id: b, tool: x, supervision: confirm }, { id: c, tool: x, supervision: deny }]'
  const floors = (policy: PolicySet) =>
    own(policy).map(({ id, floor, supervision }) => `${id} ${supervision}${floor ? ' floor' : ''}`)
  const asWritten = ['a automatic', 'b confirm', 'c deny']
  const tightening = ['a automatic floor', 'b confirm floor', 'c deny floor']

  it('uses the person’s rules as written', () => {
    expect(floors(load(file('user', text)))).toEqual(asWritten)
  })

  it('turns the rules of a managed file into floors, whatever it claims', () => {
    expect(floors(load(file('managed', text, { trusted: true })))).toEqual(tightening)
  })

  it('turns the rules of a project file into floors until it is trusted', () => {
    expect(floors(load(file('project', text)))).toEqual(tightening)
    expect(floors(load(file('project', text, { trusted: true })))).toEqual(asWritten)
  })

  it('treats missing trust as no trust', () => {
    const untold = { layer: 'project', name: 'p', text: `version: 1\n${text}` } as unknown as PolicyFile
    expect(floors(load(untold))).toEqual(tightening)
  })

  it('turns short forms into floors too', () => {
    const policy = load(file('project', 'auto_approve: ["*"]\nnever_allow: [wipe]'))
    expect(floors(policy)).toEqual(['auto_approve[0] automatic floor', 'never_allow[0] deny floor'])
  })
})

describe('merging', () => {
  it('uses the shortest default timeout and all limits', () => {
    const policy = load(
      file('user', 'defaults: { timeout: 10m }\nlimits: { calls: 5/h }'),
      file('project', 'defaults: { timeout: 2m }\nlimits: { calls: 9/h }'),
    )
    expect(policy.timeoutMs).toBe(120_000)
    expect(policy.limits.map(({ most, layer }) => [most, layer])).toEqual([
      [9, 'project'],
      [5, 'user'],
    ])
  })

  it('waits five minutes if no file sets a timeout', () => {
    expect(load().timeoutMs).toBe(300_000)
  })

  it('qualifies ids that several files use, and only those', () => {
    const policy = load(
      file('user', 'rules: [{ id: a, tool: x, supervision: deny }, { id: only, tool: x, supervision: deny }]'),
      file('project', 'rules: [{ id: a, tool: x, supervision: deny }]'),
      file('project', 'rules: [{ id: a, tool: x, supervision: deny }]', { name: 'more.yaml' }),
    )
    expect(own(policy).map(({ id }) => id)).toEqual(['project:more.yaml:a', 'project:project.yaml:a', 'user:a', 'only'])
  })

  it('names each rule uniquely even if a file is loaded twice', () => {
    const one = file('user', 'rules: [{ id: a, tool: x, supervision: deny }]')
    const ids = load(one, one).rules.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('prevents a person from renaming the rules that protect the gate', () => {
    const policy = load(file('user', 'rules: [{ id: gate-files, tool: x, supervision: automatic }]'))
    expect(
      policy.rules.filter(({ id }) => id.endsWith('gate-files')).map(({ id, supervision }) => [id, supervision]),
    ).toEqual([
      ['user:gate-files', 'automatic'],
      ['builtin:gate-files', 'deny'],
    ])
  })
})

describe('the preset in force', () => {
  it('is balanced by default', () => {
    expect(load().row.preset).toBe('balanced')
  })

  it('is the person’s choice', () => {
    expect(load(file('user', 'preset: classic')).row).toMatchObject({ preset: 'classic', ignoresDeclarations: true })
  })

  it('is the organisation’s if the person chose none', () => {
    expect(load(file('managed', 'preset: paranoid'), file('user', '')).row.preset).toBe('paranoid')
  })

  it.each([
    ['paranoid', 'classic'],
    ['classic', 'paranoid'],
    ['balanced', 'read-only'],
    ['permissive', 'permissive'],
  ])('with managed %s and own %s is at least as strict as both', (managed, user) => {
    const both = load(file('managed', `preset: ${managed}`), file('user', `preset: ${user}`))
    const alone = [managed, user].map((preset) => load(file('user', `preset: ${preset}`)))
    const order = ['automatic', 'notify', 'confirm', 'manual', 'deny']
    for (const { row, rules } of alone) {
      for (const level of ['none', 'low', 'medium', 'high', 'critical'] as const)
        expect(order.indexOf(both.row.byRisk[level])).toBeGreaterThanOrEqual(order.indexOf(row.byRisk[level]))
      expect(order.indexOf(both.row.undescribed)).toBeGreaterThanOrEqual(order.indexOf(row.undescribed))
      if (both.row.ignoresDeclarations) expect(row.ignoresDeclarations).toBe(true)
      const denies = rules.filter(({ supervision }) => supervision === 'deny').map(({ id }) => id)
      expect(both.rules.map(({ id }) => id)).toEqual(expect.arrayContaining(denies))
    }
  })

  it('is refused if the person’s files disagree', () => {
    const loaded = loadPolicy(
      [file('user', 'preset: classic'), file('user', 'preset: paranoid', { name: 'z.yaml' })],
      options,
    )
    expect(loaded).toMatchObject({ kind: 'refused', problems: [{ file: 'z.yaml', line: 2, column: 9 }] })
  })
})

describe('one bad file', () => {
  it('refuses the whole policy and reports every problem of every file', () => {
    const loaded = loadPolicy(
      [
        file('user', 'rules: [{ tool: x, supervision: nope }]'),
        file('project', 'rulez: 1'),
        file('managed', 'never_allow: [x]'),
      ],
      options,
    )
    expect(loaded.kind === 'refused' && loaded.problems.map((problem) => `${problem.file}:${problem.line}`)).toEqual([
      'project.yaml:2',
      'user.yaml:2',
    ])
  })
})

const pool: readonly PolicyFile[] = [
  file('user', 'preset: permissive\nnever_allow: [a]'),
  file('user', 'rules: [{ id: r, tool: x, supervision: deny }]', { name: 'b.yaml' }),
  file('project', 'rules: [{ id: r, tool: x, supervision: confirm }]\nlimits: { calls: 5/h }'),
  file('project', 'rules: [{ tool: z, supervision: automatic }]', { name: 'c.yml', trusted: true }),
  file('managed', 'preset: balanced\nrules: [{ id: m, kind: send, supervision: manual }]'),
]

describe('the order of files', () => {
  it('has no effect', () => {
    const straight = load(...pool)
    fc.assert(
      fc.property(fc.shuffledSubarray([...pool], { minLength: pool.length }), (files) => {
        expect(load(...files)).toEqual(straight)
      }),
      { numRuns: 30 },
    )
  })

  it('and their repetition change no decision: the rules are the same, some twice', () => {
    const bare = (policy: PolicySet) => new Set(policy.rules.map(({ id, ...rule }) => JSON.stringify(rule)))
    const straight = load(...pool)
    fc.assert(
      fc.property(fc.subarray([...pool]), (again) => {
        const doubled = load(...pool, ...again)
        expect(bare(doubled)).toEqual(bare(straight))
        expect(doubled.row).toEqual(straight.row)
        expect(doubled.timeoutMs).toBe(straight.timeoutMs)
      }),
      { numRuns: 30 },
    )
  })
})

describe('the hash', () => {
  const base = file('project', 'never_allow: [a]')

  it.each([
    ['text', { ...base, text: `${base.text} ` }],
    ['name', { ...base, name: 'other.yaml' }],
    ['trust', { ...base, trusted: true }],
    ['layer', { ...base, layer: 'user' as const }],
  ])('changes with the %s of a file', (_what, changed) => {
    expect(load(changed).hash).not.toBe(load(base).hash)
  })

  it('changes with the preset and with an added file', () => {
    const hashes = [load(base), load(base, file('user', 'preset: classic')), load(base, file('user', ''))].map(
      ({ hash }) => hash,
    )
    expect(new Set(hashes).size).toBe(3)
  })

  it('changes if text moves from one file to another', () => {
    const joined = (first: string, second: string) =>
      load(file('user', first, { name: 'a' }), file('user', second, { name: 'b' })).hash
    expect(joined('# x\n', '# y\n')).not.toBe(joined('# x\n# y\n', ''))
  })
})

describe('without a policy', () => {
  const held = failClosedPolicy('policy.yaml has a problem', crypto)

  it('holds every call, whatever its risk and grants', () => {
    expect(new Set([...Object.values(held.row.byRisk), held.row.undescribed])).toEqual(new Set(['manual']))
    expect(held.rules.find(({ id }) => id === 'no-policy')).toMatchObject({
      when: {},
      floor: true,
      supervision: 'manual',
    })
  })

  it('still protects the gate itself', () => {
    expect(held.rules.filter(({ supervision }) => supervision === 'deny').map(({ id }) => id)).toContain('gate-files')
  })

  it('reports why, and has its own hash', () => {
    expect(held.rules.at(-1)?.reason).toContain('policy.yaml has a problem')
    expect(held.hash).not.toBe(load().hash)
  })
})
