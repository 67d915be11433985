import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatProblem } from '../model/policy-problem.ts'
import { loadKnowledgeFile } from './knowledge-file.ts'

const load = (text: string) => loadKnowledgeFile({ name: 'k.yaml', text })

function problemsOf(text: string): readonly string[] {
  const loaded = load(text)
  return loaded.kind === 'loaded' ? [] : loaded.problems.map(formatProblem)
}

const program = (...lines: readonly string[]) =>
  `version: 1\nprograms:\n  - names: [acme]\n${lines.map((line) => `    ${line}\n`).join('')}`
const tool = (...lines: readonly string[]) =>
  `version: 1\ntools:\n  - names: [acme/pay]\n${lines.map((line) => `    ${line}\n`).join('')}`

describe('a knowledge file', () => {
  it('has programs and tools, with the line of every answer', () => {
    const loaded = load(`version: 1
programs:
  - names: [acme, acme2]
    verbs:
      - { level: none, effect: only reads, verbs: [status] }
      - { level: high, undo: no, effect: deploys, verbs: [push] }
    flags:
      - { type: runs, level: high, effect: runs a hook }
    options: { runs: [--hook] }
    examples: [{ command: acme status, level: none }]
tools:
  - names: [acme/pay]
    level: high
    effect: pays
    examples: [{ args: { amount: 3 }, level: high }]
`)
    expect(loaded).toMatchObject({
      kind: 'loaded',
      programs: [
        {
          names: ['acme', 'acme2'],
          row: {
            file: 'k.yaml',
            line: 3,
            verbs: [{ line: 5 }, { line: 6, undo: 'no' }],
            flags: [{ flags: ['--hook'], line: 8 }],
          },
        },
      ],
      tools: [{ names: ['acme/pay'], row: { file: 'k.yaml', line: 12, level: 'high' } }],
      examples: [
        { line: 10, level: 'none', of: { kind: 'command', command: 'acme status' } },
        { line: 15, level: 'high', of: { kind: 'tool', name: 'acme/pay', args: { amount: 3 } } },
      ],
    })
  })

  it.each([
    [program('level: lo', 'effect: works'), 'k.yaml:4:12: `lo` is not one of none, low', 'did you mean `low`?'],
    [program('levle: low', 'effect: works'), 'k.yaml:4:5: `levle` is not a key of a program', 'did you mean `level`?'],
    [program('level: low'), 'k.yaml:3:5: `level` and `effect` go together', ''],
    [program('about: a tool'), 'k.yaml:3:5: write either `level` and `effect`, or `verbs`', ''],
    [program('level: low', 'effect: works.'), 'k.yaml:5:13: an effect has no full stop', ''],
    [program('level: low', 'effect: works', 'rater: git'), 'k.yaml:6:5: `rater` is not a key of a program', ''],
    [program('level: low', 'effect: works', 'rule: files.filter'), 'k.yaml:6:5: `rule` is not a key of a program', ''],
    [
      program('level: low', 'effect: works', 'flags: [{ matches: "^(a+)+$", level: none, effect: works }]'),
      '`matches` is not a key of a row of `flags`',
      '',
    ],
    [
      program('level: low', 'effect: works', 'options: { write: [-o] }'),
      '`write` is not a key of `options`',
      '`writes`',
    ],
    [
      program('level: low', 'effect: works', 'options: { flag: [-o], writes: [-o] }'),
      'k.yaml:6:36: `-o` has two types',
      '',
    ],
    ['version: 1\nprograms:\n  - { names: [bin/acme], level: low, effect: works }\n', 'without its folder', ''],
    ['version: 1\nprograms:\n  - { names: [a, a], level: low, effect: works }\n', '`a` is listed twice', ''],
    ['version: 2\nprograms: []\n', 'k.yaml:1:10:', ''],
    ['version: 1\n', 'k.yaml:1:1: write `programs` or `tools`', ''],
    [tool('effect: pays'), '`level` is missing', ''],
    [tool('level: high', 'effect: pays', 'kind: pay'), 'k.yaml:6:11: `pay` is not one of read, write', ''],
    [tool('level: high', 'effect: pays', 'paths: [file]'), 'is not a key of a tool', 'did you mean `path`?'],
    ['version: 1\ntools:\n  - { names: [a/b/c], level: low, effect: works }\n', 'a tool is `name`, or', ''],
    ['version: 1\ntools:\n  - &a { names: [a], level: low, effect: works }\n', 'anchors', ''],
    ['', 'k.yaml:1:1: the file is empty', ''],
  ])('is refused whole, with the place and the intended word: %j', (text, message, suggestion) => {
    const problems = problemsOf(text).join('\n')
    expect(problems).toContain(message)
    expect(problems).toContain(suggestion)
  })

  it('has at most 500 programs and 256 KiB', () => {
    const rows = (count: number) =>
      `version: 1\nprograms:\n${Array.from({ length: count }, (_, at) => `  - { names: [a${at}], level: low, effect: works }\n`).join('')}`
    expect(problemsOf(rows(500))).toEqual([])
    expect(problemsOf(rows(501))).toEqual([expect.stringContaining('`programs` is longer than 500')])
    expect(problemsOf(`version: 1\n#${'x'.repeat(262_144)}`)).toEqual([expect.stringContaining('larger than 256 KiB')])
  })

  it('never throws, however it is damaged', () => {
    const text = program(
      'level: low',
      'effect: works',
      'options: { flag: [-v] }',
      'examples: [{ command: acme, level: low }]',
    )
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(8), fc.string({ maxLength: 6 }), (at, cut, put) => {
        const loaded = load(text.slice(0, at) + put + text.slice(at + cut))
        if (loaded.kind === 'refused') expect(loaded.problems.length).toBeGreaterThan(0)
      }),
    )
  })
})
