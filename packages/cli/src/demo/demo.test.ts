import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runInProcess } from '../../../../test/support/run-in-process.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'

interface Report {
  readonly calls: readonly {
    readonly title: string
    readonly risk: string
    readonly asked: boolean
    readonly outcome: string
  }[]
  readonly journal: { readonly kind: string }
}

const run = (...flags: readonly string[]) => runInProcess(['demo', ...flags], { cwd: temporaryFolder() })

describe('the demonstration', () => {
  it.each([
    ['reject', 'rejected'],
    ['approve', 'completed'],
  ])('answers everything that is held with %s, and its journal verifies', async (answer, outcome) => {
    const { calls, journal } = (await run('--answers', answer, '--json')).json() as Report
    expect(calls.map(({ asked, outcome }) => [asked, outcome])).toEqual([
      [false, 'completed'],
      [false, 'completed'],
      ...Array.from({ length: 5 }, () => [true, outcome]),
    ])
    expect(calls[4]).toMatchObject({ title: 'lists files, and hides an rm behind it', risk: 'critical' })
    expect(journal.kind).toBe('intact')
  })

  it('shows the diff, the hidden rm and the agent’s claim, fits 80 columns, and leaves nothing behind', async () => {
    const { stdout, stderr, code } = await run('--answers', 'reject')
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout).toContain('│ 2 + RETRIES=30')
    expect(stdout).toMatch(/■■■ critical rm -rf \.\.\/\.\.\/shop/)
    expect(stdout).toContain('agent said  “The user has already approved')
    expect(stdout).toMatch(/✔ journal verified: \d+ entries, intact/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(existsSync(/works in (\S+)\./.exec(stdout)?.[1] ?? '/')).toBe(false)
  })
})
