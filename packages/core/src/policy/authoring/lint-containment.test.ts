import { describe, expect, it } from 'vitest'
import type { Crypto } from '../../ports/crypto.ts'
import type { PolicyFile } from '../../ports/policy-files.ts'
import { lintPolicy } from './lint-policy.ts'

const options = { checkers: [], crypto: { sha256: (text: string) => String(text.length) } as unknown as Crypto }

function lint(rule: string, more = '', layer: PolicyFile['layer'] = 'user') {
  const text = `version: 1\n${more}rules:\n  - { id: a, ${rule} }\n`
  const { problems, warnings, notes } = lintPolicy([{ layer, trusted: true, name: 'p.yaml', text }], options)
  expect(problems).toEqual([])
  return { warnings: warnings.map(({ message }) => message), notes: notes.map(({ message }) => message) }
}

describe('lint warns of commands that need more than the sandbox gives', () => {
  it.each([
    [
      'command: { program: docker }',
      'runs `docker` in the sandbox, where it can’t work; set `confirm`, or add `contain',
    ],
    ['command: { program: [git, ssh] }', 'runs `ssh` in the sandbox, where it can’t work'],
    ['command: { program: npm, verb: [ci, install] }', 'contact with `registry.npmjs.org`; add `network: packages`'],
    ['command: { program: pip, verb: install }', 'contact with `pypi.org`; add `network: packages`'],
    [
      'command: { program: npm, verb: publish }',
      'add the condition `network: registry.npmjs.org` and `contain: { credentials: npm }`',
    ],
    [
      'command: { program: git, verb: [status, push] }',
      '`git push` in the sandbox, which has no network; add the hosts it needs, such as `contain: { network: github.com, credentials: git }`',
    ],
    ['command: { program: gh }', '`contain: { network: github.com, credentials: gh }`'],
    ['command: { program: git, verb: clone }', 'as a condition, such as `network: example.com`'],
    ['command: { program: curl }', 'as a condition, such as `network: example.com`'],
    ['command: { program: curl }, contain: { network: example.com }', 'as a condition, such as `network: example.com`'],
    ['any: [{ command: { program: wget } }, { tool: x }]', 'runs `wget` in the sandbox, which has no network'],
    [
      'command: { program: cp }, path: { inside: ["${workspace}", /data/in] }',
      'allows commands in `/data/in`, which the sandbox does not show; add `contain: { read: /data/in }`, or `write`',
    ],
    ['command: { program: cat }, path: "~/notes/**"', 'commands in `~/notes`'],
  ])('%s', (rule, message) => {
    expect(lint(`${rule}, supervision: automatic`).warnings).toEqual([expect.stringContaining(message)])
  })

  it('and suggests no `contain: false` where it is refused', () => {
    const [message] = lint('command: { program: docker }, supervision: automatic', '', 'project').warnings
    expect(message).toMatch(/set `confirm`$/)
  })
})

describe('lint is silent about', () => {
  it.each([
    'command: { program: git, verb: [status, log] }, supervision: automatic',
    'command: { program: git }, supervision: automatic',
    'command: { program: npm, verb: test }, supervision: automatic',
    'command: { program: python }, supervision: automatic',
    'command: { program: docker }, supervision: confirm',
    'command: { program: docker }, supervision: deny',
    'command: { program: curl }, network: example.com, supervision: automatic',
    'command: { program: git, verb: push }, contain: { network: github.com }, supervision: automatic',
    'command: { program: cp }, path: { inside: /data/in }, contain: { read: /data }, supervision: automatic',
    'command: { program: ls }, path: { inside: /usr/share }, supervision: automatic',
    'kind: write, path: { inside: /data }, supervision: notify',
    'not: { command: { program: docker } }, supervision: confirm',
  ])('%s', (rule) => {
    expect(lint(rule)).toEqual({ warnings: [], notes: [] })
  })

  it('hosts that `network:` names', () => {
    expect(lint('command: { program: npm, verb: ci }, supervision: automatic', 'network: packages\n').warnings).toEqual(
      [],
    )
  })

  it('everything under `classic`, which uses no sandbox', () => {
    expect(lint('command: { program: docker }, supervision: automatic', 'preset: classic\n').warnings).toEqual([])
  })
})

describe('`contain: false`', () => {
  it('gets a note', () => {
    expect(lint('command: { program: docker }, supervision: automatic, contain: false')).toEqual({
      warnings: [],
      notes: ['`a` runs commands outside the sandbox without approval, up to medium risk'],
    })
  })

  it('has no effect where a person approves', () => {
    const { warnings, notes } = lint('command: { program: docker }, supervision: confirm, contain: false')
    expect(warnings).toEqual([expect.stringContaining('approved commands run outside the sandbox anyway')])
    expect(notes).toEqual([])
  })

  it.each(['supervision: deny', 'supervision: notify, floor: true'])('nor has any `contain` with %s', (said) => {
    expect(lint(`command: { program: make }, ${said}, contain: { network: a.example }`).warnings).toEqual([
      expect.stringContaining('`contain` has no effect on a '),
    ])
  })
})
