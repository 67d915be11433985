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

/** Removes the mark `▶` from a text and returns its position. */
function marked(text: string): { readonly text: string; readonly line: number; readonly column: number } {
  const before = text.slice(0, text.indexOf('▶')).split('\n')
  return { text: text.replace('▶', ''), line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

const rule = (body: string): string => `version: 1\nrules:\n  - ${body.split('\n').join('\n    ')}\n`

/** The mistake, its place (▶), the message, and the suggestion. */
const BAD: readonly (readonly [string, string, string, string?])[] = [
  // Keys
  ['an unknown key in the file', 'version: 1\n▶rule: []', 'not a key of the file', 'rules'],
  ['an unknown key without a close match', 'version: 1\n▶frobnicate: 1', 'it has version'],
  [
    'an unknown key in a rule',
    rule('tool: x\n▶suprvision: deny\nsupervision: deny'),
    'not a key of a rule',
    'supervision',
  ],
  ['a key in the wrong case', rule('tool: x\nsupervision: automatic\n▶upTo: high'), 'not a key of a rule', 'up_to'],
  ['a key with a dash', rule('tool: x\nsupervision: automatic\n▶up-to: high'), 'not a key of a rule', 'up_to'],
  ['an unknown key in `path`', rule('path: { ▶insde: src }\nsupervision: deny'), 'not a key of `path`', 'inside'],
  [
    'an unknown key in `command`',
    rule('command: { ▶prog: git }\nsupervision: deny'),
    'not a key of `command`',
    'program',
  ],
  ['an unknown key in `url`', rule('url: { ▶hots: a.com }\nsupervision: deny'), 'not a key of `url`', 'host'],
  ['an unknown key in `risk`', rule('risk: { ▶atleast: high }\nsupervision: deny'), 'not a key of `risk`', 'at_least'],
  [
    'an unknown key in `hours`',
    rule('hours: { ▶insid: "08:00-20:00" }\nsupervision: deny'),
    'not a key of `hours`',
    'inside',
  ],
  ['an unknown argument condition', rule('args: { a: { ▶equal: 1 } }\nsupervision: deny'), 'not a key of', 'equals'],
  ['an unknown hint', rule('annotations: { ▶readOnly: true }\nsupervision: deny'), 'annotations', 'readOnlyHint'],
  ['an unknown key inside `any`', rule('any:\n  - ▶tol: x\nsupervision: deny'), 'not a key of conditions', 'tool'],
  ['an unknown key inside `all`', rule('all: [{ tool: x }, { ▶knd: read }]\nsupervision: deny'), 'conditions', 'kind'],
  ['an unknown key inside `not`', rule('not: { ▶toool: x }\nsupervision: deny'), 'conditions', 'tool'],
  ['an unknown key inside `unless`', rule('tool: x\nunless: { ▶aget: x }\nsupervision: deny'), 'conditions', 'agent'],
  ['`supervision` inside `any`', rule('any:\n  - tool: x\n    ▶supervision: deny\nsupervision: deny'), 'conditions'],
  ['an unknown default', 'version: 1\ndefaults: { ▶timout: 5m }', 'not a key of `defaults`', 'timeout'],
  ['an unknown limit', 'version: 1\nlimits: { ▶call: 5/h }', 'not a key of `limits`', 'calls'],
  ['a key from a later version', rule('tool: x\nsupervision: manual\n▶approvers: { count: 2 }'), 'not enforced yet'],
  ['a file key from a later version', 'version: 1\n▶escalation: { after: 5m }', 'not enforced yet'],
  ['the rows of a preset', 'version: 1\n▶rows: { none: deny }', 'built-in presets'],
  // Words
  ['an unknown supervision', rule('tool: x\nsupervision: ▶denny'), 'not one of automatic', 'deny'],
  ['a supervision in capitals', rule('tool: x\nsupervision: ▶Deny'), 'not one of automatic', 'deny'],
  ['a supervision from another program', rule('tool: x\nsupervision: ▶allow'), 'not one of automatic'],
  ['a boolean as supervision', rule('tool: x\nsupervision: ▶true'), 'not one of automatic'],
  ['an empty supervision', rule('tool: x\nsupervision:▶'), '`supervision` has no value'],
  ['an unknown kind', rule('kind: ▶wirte\nsupervision: deny'), 'not one of read', 'write'],
  ['an unknown kind in a list', rule('kind: [read, ▶exec]\nsupervision: deny'), 'not one of read', 'execute'],
  ['a number as kind', rule('kind: ▶5\nsupervision: deny'), 'expected one of read'],
  ['an unknown risk', rule('risk: ▶hihg\nsupervision: deny'), 'not one of none', 'high'],
  ['an unknown up_to', rule('tool: x\nsupervision: automatic\nup_to: ▶med'), 'not one of none', 'medium'],
  ['an unknown preset', 'version: 1\npreset: ▶paranoyd', 'not one of paranoid', 'paranoid'],
  [
    'an unknown checker',
    rule('tool: x\nsupervision: deny\nchecks: [backup, ▶secret]'),
    'no checker is called',
    'secrets',
  ],
  [
    'an unknown checker, alone',
    rule('tool: x\nsupervision: deny\nchecks: ▶disk-spce'),
    'no checker is called',
    'disk-space',
  ],
  ['an unknown method', rule('url: { method: ▶PSOT }\nsupervision: deny'), 'not one of GET', 'POST'],
  ['another version', '▶version: 2'.replace('▶version: ', 'version: ▶'), 'write 1'],
  ['a missing version', '▶preset: balanced', '`version` is missing'],
  // Values
  ['a number as tool', rule('tool: ▶3\nsupervision: deny'), 'found the number'],
  ['a map as tool', rule('tool: ▶{ a: b }\nsupervision: deny'), 'found a map'],
  ['an empty tool', rule('tool:▶\nsupervision: deny'), 'found nothing'],
  ['an empty list of tools', rule('tool: ▶[]\nsupervision: deny'), 'is empty'],
  ['an empty list of rules', 'version: 1\nrules: ▶[]', 'is empty'],
  ['an empty never_allow', 'version: 1\nnever_allow: ▶[]', 'is empty'],
  ['a missing value of never_allow', 'version: 1\nnever_allow:▶', 'has no value'],
  ['a string as never_allow', 'version: 1\nnever_allow: ▶rm*', 'expected a list'],
  ['a map as rules', 'version: 1\nrules: ▶{ a: 1 }', 'expected a list, found a map'],
  ['a string as rule', rule('▶deny everything'), 'expected a map'],
  ['a question mark in a tool', rule('tool: ▶"a?b"\nsupervision: deny'), 'only `*` is special'],
  ['braces in never_allow', 'version: 1\nnever_allow: [▶"rm_{a,b}"]', 'only `*` is special'],
  ['an unclosed bracket in a path', rule('path: ▶"a[b"\nsupervision: deny'), 'never closed'],
  ['a path with ..', rule('path: ▶../secrets/**\nsupervision: deny'), 'resolved before matching'],
  ['an unknown place', rule('path: { inside: ▶"${workspce}/src" }\nsupervision: deny'), '${workspace}'],
  ['a shell variable', rule('path: { inside: ▶$HOME/src }\nsupervision: deny'), 'write ${home}'],
  ['a pattern as folder', rule('path: { inside: ▶"src/*" }\nsupervision: deny'), '`glob` takes patterns'],
  ['a backslash in a path', rule("path: ▶'src\\x'\nsupervision: deny"), 'backslash'],
  ['an empty path', rule('path: ▶{}\nsupervision: deny'), '`path` is empty'],
  ['an empty any', rule('any: ▶[]\nsupervision: deny'), 'is empty'],
  ['an empty not', rule('not: ▶{}\nsupervision: deny'), 'no condition here'],
  ['a bad regex', rule('args: { a: { regex: ▶"(" } }\nsupervision: deny'), 'not a regular expression'],
  ['a back-reference', rule("args: { a: { regex: ▶'(a)\\1' } }\nsupervision: deny"), 'back-references'],
  ['a look-ahead', rule('args: { a: { regex: ▶"(?=a)b" } }\nsupervision: deny'), 'look-ahead'],
  ['a look-behind', rule('args: { a: { regex: ▶"(?<!a)b" } }\nsupervision: deny'), 'look-ahead'],
  ['contradictory numbers', rule('args: { a: ▶{ above: 5, below: 5 } }\nsupervision: deny'), 'no number is above'],
  [
    '`equals` next to another condition',
    rule('args: { a: ▶{ equals: 1, above: 0 } }\nsupervision: deny'),
    'can’t be combined',
  ],
  ['a prototype as argument name', rule('args: { ▶a.__proto__: 1 }\nsupervision: deny'), 'cannot be the name'],
  ['an index as argument name', rule('args: { ▶files.0: x }\nsupervision: deny'), 'searched completely'],
  ['an empty segment', rule('args: { ▶a..b: x }\nsupervision: deny'), 'not the name of an argument'],
  ['an empty args', rule('args: ▶{}\nsupervision: deny'), '`args` is empty'],
  ['a string as number', rule('args: { a: { above: ▶ten } }\nsupervision: deny'), 'expected a number'],
  ['a command line', rule('command: ▶git status\nsupervision: deny'), '{ program: git, verb: status }'],
  ['a program with a folder', rule('command: { program: ▶/bin/rm }\nsupervision: deny'), 'bare name'],
  ['a flag without a dash', rule('command: { program: rm, flags: ▶rf }\nsupervision: deny'), 'a flag such as'],
  ['a flag with its value', rule('command: { flags: ▶--force=yes }\nsupervision: deny'), 'without its value'],
  ['a verb that is a flag', rule('command: { verb: ▶-x }\nsupervision: deny'), 'a word such as'],
  ['a URL as host', rule('url: ▶https://a.com/\nsupervision: deny'), 'full URL'],
  ['a host with a port', rule('url: { host: ▶"a.com:80" }\nsupervision: deny'), 'without its port'],
  ['contradictory risk levels', rule('risk: ▶{ at_least: high, at_most: low }\nsupervision: deny'), 'no risk is'],
  ['hours that do not exist', rule('hours: { inside: ▶"25:00-26:00" }\nsupervision: deny'), 'range of hours'],
  ['hours without minutes', rule('hours: { inside: ▶8-20 }\nsupervision: deny'), 'range of hours'],
  ['empty hours', rule('hours: { inside: ▶"08:00-08:00" }\nsupervision: deny'), 'is empty'],
  [
    'hours inside and outside',
    rule('hours: ▶{ inside: "08:00-20:00", outside: "10:00-12:00" }\nsupervision: deny'),
    'write one',
  ],
  [
    'an unknown zone',
    rule('hours: { inside: "08:00-20:00", zone: ▶Europe/Viena }\nsupervision: deny'),
    'time zone',
    'Europe/Vienna',
  ],
  ['an unknown day', rule('hours: { days: ▶someday }\nsupervision: deny'), 'a day (mon'],
  ['a duration without a unit', rule('tool: x\nsupervision: manual\ntimeout: ▶300'), 'a duration such as'],
  ['a duration in weeks', rule('tool: x\nsupervision: manual\ntimeout: ▶2w'), 'a duration such as'],
  ['a timeout over a week', rule('tool: x\nsupervision: manual\ntimeout: ▶8d'), 'between 1s and 7d'],
  ['a timeout of zero', rule('tool: x\nsupervision: manual\ntimeout: ▶0s'), 'a duration such as'],
  ['a limit without a window', 'version: 1\nlimits: { calls: ▶200 }', 'a limit such as'],
  ['a limit per week', 'version: 1\nlimits: { calls: ▶200/w }', 'a limit such as'],
  ['a limit of zero', 'version: 1\nlimits: { calls: ▶0/h }', 'a limit such as'],
  ['a floor that is a string', rule('tool: x\nsupervision: manual\nfloor: ▶"true"'), 'expected true or false'],
  ['a floor with `automatic`', rule('tool: x\nsupervision: automatic\nfloor: ▶true'), 'has no effect'],
  [
    '`up_to` with `confirm`',
    rule('tool: x\nsupervision: confirm\nup_to: ▶high'),
    'applies only to automatic or notify',
  ],
  [
    '`up_to` with a floor',
    rule('tool: x\nsupervision: notify\nfloor: true\nup_to: ▶high'),
    'applies only to automatic or notify',
  ],
  ['`up_to` with `deny`', rule('tool: x\nsupervision: deny\nup_to: ▶high'), 'applies only to automatic or notify'],
  ['a rule without conditions', rule('▶supervision: deny'), 'needs a condition'],
  ['a rule with only an exception', rule('▶unless: { tool: x }\nsupervision: deny'), 'needs a condition'],
  ['a rule without supervision', rule('▶tool: x'), '`supervision` is missing'],
  ['an id with a space', rule('id: ▶no prod\ntool: x\nsupervision: deny'), 'an id'],
  [
    'a duplicate id',
    `${rule('id: a\ntool: x\nsupervision: deny')}  - id: ▶a\n    tool: y\n    supervision: deny\n`,
    'taken',
  ],
  [
    'an id reserved for a short form',
    `tools: { x: deny }\n${rule('id: ▶tools.x\ntool: y\nsupervision: deny')}`,
    'taken',
  ],
  ['a reason with an escape sequence', rule('tool: x\nsupervision: deny\nreason: ▶"a\\e[31mb"'), 'invisible'],
  ['a test without a call', 'version: 1\ntests:\n  - ▶expect: { supervision: deny }', '`call` is missing'],
  [
    'a test without an expectation',
    'version: 1\ntests:\n  - call: { tool: x }\n    expect: ▶{}',
    '`supervision` is missing',
  ],
  [
    'a test with an invalid time',
    'version: 1\ntests:\n  - call: { tool: x }\n    at: ▶noon\n    expect: { supervision: deny }',
    'a time such as',
  ],
  // YAML
  ['an anchor', 'version: 1\nrules: ▶&all []', 'anchors'],
  ['an alias', 'version: 1\nauto_approve: [▶*]', 'in quotes'],
  ['a tag', 'version: 1\npreset: ▶!!str balanced', 'tags'],
  ['a custom tag', 'version: 1\nnever_allow: ▶!env X', 'tags'],
  ['a merge key', rule('▶<<: { tool: x }\nsupervision: deny'), 'merge keys'],
  ['a directive', '▶%YAML 1.1\n---\nversion: 1', 'directives'],
  ['a second document', 'version: 1\n▶---\nversion: 1', 'one document'],
  ['a duplicate key', rule('tool: x\nsupervision: deny\n▶tool: y'), 'written twice'],
  ['a duplicate key, once in quotes', 'version: 1\n▶"version": 1', 'written twice'],
  ['a key that is not a string', 'version: 1\n▶1: x', 'must be text'],
  ['a key that is a list', 'version: 1\n? ▶[a]\n: x', 'must be text'],
  ['a prototype', 'version: 1\n▶__proto__: { preset: classic }', 'cannot be a key'],
  ['a constructor', rule('tool: x\nsupervision: deny\nargs: { ▶constructor: 1 }'), 'cannot be a key'],
  ['a tab', 'version: 1\nrules:\n▶\t- tool: x', 'tabs'],
  ['`no` as a value', rule('args: { force: ▶no }\nsupervision: deny'), 'true or false'],
  ['`Yes` as a value', rule('args: { force: ▶Yes }\nsupervision: deny'), 'true or false'],
  ['a number with a leading zero', rule('args: { mode: ▶010 }\nsupervision: deny'), 'octal'],
  ['a hexadecimal number', rule('args: { mode: ▶0x1F }\nsupervision: deny'), 'in decimal'],
  ['infinity', rule('args: { a: { above: ▶.inf } }\nsupervision: deny'), 'not a number that a call can contain'],
  ['a number that is not exact', rule('args: { id: ▶9007199254740993 }\nsupervision: deny'), 'too large to be exact'],
  ['a zero-width space', 'version: 1\nnever_allow: [rm▶\u200bx]', 'U+200B'],
  ['a bidi override in a comment', 'version: 1 # ▶\u202e', 'U+202E'],
  ['a no-break space', 'version:▶\u00a01', 'U+00A0'],
  ['a lone carriage return', 'version: 1▶\rpreset: classic', 'U+000D'],
  ['an escape character', 'version: 1 # ▶\u001b[31m', 'U+001B'],
  ['an unclosed list', 'version: 1\nnever_allow: [a, b▶', 'end with a ]'],
  ['an unclosed quote', 'version: 1\nnever_allow: ["a, b]\n▶'.trimEnd().replace('\n▶', '▶'), 'quote'],
  ['an empty file', '▶', 'the file is empty'],
  ['a file with only a comment', '▶# later', 'the file is empty'],
  ['a list as file', '▶- version: 1', 'expected a map'],
  ['a string as file', '▶balanced', 'expected a map'],
]

describe('loading a policy file', () => {
  for (const [what, source, message, suggestion] of BAD) {
    it(`refuses ${what}`, () => {
      const { text, line, column } = marked(source)
      const file = load(text)
      if (file.kind === 'loaded') throw new Error('it loaded')
      const found = file.problems.find((problem) => problem.message.includes(message))
      expect(found, file.problems.map(formatProblem).join('\n')).toMatchObject({ file: 'policy.yaml', line, column })
      expect(found?.suggestion).toBe(suggestion)
    })
  }

  it('reports every problem of a file, in reading order', () => {
    const file = load(
      'version: 2\nrules:\n  - tol: x\n    supervision: denyy\n    args: { a: no }\n    checks: [backu]\n  - tool: y\nnever_alow: [z]\n',
    )
    if (file.kind === 'loaded') throw new Error('it loaded')
    expect(file.problems.map(({ line, column }) => `${line}:${column}`)).toEqual([
      '1:10',
      '3:5',
      '4:18',
      '5:16',
      '6:14',
      '7:5',
      '8:1',
    ])
  })

  it('reports every invalid value of a list', () => {
    const file = load('version: 1\nnever_allow: ["a?", ok, "b[", 3]')
    if (file.kind === 'loaded') throw new Error('it loaded')
    expect(file.problems.map(({ column }) => column)).toEqual([15, 25, 31])
  })

  it('gives each problem a stable code', () => {
    const codes = [
      'version: [',
      'version: 2',
      'a'.repeat(300_000),
      rule('tool: x\nsupervision: deny\nchecks: no-such'),
    ].map((text) => {
      const file = load(text)
      return file.kind === 'refused' ? file.problems[0]?.code : 'loaded'
    })
    expect(codes).toEqual(['CS_POLICY_SYNTAX', 'CS_POLICY_INVALID', 'CS_POLICY_TOO_LARGE', 'CS_CHECK_UNKNOWN'])
  })

  it('escapes the file’s text for the terminal', () => {
    const file = load('version: 1\npreset: "a\\e[31m`\\u202e\\nb"')
    const line = file.kind === 'refused' ? file.problems.map(formatProblem).join('') : ''
    expect(line).toContain('`a\\u{1b}[31m\\u{60}\\u{202e}\\u{a}b`')
    expect(line).not.toMatch(/[^\P{C}]/u)
  })

  it('refuses a preset in a project file and accepts it from a person or an organisation', () => {
    expect(load('version: 1\npreset: classic', 'project')).toMatchObject({ problems: [{ line: 2, column: 1 }] })
    expect(loaded('version: 1\npreset: classic', 'managed').preset).toEqual({ name: 'classic', line: 2, column: 9 })
  })

  it('accepts CRLF and a byte order mark', () => {
    expect(loaded('\uFEFFversion: 1\r\nrules:\r\n  - tool: x\r\n    supervision: deny\r\n').rules[0]).toMatchObject({
      line: 3,
      when: { tool: ['x'] },
    })
    expect(load('\uFEFFversion: 1\r\nrulse: 1\r\n')).toMatchObject({ problems: [{ line: 2, column: 1 }] })
  })
})
