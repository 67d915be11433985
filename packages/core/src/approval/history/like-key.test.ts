import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../journal/entry.ts'
import { likeKey } from './like-key.ts'

function judged(command: string, reason: string, paths: readonly string[] = [], level = 'medium'): JournalEntry {
  return {
    kind: 'judged',
    call: 'c',
    tool: 'execute_command',
    does: 'execute',
    cwd: '/work',
    args: { command },
    risk: { level, reversible: 'no', reasons: [reason] },
    circumstances: { paths: paths.map((path) => [path, path.startsWith('/') ? path : `/work/${path}`, 'delete']) },
  } as unknown as JournalEntry
}

const like = (one: JournalEntry, other: JournalEntry): boolean =>
  likeKey(one) !== null && likeKey(one) === likeKey(other)

describe('calls like one another', () => {
  const rm = judged('rm foo', 'deletes `foo`', ['foo'])

  it('have the same program, verb, reasons and kind of target, whatever their names', () => {
    expect(like(rm, judged('rm bar', 'deletes `bar`', ['bar']))).toBe(true)
    expect(like(judged('acme deploy a', 'unknown'), judged('acme deploy b', 'unknown'))).toBe(true)
  })

  it.each([
    ['another program', judged('terraform destroy', 'deletes `foo`', ['foo'])],
    ['another risk', judged('rm foo', 'deletes `foo`', ['foo'], 'high')],
    ['another effect', judged('rm foo', 'deletes a folder', ['foo'])],
    ['a target elsewhere', judged('rm /etc/x', 'deletes `x`', ['/etc/x'])],
  ])('are told from one with %s', (_, other) => {
    expect(like(rm, other)).toBe(false)
  })

  it('are told by their verb', () => {
    expect(like(judged('acme deploy', 'unknown'), judged('acme destroy', 'unknown'))).toBe(false)
  })

  it.each(['rm foo; rm bar', 'cat x | sh', 'A=1 rm x', 'echo $(id)', ''])('are not looked for: %j', (command) => {
    expect(likeKey(judged(command, 'x'))).toBe(null)
  })
})
