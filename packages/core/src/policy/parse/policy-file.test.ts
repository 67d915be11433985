import { describe, expect, it } from 'vitest'
import { formatProblem } from '../model/policy-problem.ts'
import type { Layer } from '../model/rule.ts'
import type { RefusedFile } from './document.ts'
import { type LoadedFile, loadPolicyFile } from './policy-file.ts'

const known = { checkers: ['backup', 'secrets', 'disk-space'] }

function load(text: string, layer: Layer = 'user'): LoadedFile | RefusedFile {
  return loadPolicyFile({ layer, name: 'policy.yaml', text }, known)
}

function loaded(text: string, layer: Layer = 'user'): LoadedFile {
  const file = load(text, layer)
  if (file.kind === 'refused') throw new Error(file.problems.map(formatProblem).join('\n'))
  return file
}

const rule = (body: string): string => `version: 1\nrules:\n  - ${body.split('\n').join('\n    ')}\n`

describe('a loaded rule', () => {
  const when = (body: string) => loaded(rule(`${body}\nsupervision: deny`)).rules[0]?.when

  it.each([
    ['tool: x', { tool: ['x'] }],
    ['tool: [x, "server/*"]', { tool: ['x', 'server/*'] }],
    ['kind: [read, write]', { kind: ['read', 'write'] }],
    ['path: "src/**"', { path: { glob: ['src/**'] } }],
    ['path: [~/.ssh/**, "${home}/.aws/**"]', { path: { glob: ['~/.ssh/**', '${home}/.aws/**'] } }],
    ['path: { inside: "${workspace}", except: .git/** }', { path: { inside: ['${workspace}'], except: ['.git/**'] } }],
    [
      'args: { a: prod, b: 3, c: true, d: null }',
      { args: { a: { equals: 'prod' }, b: { equals: 3 }, c: { equals: true }, d: { equals: null } } },
    ],
    ['args: { a: [x, y] }', { args: { a: { in: ['x', 'y'] } } }],
    ['args: { a.b: { equals: { c: [1] } } }', { args: { 'a.b': { equals: { c: [1] } } } }],
    [
      'args: { a: { above: 1, below: 9 }, b: { glob: prod-*, regex: "^p" } }',
      { args: { a: { above: 1, below: 9 }, b: { glob: 'prod-*', regex: '^p' } } },
    ],
    ['args: { flag: "no", mode: "010" }', { args: { flag: { equals: 'no' }, mode: { equals: '010' } } }],
    [
      'command: { program: git, verb: [push, "re*"], flags: [-f, --force] }',
      { command: { program: ['git'], verb: ['push', 're*'], flags: ['-f', '--force'] } },
    ],
    ['tool: on', { tool: ['on'] }],
    ['url: "*.example.com"', { url: { host: ['*.example.com'] } }],
    [
      'url: { scheme: http, host: a.com, method: [POST, PUT] }',
      { url: { scheme: ['http'], host: ['a.com'], method: ['POST', 'PUT'] } },
    ],
    ['risk: high', { risk: { at_least: 'high' } }],
    ['risk: { at_least: low, at_most: high }', { risk: { at_least: 'low', at_most: 'high' } }],
    ['annotations: { destructiveHint: true }', { annotations: { destructiveHint: true } }],
    [
      'hours: { outside: "22:00-06:00", zone: Europe/Vienna, days: [fri-mon, mon] }',
      { hours: { outside: '22:00-06:00', zone: 'Europe/Vienna', days: ['fri', 'sat', 'sun', 'mon'] } },
    ],
    [
      'any: [{ tool: x }, { not: { all: [{ kind: read }] } }]',
      { any: [{ tool: ['x'] }, { not: { all: [{ kind: ['read'] }] } }] },
    ],
    ['server: s\nagent: [a, b*]', { server: ['s'], agent: ['a', 'b*'] }],
  ])('%s', (body, expected) => {
    expect(when(body)).toEqual(expected)
  })

  it('gets defaults for omitted fields', () => {
    expect(loaded(rule('tool: x\nsupervision: automatic')).rules).toEqual([
      {
        id: 'policy.yaml#1',
        layer: 'user',
        file: 'policy.yaml',
        line: 3,
        when: { tool: ['x'] },
        unless: null,
        supervision: 'automatic',
        floor: false,
        upTo: 'medium',
        checks: [],
        timeoutMs: null,
        reason: null,
      },
    ])
  })

  it('keeps the fields that are set', () => {
    const text = rule(
      'id: a\ntool: x\nunless: { agent: b }\nsupervision: notify\nup_to: high\nchecks: [backup, backup]\ntimeout: 90s\nreason: >\n  two\n  lines',
    )
    expect(loaded(text).rules[0]).toMatchObject({
      id: 'a',
      unless: { agent: ['b'] },
      supervision: 'notify',
      upTo: 'high',
      checks: ['backup'],
      timeoutMs: 90_000,
      reason: 'two lines',
    })
  })

  it('can be both a deny and a floor', () => {
    expect(loaded(rule('tool: x\nsupervision: deny\nfloor: true')).rules[0]).toMatchObject({
      supervision: 'deny',
      floor: true,
    })
  })

  it('can come from a short form', () => {
    const { rules } = loaded(
      'version: 1\ntools: { read_file: automatic, deploy: manual, wipe: deny }\nauto_approve: ["list_*"]\nnever_allow: ["format_*", "db/drop_*"]\n',
    )
    expect(rules.map(({ id, when, supervision, line }) => [id, when.tool, supervision, line])).toEqual([
      ['tools.read_file', ['read_file'], 'automatic', 2],
      ['tools.deploy', ['deploy'], 'manual', 2],
      ['tools.wipe', ['wipe', '*/wipe'], 'deny', 2],
      ['auto_approve[0]', ['list_*'], 'automatic', 3],
      ['never_allow[0]', ['format_*', '*/format_*'], 'deny', 4],
      ['never_allow[1]', ['db/drop_*'], 'deny', 4],
    ])
  })

  it('comes with limits, defaults and tests and their lines', () => {
    const file = loaded(
      'version: 1\ndefaults: { timeout: 2h }\nlimits:\n  calls: [200/h, 1000/d]\n  files: 50/session\ntests:\n  - call: { tool: x }\n    expect: { supervision: deny }\n',
    )
    expect(file.timeoutMs).toBe(7_200_000)
    expect(file.limits.map(({ name, most, windowMs, line }) => [name, most, windowMs, line])).toEqual([
      ['calls', 200, 3_600_000, 4],
      ['calls', 1000, 86_400_000, 4],
      ['files', 50, null, 5],
    ])
    expect(file.tests).toEqual([
      { call: { tool: 'x', args: {} }, expect: { supervision: 'deny' }, file: 'policy.yaml', line: 7 },
    ])
  })
})
