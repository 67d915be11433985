import { join } from 'node:path'
import { rateNominal } from '@countersign/testing/corpus/nominal-rating'
import { describe, expect, it } from 'vitest'
import type { ProgramFile } from '../../packages/core/src/knowledge/program-schema.ts'
import { programNames, programRow } from '../../packages/core/src/knowledge/programs.ts'
import { type KnowledgeFile, parseKnowledge, readKnowledge } from '../../scripts/knowledge/knowledge-file.ts'
import { PROGRAMS } from '../../scripts/knowledge/programs.ts'

const FILES = readKnowledge(join(import.meta.dirname, '../../packages/core'), 'knowledge/programs')
const rowsOf = (file: KnowledgeFile) => (file.data as ProgramFile).programs ?? []
const EXAMPLES = FILES.flatMap((file) =>
  rowsOf(file).flatMap((row, at) =>
    row.examples.map((example, index) => ({
      ...example,
      names: row.names,
      place: `${file.path}:${file.lineOf(['programs', at, 'examples', index])}`,
    })),
  ),
)

describe('the rows of knowledge/programs', () => {
  it('are rated as in their examples', () => {
    const wrong = EXAMPLES.map(({ command, level, place }) => [place, command, level, rateNominal(command).level])
    expect(wrong.filter(([, , level, rated]) => level !== rated)).toEqual([])
  })

  it('are found by each of their names, and by nothing else', () => {
    const names = FILES.flatMap((file) => rowsOf(file).flatMap((row) => row.names.map((name) => ({ name, file }))))
    expect([...programNames()].sort()).toEqual(names.map(({ name }) => name).sort())
    expect(new Set(names.map(({ name }) => name)).size).toBe(names.length)
    expect(names.filter(({ name, file }) => programRow(name)?.file !== file.path)).toEqual([])
    // The first searches read the list of names, later ones an index of it.
    for (let turn = 0; turn < 100; turn += 1)
      for (const name of ['', ' ', 'git ', 'git=', 'no-such-program', `no-such-${turn}`, 'constructor', '__proto__'])
        expect(programRow(name)).toBeUndefined()
  })

  it('have examples that use their own programs', () => {
    const others = EXAMPLES.filter(
      ({ command, names }) => !rateNominal(command).parts.some((part) => names.includes(part.command.program ?? '')),
    )
    expect(others.map(({ place, command }) => [place, command])).toEqual([])
  })
})

describe('compiling knowledge/programs', () => {
  const problemsOf = (text: string) => PROGRAMS.compile([parseKnowledge('knowledge/programs/x.yaml', text)]).problems
  const row = (...lines: readonly string[]) =>
    `programs:\n  - names: [a]\n    about: a tool\n${lines.map((line) => `    ${line}\n`).join('')}`
  const examples = 'examples: [{ command: a, level: none }]'

  it('accepts a row with one rating, with verbs, or with a rater', () => {
    expect(problemsOf(row('level: none', 'effect: only reads', examples))).toEqual([])
    expect(problemsOf(row('verbs:', '  - { level: none, effect: only reads, verbs: [ls] }', examples))).toEqual([])
    expect(problemsOf(row('rater: git', examples))).toEqual([])
  })

  it.each([
    [row('level: nothing', 'effect: only reads', examples), /^knowledge\/programs\/x\.yaml:4: .*"none"/],
    [row('level: none', 'effect: only reads', 'colour: red', examples), /x\.yaml:2: unknown key `colour`/],
    [row('level: none', examples), /`level` and `effect` go together/],
    [row('level: none', 'effect: only reads'), /x\.yaml:2: /],
    [row(examples), /write either/],
    [
      row(
        'verbs:',
        '  - { level: none, effect: reads, verbs: [ls] }',
        '  - { level: low, effect: writes, verbs: [ls] }',
        examples,
      ),
      /x\.yaml:6: `ls` is listed twice/,
    ],
    [
      `${row('level: none', 'effect: only reads', examples)}  - names: [b, a]\n    about: other\n    level: low\n    effect: writes\n    ${examples}\n`,
      /x\.yaml:7: `a` is listed twice/,
    ],
    [
      row('level: none', 'effect: only reads', 'options: { flag: [-o], writes: [-o] }', examples),
      /x\.yaml:6: `-o` has two types/,
    ],
  ])('refuses %j', (text, message) => {
    expect(problemsOf(text).join('\n')).toMatch(message)
  })
})
