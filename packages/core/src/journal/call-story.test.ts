import { describe, expect, it } from 'vitest'
import { callStory, subjectOf } from './call-story.ts'
import type { JournalEntry } from './entry.ts'

const entry = (kind: string, more: object = {}, at = 0) =>
  ({ v: 1, seq: 1, at, kind, call: 'c', ...more }) as JournalEntry

describe('the subject of a call', () => {
  it.each([
    [{ command: 'git  push\norigin' }, 'git push origin'],
    [{ command: ['rm', '-rf', 'build'], program: '/usr/bin/rm' }, 'rm -rf build'],
    [{ path: 'src/a.ts', content: 'x' }, 'src/a.ts'],
    [{ id: 1 }, '{"id":1}'],
    [{}, ''],
    [{ command: 'x'.repeat(200) }, `${'x'.repeat(120)}…`],
  ])('of %j is `%s`', (args, subject) => {
    expect(subjectOf(entry('judged', { args }))).toBe(subject)
  })
})

describe('the subject of a call that names no command, path or URL', () => {
  it('is the files it touches, at most three of them', () => {
    const at = (...given: readonly string[]) =>
      entry('judged', { args: { calls: ['a'] }, circumstances: { paths: given.map((path) => [path, null, 'write']) } })
    expect(subjectOf(at('.env', '.env'))).toBe('.env')
    expect(subjectOf(at('a', 'b', 'c', 'd', 'e'))).toBe('a b c and 2 more')
    expect(subjectOf(at())).toBe('{"calls":["a"]}')
  })
})

describe('the story of a call', () => {
  it('has a step for every entry, with who decided, how it ended and how long it took', () => {
    const steps = callStory([
      entry('judged', { risk: { level: 'high', reasons: ['r'] }, supervision: 'confirm', rule: { id: 'x' } }),
      entry('held', {}, 10),
      entry('decided', { decision: 'approve', by: 'ana', surface: 'web', reason: 'fine', edited: { a: 1 } }, 20),
      entry('started', { by: 'ana' }, 1_000),
      entry('failed', { exit: 2, detail: 'exit code 2', output: 'a\nb' }, 3_500),
      entry('feedback', { answer: 'not-worth-asking', surface: 'web' }, 9_000),
      entry('from-a-later-version', {}, 9_000),
    ])
    expect(steps.map(({ words }) => words)).toEqual([
      'judged: high risk, confirm by the rule x',
      'waited for a person',
      'approved by ana in the inbox',
      'started',
      'failed, exit code 2, after 2.5 s',
      'in the inbox: not worth asking',
      'from-a-later-version: from-a-later-version',
    ])
    expect(steps[2]?.details).toEqual(['“fine”', 'with edited arguments'])
    expect(steps[4]?.details).toEqual(['the end of its output:', '  a', '  b'])
  })
})
