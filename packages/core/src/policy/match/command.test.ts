import { describe, expect, it } from 'vitest'
import { someCase, somePart, someUnit } from '../../../../../test/model/case.ts'
import type { CommandTest } from '../model/rule.ts'
import { compileCommand } from './command.ts'
import { NO, UNKNOWN, YES } from './three-valued-logic.ts'

const WIDE = { tightens: true, negated: false }
const NARROW = { tightens: false, negated: false }

function answer(test: CommandTest, words: readonly (string | null)[], reading = NARROW) {
  return compileCommand(test, reading)(someUnit({ part: somePart(words) }), someCase())
}

describe('a command condition', () => {
  it.each<[CommandTest, (string | null)[], number]>([
    [{ program: ['ls'] }, ['ls'], YES],
    [{ program: ['ls'] }, ['lsof'], NO],
    [{ program: ['git'] }, ['GIT'], NO],
    [{ program: ['git*'] }, ['git-lfs'], YES],
    [{ program: ['git'], verb: ['status'] }, ['git', 'status', '-s'], YES],
    [{ program: ['git'], verb: ['status'] }, ['git', 'push'], NO],
    [{ program: ['git'], verb: ['status'] }, ['git', null], UNKNOWN],
    [{ program: ['git'], verb: ['status'] }, ['git'], NO],
    [{ program: ['rm'], flags: ['-f'] }, ['rm', '-rf', 'x'], YES],
    [{ program: ['rm'], flags: ['--force'] }, ['rm', 'x'], NO],
    [{ program: ['rm'] }, [null, 'x'], UNKNOWN],
    [{ verb: ['push'] }, ['git', 'push'], YES],
    [{ program: ['gh'], verb: ['pr list'] }, ['gh', 'pr', 'list', '-L', '5'], YES],
    [{ program: ['gh'], verb: ['pr l*', 'pr view'] }, ['gh', 'pr', 'list'], YES],
    [{ program: ['gh'], verb: ['pr list'] }, ['gh', 'pr', 'merge', 'list'], NO],
    [{ program: ['gh'], verb: ['pr list'] }, ['gh', 'pr'], NO],
    [{ program: ['gh'], verb: ['pr list'] }, ['gh', 'pr', null], UNKNOWN],
    [{ program: ['gh'], verb: ['pr list'] }, ['gh', 'pr', '--repo', 'list'], UNKNOWN],
  ])('%j on %j: %i', (test, words, expected) => {
    expect(answer(test, words)).toBe(expected)
  })

  it.each(['./git', '/tmp/git', '/usr/bin/../../tmp/git', '/usr/local/bin/sub/git'])(
    'denies %s like git, but does not trust it like git',
    (path) => {
      expect(answer({ program: ['git'] }, [path], WIDE)).toBe(YES)
      expect(answer({ program: ['git'] }, [path], NARROW)).toBe(UNKNOWN)
    },
  )

  it.each(['git', '/bin/git', '/usr/bin/git', '/usr/local/bin/git', '/opt/homebrew/bin/git'])(
    'trusts %s like git',
    (path) => {
      expect(answer({ program: ['git'] }, [path], NARROW)).toBe(YES)
    },
  )

  it('does not match a call without a command, and is undecided for a command that was not understood', () => {
    const test = compileCommand({ program: ['rm'] }, WIDE)
    expect(test(someUnit(), someCase())).toBe(NO)
    expect(test(someUnit({ opaque: true }), someCase())).toBe(UNKNOWN)
  })
})
