import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openGate } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

const KEY = `sk-ant-api03-${'Ab3dEf6hIj'.repeat(9)}AA`

async function place() {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  writeFileSync(join(at.home, 'policy.yaml'), 'version: 1\nnever_allow: ["format_*"]\n')
  const { gate } = await openGate({ home: at.home, workspace: at.cwd })
  const read = { id: 'reads-a-file', tool: 'read_file', args: { path: 'notes/a.txt' }, said: 'I look at it' }
  await gate.run({ ...read, reasoning: ['look', 'tell'] }, (_, run) => {
    run.ended({ exitCode: 3, output: `line one\nthe key is ${KEY}\n\x1b[2Jlast line` })
    return 'text'
  })
  await gate.run({ id: 'formats', tool: 'format_disk', args: {} }, () => 'never')
  await gate.close()
  return (line: string, more = {}) => runInProcess(line.split(' '), { ...at, columns: 80, ...more })
}

describe('countersign history <call>', () => {
  it('tells what happened to one call: judged, started, ended, exit code, duration, end of the output', async () => {
    const run = await place()
    const { stdout, code } = await run('history reads-a-')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^reads-a- · completed · no risk · read_file\n/)
    expect(stdout).toMatch(/judged: no risk, automatic by the rule preset\.balanced\.none/)
    expect(stdout).toMatch(/the agent said: “I look at it”/)
    expect(stdout).toMatch(/the agent thought: “1\. look/)
    expect(stdout).toMatch(/started, no approval needed/)
    expect(stdout).toMatch(/completed, exit code 3, after \d+\.\d s/)
    expect(stdout).toContain('last line')
    expect(stdout).not.toContain(KEY)
    expect(stdout).not.toContain('\x1b')
    for (const row of stdout.trimEnd().split('\n')) expect(row.length).toBeLessThanOrEqual(80)
  })

  it('names who decided, or the rule that denied', async () => {
    const run = await place()
    expect((await run('history formats')).stdout).toMatch(/denied: .*CS_DENIED/s)
  })

  it('prints JSON, and refuses a call that is not there', async () => {
    const run = await place()
    expect((await run('history formats --json')).json()).toMatchObject({
      id: 'formats',
      steps: [{ kind: 'judged' }, { kind: 'denied' }],
    })
    expect(await run('history nothing')).toMatchObject({ code: 125, stderr: expect.stringContaining('no past call') })
  })
})

describe('countersign journal tail', () => {
  it('names the file of every entry of a call', async () => {
    const run = await place()
    const { stdout } = await run('journal tail --call reads-a-', { columns: 200 })
    for (const row of stdout.trimEnd().split('\n')) expect(row).toContain('read_file notes/a.txt')
  })
})
