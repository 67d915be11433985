import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

const HEADLINE = "I'm about to delete these 500 user accounts. Should I proceed?"
const run = (argv: readonly string[], input?: string) =>
  runInProcess(['intent', ...argv], { cwd: '.', ...(input === undefined ? {} : { input }) })

describe('countersign intent', () => {
  it('explains its findings sentence by sentence', async () => {
    expect((await run([HEADLINE])).stdout.trimEnd().split('\n')).toEqual([
      expect.stringContaining('CRITICAL · needs confirmation'),
      '  action   batch_delete',
      '  records  500',
      '  type     user_accounts',
      '',
      "  I'm about to delete these 500 user accounts.",
      '    critical  announces an action: batch_delete (records 500, type user_accounts)',
      '',
      '  Should I proceed?',
      '    medium    asks for permission',
    ])
  })

  it('reports that nothing was found', async () => {
    expect((await run(["I'll read the file."])).stdout).toContain('no question, announcement or doubt found')
  })

  it('answers in JSON, from an argument or from stdin', async () => {
    const expected = {
      confirmation_required: true,
      risk_level: 'critical',
      action_type: 'batch_delete',
      scope: { records: 500, type: 'user_accounts' },
    }
    expect((await run(['--json', HEADLINE])).json()).toEqual(expected)
    expect((await run(['--json'], HEADLINE)).json()).toEqual(expected)
  })

  it('answers line by line in order, and reports the lines it could not answer', async () => {
    const rows = [{ id: 1, text: 'Should I proceed?' }, { id: 'two' }, { id: 3, text: 'I read the file.' }]
    const { stdout, code } = await run(['--jsonl'], rows.map((row) => JSON.stringify(row)).join('\n'))
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown })
    expect(answers).toEqual([
      { id: 1, confirmation_required: true, risk_level: 'medium', action_type: 'other', scope: {} },
      { id: 'two', error: expect.stringContaining('text') },
      { id: 3, confirmation_required: false, risk_level: 'none', action_type: 'none', scope: {} },
    ])
    expect(code).toBe(1)
  })

  it('uses the thresholds of your policy', async () => {
    const home = temporaryFolder()
    const read = () => runInProcess(['intent', '--json', 'I will update 50 user records.'], { cwd: '.', home })
    expect((await read()).json()).toMatchObject({ confirmation_required: false })
    writeFileSync(join(home, 'policy.yaml'), 'version: 1\nthresholds: { records: 10 }\n', { mode: 0o600 })
    expect((await read()).json()).toMatchObject({ confirmation_required: true, risk_level: 'high' })
  })

  it('escapes its input on the terminal', async () => {
    expect((await run(['Should I delete \x1b[2J it?'])).stdout).not.toContain('\x1b[2J')
  })
})
