import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import type { TaskCall, TaskReport } from './report.ts'
import { reportMarkdown, writeArtefacts } from './report-files.ts'
import { readTask } from './task-file.ts'

const CALL: TaskCall = {
  callId: 'c1',
  agent: 'run',
  tool: 'write_file',
  risk: 'medium',
  supervision: 'notify',
  effect: 'Writes 1 line to `a`',
  outcome: 'completed',
  code: null,
  message: null,
}
const REPORT: TaskReport = {
  version: 1,
  outcome: 'denied',
  task: readTask('version: 1\ntask: |\n  first\n  second\n', 'task.yaml'),
  model: 'script/x',
  workspace: '/w',
  startedAt: '2026-01-01T00:00:00.000Z',
  seconds: 1.5,
  stop: { why: 'done', message: 'the agent is done' },
  answer: 'Done.',
  turns: 2,
  tokens: { input: 1, output: 2 },
  changes: [{ path: 'a', lines: 1 }],
  calls: [CALL, { ...CALL, tool: 'delete_file', outcome: 'denied', message: 'no' }],
  missingCalls: 0,
}

describe('the files of a run', () => {
  it('are a report for programs, one for people, and the transcript', () => {
    const folder = join(temporaryFolder(), 'deep/out')
    const paths = writeArtefacts(folder, { report: REPORT, transcript: '{}\n' })
    expect(paths.map((path) => path.slice(folder.length + 1))).toEqual(readdirSync(folder).sort())
    expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toEqual(REPORT)
    const page = readFileSync(join(folder, 'report.md'), 'utf8')
    for (const line of ['# task.yaml: denied', '> first', '> second', '| a | 1 |', '| delete\\_file | denied | no |'])
      expect(page.split('\n')).toContain(line)
  })

  it('cannot be written if a file is in the way, which is reported', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(() => writeArtefacts(file, { report: REPORT, transcript: '' })).toThrow('use another folder')
  })

  it('are private, replace those of an earlier run, and follow no link', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'report.json'), 'old', { mode: 0o644 })
    for (const path of writeArtefacts(folder, { report: REPORT, transcript: '{}' }))
      expect(statSync(path).mode & 0o777).toBe(0o600)
    const [linked, elsewhere] = [temporaryFolder(), join(temporaryFolder(), 'target')]
    symlinkSync(elsewhere, join(linked, 'report.md'))
    expect(() => writeArtefacts(linked, { report: REPORT, transcript: '{}' })).toThrow('is not a regular file')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(linked, 'out'))
    expect(() => writeArtefacts(join(linked, 'out'), { report: REPORT, transcript: '{}' })).toThrow(
      'is not a regular file',
    )
    expect(existsSync(join(elsewhere, 'report.json'))).toBe(false)
  })

  it('42: show an agent’s text as text, never as markup', () => {
    const hostile = '| x |\n# Approved\n[a](http://evil) <img src=x> \u001b[31m \u202e ![y](z)'
    const page = reportMarkdown({
      ...REPORT,
      answer: hostile,
      changes: [{ path: hostile, lines: 1 }],
      calls: [{ ...CALL, tool: hostile, effect: hostile, message: hostile, outcome: 'denied' }],
    })
    expect(page).not.toMatch(/^# Approved|(?<!\\)[[<!]|\u001b|\u202e/m)
    for (const row of page.split('\n').filter((line) => line.startsWith('|')))
      expect([3, 4, 6]).toContain(row.match(/(?<!\\)\|/g)?.length)
  })
})
