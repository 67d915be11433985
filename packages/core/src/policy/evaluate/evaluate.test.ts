import { describe, expect, it } from 'vitest'
import {
  judge,
  someCall,
  someGrant,
  somePolicy,
  someRated,
  someRisk,
  someRule,
} from '../../../../../test/model/case.ts'

const shell = someCall({ descriptor: { kind: 'execute', source: 'known', command: 'x' } })
const writing = (real: string | null) => someRisk({ paths: [{ given: 'f', real, use: 'write' }] })
const allow = someRule({ tool: ['write_file'] }, { id: 'allow' })

describe('a verdict', () => {
  it('comes from the rule, with its place, checks and reason (scenario 1)', () => {
    const rule = someRule(
      { tool: ['write_file'] },
      { id: 'own', file: 'policy.yaml', line: 7, checks: ['secrets'], timeoutMs: 9, reason: 'it is mine' },
    )
    expect(judge({ rules: [rule] })).toEqual({
      supervision: 'automatic',
      rule: { id: 'own', layer: 'user', file: 'policy.yaml', line: 7 },
      condition: 'tool: write_file',
      contributors: [{ id: 'own', layer: 'user', file: 'policy.yaml', line: 7 }],
      reasons: ['`own` allows it: it is mine'],
      checks: ['secrets'],
      settings: {},
      timeoutMs: 9,
      policyHash: 'hash',
      grant: null,
      limit: null,
    })
  })

  it('is plain data', () => {
    const verdict = judge({ rules: [allow, someRule({}, { floor: true, supervision: 'notify' })] })
    expect(JSON.parse(JSON.stringify(verdict))).toEqual(verdict)
    expect(structuredClone(verdict)).toEqual(verdict)
  })

  it('comes from the preset’s row for the risk if no rule matches', () => {
    const verdict = judge({ risk: someRisk({ level: 'critical' }) })
    expect(verdict.supervision).toBe('manual')
    expect(verdict.rule).toEqual({ id: 'preset.balanced.critical', layer: 'preset', file: 'preset:balanced', line: 1 })
  })

  it('is deny if any layer denies, despite allow rules and grants (scenario 2, H4)', () => {
    for (const layer of ['user', 'project', 'preset', 'managed', 'builtin'] as const) {
      const deny = someRule({}, { id: 'no', layer, supervision: 'deny' })
      const verdict = judge({ rules: [allow, deny], now: { grants: [someGrant()] } })
      expect(verdict).toMatchObject({ supervision: 'deny', rule: { id: 'no' }, grant: null })
    }
  })

  it('holds a tool without a description, one that asks for confirmation, and a server’s tool (scenario 3, H1)', () => {
    expect(judge({ call: someCall({ descriptor: { kind: 'other', source: 'nobody' } }) }).rule.id).toBe(
      'preset.balanced.undescribed',
    )
    expect(judge({ call: someCall({ requiresConfirmation: true }) })).toMatchObject({
      supervision: 'confirm',
      rule: { id: 'builtin.declared-confirm' },
    })
    expect(judge({ call: someCall({ source: 'mcp' }) })).toMatchObject({
      supervision: 'confirm',
      rule: { id: 'builtin.mcp-confirm' },
    })
  })

  it('is automatic by a person’s own rule although the tool asks for confirmation, and under the classic preset', () => {
    const call = someCall({ requiresConfirmation: true, source: 'mcp' })
    expect(judge({ call, rules: [allow] }).supervision).toBe('automatic')
    const { row } = somePolicy([])
    expect(judge({ call, set: { row: { ...row, ignoresDeclarations: true } } }).supervision).toBe('automatic')
  })

  it.each([{ requiresConfirmation: true }, { source: 'mcp' }])(
    'is not loosened by a preset’s own rule for %o',
    (declared) => {
      const rules = [someRule({ kind: ['write'] }, { layer: 'preset', supervision: 'notify', checks: ['backup'] })]
      expect(judge({ rules }).supervision).toBe('notify')
      expect(judge({ rules, call: someCall(declared) })).toMatchObject({ supervision: 'confirm', checks: ['backup'] })
      expect(judge({ rules: [...rules, allow], call: someCall(declared) }).supervision).toBe('automatic')
    },
  )

  it('comes from the nearest layer, then the most specific rule, then the strictest (scenario 5)', () => {
    const rules = [
      someRule({ tool: ['*'] }, { id: 'wide', supervision: 'manual' }),
      someRule({ tool: ['write_file'] }, { id: 'exact', supervision: 'notify' }),
      someRule({ tool: ['write_file'] }, { id: 'exact-strict', supervision: 'confirm' }),
      someRule({ kind: ['write'], tool: ['write_file'] }, { id: 'far', layer: 'project', supervision: 'manual' }),
    ]
    expect(judge({ rules })).toMatchObject({ supervision: 'confirm', rule: { id: 'exact-strict' } })
  })

  it('combines equal rules: the lowest `up_to`, every check, the shortest deadline, the first name', () => {
    const rules = [
      someRule({ risk: {} }, { id: 'b', upTo: 'high', checks: ['backup'], timeoutMs: 5 }),
      someRule({ hours: {} }, { id: 'a', upTo: 'low', checks: ['secrets'] }),
    ]
    expect(judge({ rules })).toMatchObject({
      supervision: 'automatic',
      rule: { id: 'a' },
      checks: ['backup', 'secrets'],
      timeoutMs: 5,
    })
    expect(judge({ rules, risk: someRisk({ level: 'medium' }) })).toMatchObject({
      supervision: 'confirm',
      rule: { id: 'preset.balanced.medium' },
    })
  })

  it('comes from the preset above a rule’s `up_to`, but is never looser than the rule', () => {
    const notify = someRule({}, { supervision: 'notify', upTo: 'none' })
    expect(judge({ rules: [notify] })).toMatchObject({ supervision: 'notify', rule: { id: 'rule' } })
    expect(judge({ rules: [allow], risk: someRisk({ level: 'high' }) })).toMatchObject({
      supervision: 'confirm',
      rule: { id: 'preset.balanced.high' },
    })
    expect(judge({ rules: [{ ...allow, upTo: 'critical' }], risk: someRisk({ level: 'critical' }) }).supervision).toBe(
      'automatic',
    )
  })
})

describe('floors', () => {
  it('raise the base verdict, are named if they decide, and add their checks', () => {
    const floor = someRule(
      { kind: ['write'] },
      { id: 'floor', layer: 'project', floor: true, supervision: 'confirm', checks: ['backup'], timeoutMs: 3 },
    )
    expect(judge({ rules: [allow, floor] })).toMatchObject({
      supervision: 'confirm',
      rule: { id: 'floor' },
      contributors: [{ id: 'floor' }, { id: 'allow' }],
      checks: ['backup'],
      timeoutMs: 3,
    })
    expect(judge({ rules: [{ ...allow, supervision: 'manual' }, floor] }).rule.id).toBe('allow')
  })

  it('never compete: a managed automatic rule does not loosen', () => {
    const managed = someRule({ path: { inside: ['/'] } }, { layer: 'managed', supervision: 'automatic' })
    expect(judge({ rules: [managed], risk: { ...writing('/srv/app/a'), level: 'medium' } }).supervision).toBe('confirm')
  })
})

describe('an undecidable condition', () => {
  it('turns a deny into a manual floor, keeps stricter rules, and loosens nothing', () => {
    const inside = { path: { inside: ['/etc'] } }
    const risk = writing(null)
    expect(judge({ rules: [allow, someRule(inside, { id: 'no', supervision: 'deny' })], risk })).toMatchObject({
      supervision: 'manual',
      rule: { id: 'no' },
    })
    expect(judge({ rules: [allow, someRule(inside, { id: 'ask', supervision: 'confirm' })], risk })).toMatchObject({
      supervision: 'confirm',
      rule: { id: 'ask' },
    })
    expect(
      judge({ rules: [someRule(inside, { upTo: 'critical' })], risk: { ...risk, level: 'medium' } }).supervision,
    ).toBe('confirm')
  })

  it('applies every deny on commands and paths to a command that was not understood', () => {
    const rules = [
      someRule({}, { upTo: 'critical' }),
      someRule({ path: { inside: ['~/.ssh'] } }, { id: 'keys', supervision: 'deny' }),
    ]
    const parts = [someRated(['echo', 'x'])]
    expect(judge({ rules, call: shell, risk: someRisk({ parts }) }).supervision).toBe('automatic')
    expect(judge({ rules, call: shell, risk: someRisk({ parts, understood: false }) })).toMatchObject({
      supervision: 'manual',
      rule: { id: 'keys' },
    })
  })
})

describe('a compound command', () => {
  const gitRead = someRule({ command: { program: ['git'], verb: ['status', 'log'] } }, { id: 'git-read' })

  it('is judged part by part (scenario 10, H2)', () => {
    const status = someRated(['git', 'status'], { level: 'none' })
    const remove = someRated(['rm', '-rf', '/home/ann'], {
      level: 'critical',
      paths: [{ given: '~', real: '/home/ann', use: 'delete' }],
    })
    expect(judge({ rules: [gitRead], call: shell, risk: someRisk({ level: 'none', parts: [status] }) }).rule.id).toBe(
      'git-read',
    )
    const both = judge({
      rules: [gitRead],
      call: shell,
      risk: someRisk({ level: 'critical', parts: [status, remove] }),
    })
    expect(both).toMatchObject({ supervision: 'manual', rule: { id: 'preset.balanced.critical' } })
    expect(both.contributors.map((rule) => rule.id)).toEqual(['preset.balanced.critical'])
    expect(
      judge({
        rules: [gitRead],
        call: shell,
        risk: someRisk({ level: 'medium', parts: [someRated(['git', 'add'], { level: 'medium' })] }),
      }).supervision,
    ).toBe('confirm')
  })

  it('is also judged as a whole if it is worse than its parts', () => {
    const parts = [someRated(['curl', 'x'], { level: 'low' }), someRated(['sh'], { level: 'low' })]
    expect(judge({ call: shell, risk: someRisk({ level: 'critical', parts }) }).supervision).toBe('manual')
  })

  it('is denied for a redirection into a forbidden folder, as a write (H3)', () => {
    const rules = [
      someRule({ kind: ['write'], path: { inside: ['/etc'] } }, { id: 'etc', supervision: 'deny' }),
      someRule({ command: { program: ['echo'] } }),
    ]
    const parts = [someRated(['echo', 'hi'], { paths: [{ given: '/etc/hosts', real: '/etc/hosts', use: 'write' }] })]
    expect(judge({ rules, call: shell, risk: someRisk({ parts }) })).toMatchObject({
      supervision: 'deny',
      rule: { id: 'etc' },
    })
  })
})

describe('paths', () => {
  const rules = [
    allow,
    someRule({ path: { inside: ['/etc'] } }, { id: 'system', supervision: 'deny' }),
    someRule({ path: { glob: ['**/.env*'] } }, { id: 'env', supervision: 'deny' }),
  ]

  it('are judged by their real location (scenario 11 and 12, H6 and H7)', () => {
    expect(judge({ rules, risk: writing('/etc/passwd') }).rule.id).toBe('system')
    expect(judge({ rules, risk: writing('/srv/app/.env') }).rule.id).toBe('env')
    expect(judge({ rules, risk: writing('/etcetera') }).supervision).toBe('automatic')
  })

  it('are judged one by one, and the strictest verdict decides', () => {
    const paths = ['/srv/app/a', '/etc/passwd'].map((real) => ({ given: real, real, use: 'read' as const }))
    expect(judge({ rules, risk: someRisk({ paths }) }).rule.id).toBe('system')
  })
})
