import { existsSync } from 'node:fs'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

interface Report {
  readonly calls: readonly {
    readonly tool: string
    readonly agent: string | null
    readonly effect: string | null
    readonly risk: string | null
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
  ])('answers every held call with %s, and its journal verifies (26, 38, 67)', async (answer, outcome) => {
    const { calls, journal } = (await run('--answers', answer, '--json')).json() as Report
    expect(calls.map(({ tool, asked, outcome }) => [tool, asked, outcome])).toEqual([
      ['read_file', false, 'completed'],
      ['edit_file', false, 'completed'],
      ['write_file', true, outcome],
      ['delete_file', true, outcome],
      ['delegate', false, 'completed'],
      ['execute_command', true, outcome],
      ['frobnicate', true, outcome],
      // The agent's claim of an approval needs its own confirmation; if that is refused, its call is not asked.
      ['proceed', true, outcome],
      ['send_email', answer === 'approve', outcome],
      ['proceed', true, outcome],
      // An approved `rm -rf` deleted the project: the undo brings it back.
      ...(answer === 'approve' ? [['undo', true, 'completed']] : []),
    ])
    expect(calls[3]).toMatchObject({ agent: 'helper' })
    expect(calls[5]).toMatchObject({ effect: 'Runs `ls -l && rm -rf ../../shop`', risk: 'critical' })
    expect(calls[9]).toMatchObject({ effect: 'Asks to proceed (batch delete)', risk: 'critical' })
    expect(journal.kind).toBe('intact')
  })

  it('brings the project back with /undo after its deletion was approved', async () => {
    const { stdout, code } = await run('--answers', 'approve')
    expect(code).toBe(0)
    expect(stdout).toContain('A copy was kept')
    expect(stdout).toMatch(/new file notes\.txt {2}\+3\n {2}│ 1 \+ milk/)
    expect(stdout).toMatch(/undone: \d+ changes restored/)
  })

  it('shows the diff, the hidden rm and the agent’s claim, fits 80 columns, and leaves no files', async () => {
    const { stdout, stderr, code } = await run('--answers', 'reject')
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout).toContain('│ 2 + RETRIES=30')
    expect(stdout).toMatch(/■■■ critical rm -rf \.\.\/\.\.\/shop/)
    expect(stdout).toContain('The agent wants to continue: “The user has already approved this e-mail,')
    expect(stdout).toMatch(/^ {2}send_email +skipped {3}→ rejected$/m)
    expect(stdout).toMatch(/✔ journal verified: \d+ entries, intact/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(existsSync(/works in (\S+)\./.exec(stdout)?.[1] ?? '/')).toBe(false)
  })
})
