import { describe, expect, it } from 'vitest'
import type { Crypto } from '../../ports/crypto.ts'
import type { PolicyFile } from '../../ports/policy-files.ts'
import { lintPolicy } from './lint-policy.ts'

const options = { checkers: ['backup'], crypto: { sha256: (text: string) => String(text.length) } as unknown as Crypto }

const file = (rules: string, layer: PolicyFile['layer'] = 'user', trusted = false): PolicyFile => ({
  layer,
  trusted,
  name: `${layer}.yaml`,
  text: `version: 1\nrules:\n${rules
    .split('\n')
    .map((rule) => `  - { ${rule} }`)
    .join('\n')}\n`,
})

const warnings = (...files: PolicyFile[]) =>
  lintPolicy(files, options).warnings.map(({ file: name, line, message }) => `${name}:${line} ${message}`)

describe('lint warns of', () => {
  it.each([
    [
      'a shell by name',
      'id: a, tool: execute_command, supervision: automatic',
      'allows every command of `execute_command`',
    ],
    ['a shell by glob', 'id: a, tool: "run_*", supervision: notify', 'allows every command of `run_*`'],
    ['a shell by kind', 'id: a, kind: execute, supervision: automatic', 'allows every command of `execute`'],
    ['a deny marked as a floor', 'id: a, kind: send, supervision: deny, floor: true', 'always a floor'],
    ['a deny with a timeout', 'id: a, kind: send, supervision: deny, timeout: 5m', 'have no effect on a deny'],
    ['a deny with checks', 'id: a, kind: send, supervision: deny, checks: backup', 'have no effect on a deny'],
    ['a deny that misses MCP servers', 'id: a, tool: format_disk, supervision: deny', '`*/format_disk`'],
    ['a looser rule based on an agent’s name', 'id: a, tool: x, agent: me, supervision: automatic', 'can only tighten'],
    ['an unreachable range', 'id: a, tool: x, risk: high, supervision: automatic', 'never applies'],
    [
      'risks that exclude each other',
      'id: a, kind: read, all: [{ risk: { at_most: low } }, { risk: { at_least: high } }], supervision: deny',
      'no risk is at least high and at most low',
    ],
    [
      'a tool of another server',
      'id: a, tool: gh/x, server: lab, supervision: confirm',
      '`gh/x` is not a tool of that server',
    ],
    [
      'a tool that its own `not` excludes',
      'id: a, tool: "git_status", not: { tool: "git_*" }, supervision: confirm',
      'excludes all that it names',
    ],
    [
      'a tool that its own `unless` excludes',
      'id: a, tool: git_status, unless: { tool: git_status }, supervision: confirm',
      'excludes all that it names',
    ],
    [
      'a risk that a command does not have',
      'id: a, command: { program: git, verb: status }, risk: critical, supervision: deny',
      '`git status` is at most',
    ],
    [
      'running critical calls automatically',
      'id: a, tool: x, supervision: automatic, up_to: critical',
      'even critical calls',
    ],
    [
      'a risk that a tool never has',
      'id: a, tool: create_ticket, risk: critical, supervision: manual',
      'raises_to: critical',
    ],
    [
      'a risk that a tool always exceeds',
      'id: a, tool: drop_database, risk: { at_most: low }, supervision: confirm',
      'at least critical in every call',
    ],
    ['hours without a time zone', 'id: a, tool: x, hours: { inside: "08:00-20:00" }, supervision: confirm', 'UTC'],
    [
      'hours without a time zone, nested',
      'id: a, tool: x, any: [{ not: { hours: { days: mon } } }], supervision: confirm',
      'UTC',
    ],
  ])('%s', (_what, rule, message) => {
    expect(warnings(file(rule))).toEqual([expect.stringContaining(`user.yaml:3 `)])
    expect(warnings(file(rule))[0]).toContain(message)
  })

  it('a rule with the same conditions as a stricter one', () => {
    const found = warnings(
      file(
        'id: a, tool: [x, z], kind: read, supervision: confirm\nid: b, kind: read, tool: [z, x], supervision: automatic',
      ),
    )
    expect(found).toEqual([
      'user.yaml:4 `b` never wins: `a` in `user.yaml` line 3 has the same conditions and is stricter',
    ])
  })

  it('a rule that duplicates another', () => {
    expect(warnings(file('id: a, tool: x, supervision: confirm\nid: b, tool: x, supervision: confirm'))[0]).toContain(
      'duplicates',
    )
  })

  it('a rule that another layer denies', () => {
    const found = warnings(
      file('id: a, kind: send, supervision: automatic'),
      file('id: b, kind: send, supervision: deny', 'managed'),
    )
    expect(found).toEqual([expect.stringContaining('user.yaml:3 `a` never wins')])
  })

  it('permissions without effect', () => {
    expect(warnings(file('id: a, tool: x, supervision: automatic', 'managed'))[0]).toContain(
      'a managed file can only tighten',
    )
    expect(warnings(file('id: a, tool: x, supervision: automatic', 'project'))[0]).toContain('countersign trust')
    expect(warnings(file('id: a, tool: x, supervision: automatic', 'project', true))).toEqual([])
  })
})

describe('lint is silent about', () => {
  it.each([
    'id: a, tool: execute_command, command: { program: git }, supervision: automatic',
    'id: a, tool: execute_command, supervision: confirm',
    'id: a, tool: "*/format", supervision: deny',
    'id: a, tool: [format, "*/format"], supervision: deny',
    'id: a, tool: x, risk: high, up_to: high, supervision: automatic',
    'id: a, tool: x, supervision: confirm\nid: b, tool: x, supervision: manual, floor: true',
    'id: a, tool: x, agent: me, supervision: manual',
  ])('%s', (rules) => {
    expect(warnings(file(rules))).toEqual([])
  })

  it('a preference for one layer over another', () => {
    expect(
      warnings(
        file('id: a, tool: x, supervision: automatic'),
        file('id: b, tool: x, supervision: confirm', 'project', true),
      ),
    ).toEqual([])
  })
})

it('lint returns the problems of a bad file and the warnings of good ones', () => {
  const found = lintPolicy(
    [file('id: a, tool: x, supervision: denyy'), file('id: a, kind: execute, supervision: automatic', 'project', true)],
    options,
  )
  expect(found.problems).toHaveLength(1)
  expect(found.warnings).toHaveLength(1)
})

describe('a risk that another rule states', () => {
  const denied = 'id: a, tool: "*/update_row", risk: critical, supervision: deny'
  const exact = 'id: a, tool: crm/update_row, risk: critical, supervision: deny'

  it('can be met, so lint is silent', () => {
    expect(warnings(file(exact))).toEqual([expect.stringContaining('hardly applies')])
    expect(warnings(file(`${exact}\nid: b, tool: "crm/*", raises_to: critical`))).toEqual([])
    expect(warnings(file(denied))).toEqual([])
  })

  it('for other tools changes nothing', () => {
    expect(warnings(file(`${exact}\nid: b, tool: crm/list, raises_to: critical`))).toEqual([
      expect.stringContaining('hardly applies'),
    ])
  })
})
