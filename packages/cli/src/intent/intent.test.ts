import { runInProcess } from '@countersign/testing/command/run-in-process'
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

  it('escapes its input on the terminal', async () => {
    expect((await run(['Should I delete \x1b[2J it?'])).stdout).not.toContain('\x1b[2J')
  })
})
