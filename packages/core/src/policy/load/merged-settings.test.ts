import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { PolicyFile } from '../../ports/policy-files.ts'
import { createHermeticJudge } from '../authoring/test-judge.ts'
import type { PolicySet } from '../model/rule.ts'
import { loadPolicy } from './policy.ts'

const crypto = { sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex') } as never

function file(layer: PolicyFile['layer'], text: string, name = `${layer}.yaml`): PolicyFile {
  return { layer, name, text: `version: 1\n${text}\n` } as PolicyFile
}

function load(...files: readonly PolicyFile[]): PolicySet {
  const loaded = loadPolicy(files, { checkers: [], crypto })
  if (loaded.kind === 'refused') throw new Error(loaded.problems.map(({ message }) => message).join('; '))
  return loaded.policy
}

const problems = (...files: readonly PolicyFile[]) =>
  loadPolicy(files, { checkers: [], crypto }).problems.map(({ message }) => message)

async function riskOf(set: PolicySet, tool: string, args: object, server = 'crm', annotations = {}) {
  const judged = await createHermeticJudge(set, crypto)({ tool, server, args: args as never, annotations }, null)
  return judged.risk
}

const ids = (length: number) => Array.from({ length }, (_, at) => `id-${at}`)

describe('thresholds', () => {
  it('are 100 records and 1000 dollars, and exact values do not exceed them', async () => {
    const usual = load(file('user', 'preset: balanced'))
    expect(await riskOf(usual, 'update_contacts', { ids: ids(100) })).toBe('medium')
    expect(await riskOf(usual, 'update_contacts', { ids: ids(101) })).toBe('high')
    expect(await riskOf(usual, 'update_contacts', { batch_size: 100 })).toBe('medium')
    expect(await riskOf(usual, 'update_contacts', { batch_size: 101 })).toBe('high')
    expect(await riskOf(usual, 'pay_invoice', { amount: 1000 })).toBe('medium')
    expect(await riskOf(usual, 'pay_invoice', { amount: 1000.01 })).toBe('critical')
  })

  it('can be set by the person', async () => {
    const own = load(file('user', 'thresholds: { records: 5, amount: 20 }'))
    expect(await riskOf(own, 'update_contacts', { ids: ids(5) })).toBe('medium')
    expect(await riskOf(own, 'update_contacts', { ids: ids(6) })).toBe('high')
    expect(await riskOf(own, 'pay_invoice', { amount: 20 })).toBe('medium')
    expect(await riskOf(own, 'pay_invoice', { amount: 20.01 })).toBe('critical')
    const generous = load(file('user', 'thresholds: { records: 5000 }'))
    expect(await riskOf(generous, 'update_contacts', { ids: ids(101) })).toBe('medium')
  })

  it('can only be lowered by a managed file', () => {
    const user = file('user', 'thresholds: { records: 500 }')
    expect(load(user, file('managed', 'thresholds: { records: 50 }')).rating?.thresholds.records).toBe(50)
    expect(load(user, file('managed', 'thresholds: { records: 5000 }')).rating?.thresholds.records).toBe(500)
    expect(load(file('managed', 'thresholds: { amount: 5000 }')).rating?.thresholds.amount).toBe(1000)
  })

  it('cannot be set by a project', () => {
    expect(problems(file('project', 'thresholds: { records: 500 }'))).toEqual([
      '`thresholds` is set in the user’s own file or a managed one, not by a project; remove it',
    ])
  })

  it.each(['thresholds: {}', 'thresholds: { records: 1.5 }', 'thresholds: { amount: -1 }', 'thresholds: { lines: 1 }'])(
    'refuses %s',
    (text) => {
      expect(problems(file('user', text))).toHaveLength(1)
    },
  )
})

describe('a declared context', () => {
  const production = 'context: { environment: production }'

  it('raises changes as a word for production does, and reads stay reads', async () => {
    const declared = load(file('user', production))
    const plain = load(file('user', 'preset: balanced'))
    expect(await riskOf(plain, 'update_config', { id: 1 })).toBe('medium')
    expect(await riskOf(declared, 'update_config', { id: 1 })).toBe(
      await riskOf(plain, 'update_config', { id: 1, environment: 'production' }),
    )
    expect(await riskOf(declared, 'execute_command', { command: 'kubectl apply -f app.yaml' })).toBe('high')
    expect(await riskOf(declared, 'execute_command', { command: 'git status' })).toBe('none')
    expect(await riskOf(declared, 'get_config', { id: 1 })).toBe(await riskOf(plain, 'get_config', { id: 1 }))
  })

  it('can be limited to workspaces, and comes from any file, as it only raises', async () => {
    const elsewhere = load(file('user', 'context: { environment: production, workspaces: [~/infra] }'))
    const here = load(file('user', 'context: [{ environment: production, workspaces: ["${workspace}"] }]'))
    expect(await riskOf(elsewhere, 'update_config', { id: 1 })).toBe('medium')
    expect(await riskOf(here, 'update_config', { id: 1 })).toBe('high')
    expect(await riskOf(load(file('project', production)), 'update_config', { id: 1 })).toBe('high')
    expect(await riskOf(load(file('managed', production)), 'update_config', { id: 1 })).toBe('high')
  })

  it.each(['context: { environment: staging }', 'context: {}', 'context: []', 'context: { env: production }'])(
    'refuses %s',
    (text) => {
      expect(problems(file('user', text))).not.toEqual([])
    },
  )
})

describe('a trusted server', () => {
  const READS = { readOnlyHint: true }
  const trusting = file('user', 'servers: { crm: { trust: hints } }')

  it('may declare a tool with an unclear name read-only', async () => {
    expect(await riskOf(load(trusting), 'frobnicate', { path: 'a.txt' }, 'crm', READS)).toBe('none')
    expect(await riskOf(load(trusting), 'frobnicate', {}, 'other', READS)).toBe('medium')
    expect(await riskOf(load(trusting), 'frobnicate', {}, 'crm')).toBe('medium')
    expect(await riskOf(load(file('user', 'preset: balanced')), 'frobnicate', {}, 'crm', READS)).toBe('medium')
  })

  it('lowers nothing else', async () => {
    expect(await riskOf(load(trusting), 'delete_contact', { id: 1 }, 'crm', READS)).toBe('high')
    expect(await riskOf(load(trusting), 'frobnicate', { path: '~/.ssh/id_rsa' }, 'crm', READS)).toBe('high')
    expect(await riskOf(load(trusting), 'frobnicate', { sql: 'DROP TABLE t' }, 'crm', READS)).toBe('critical')
  })

  it('is trusted by the person only, and any file can object', () => {
    const trusted = (...files: readonly PolicyFile[]) => [...(load(...files).rating?.trustedServers ?? [])]
    expect(trusted(trusting)).toEqual(['crm'])
    expect(trusted(trusting, file('managed', 'servers: { crm: { trust: none } }'))).toEqual([])
    expect(problems(file('managed', 'servers: { crm: { trust: hints } }'))).toEqual([
      'a managed file only tightens; trust a server in the user’s own file',
    ])
    expect(problems(file('project', 'servers: { crm: { trust: hints } }'))).toEqual([
      '`servers` is set in the user’s own file or a managed one, not by a project; remove it',
    ])
    expect(problems(file('user', 'servers: { "cr*": { trust: hints } }'))).toHaveLength(1)
  })
})

describe('the read-only tools of a trusted server', () => {
  const trusting = file('user', 'servers: { crm: { trust: hints } }')
  const judged = (set: PolicySet, tool: string, args: object, annotations = {}) =>
    createHermeticJudge(set, crypto)({ tool, server: 'crm', args: args as never, annotations }, null)

  it('run unasked up to low risk', async () => {
    const read = { readOnlyHint: true }
    expect(await judged(load(trusting), 'frobnicate', {}, read)).toMatchObject({ supervision: 'automatic' })
    expect(await judged(load(trusting), 'get_contact', { id: 1 }, read)).toMatchObject({ supervision: 'automatic' })
    expect(await judged(load(trusting), 'get_contact', { id: 1 })).toMatchObject({ supervision: 'confirm' })
    expect(await judged(load(trusting), 'delete_contact', { id: 1 }, read)).toMatchObject({ supervision: 'confirm' })
    expect(await judged(load(trusting), 'get_contact', { url: 'https://evil.test/x' }, read)).toMatchObject({
      supervision: 'confirm',
    })
    expect(await judged(load(file('user', 'preset: balanced')), 'get_contact', {}, read)).toMatchObject({
      supervision: 'confirm',
    })
  })

  it('are held under `paranoid`, and denied by a rule that denies them', async () => {
    const read = { readOnlyHint: true }
    const strict = load(file('user', 'preset: paranoid\nservers: { crm: { trust: hints } }'))
    expect(await judged(strict, 'get_contact', { id: 1 }, read)).not.toMatchObject({ supervision: 'automatic' })
    const denied = load(trusting, file('managed', 'rules: [{ server: crm, supervision: deny }]'))
    expect(await judged(denied, 'get_contact', { id: 1 }, read)).toMatchObject({ supervision: 'deny' })
  })
})
