import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TaskReport } from '@countersign/agent'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { endOf, startCli } from '@countersign/testing/command/spawn-cli'
import { isAlive } from '@countersign/testing/process-alive'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, vi } from 'vitest'

/** A project with a task and a script of the agent's turns, with its own home. */
function project(task: string, turns: string): { readonly cwd: string; readonly home: string } {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'src'))
  writeFileSync(join(cwd, 'src/a.txt'), 'one\n')
  writeFileSync(join(cwd, 'task.yaml'), `version: 1\ntask: tidy up\n${task}`)
  writeFileSync(join(cwd, 'script.yaml'), `version: 1\nturns:\n${turns}  - text: All tidy.\n`)
  return { cwd, home: temporaryFolder() }
}

const call = (tool: string, args: object): string => `  - calls: [{ tool: ${tool}, args: ${JSON.stringify(args)} }]\n`
const WRITE = call('write_file', { path: 'src/b.txt', content: 'x\ny\n' })
const DELETE = call('delete_file', { path: 'src/a.txt' })

const run = (where: { cwd: string; home: string }, ...flags: readonly string[]) =>
  runInProcess(['run', 'task.yaml', '--script', 'script.yaml', ...flags], where)

describe('countersign run', () => {
  it('72: exits with 0 if it did everything, reports it, and prints the answer', async () => {
    const where = project('mode: write\n', WRITE)
    const { code, stdout, stderr } = await run(where)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'All tidy.\n' })
    expect(stderr).toMatch(/^countersign: ✔ .*src\/b\.txt.*\n/)
    expect(stderr).toMatch(/countersign: ok: 1 of 1 call ran, 1 file changed\n$/)
    expect(readFileSync(join(where.cwd, 'src/b.txt'), 'utf8')).toBe('x\ny\n')
  })

  it.each([
    ['124 if a person was needed', 'mode: write\n', DELETE, 124, 'unasked'],
    ['121 if the task’s limits refused something', '', WRITE, 121, 'denied'],
    ['121 if a policy limit refused something', 'mode: write\nlimits: { lines: 1 }\n', WRITE, 121, 'denied'],
    ['119 if the limit on turns ended it', 'limits: { turns: 1 }\n', call('list_directory', {}), 119, 'stopped'],
  ])('72: exits with %s', async (_, task, turns, code, outcome) => {
    const where = project(task, turns)
    const ran = await run(where, '--json', '--quiet')
    expect(ran.json()).toMatchObject({ exitCode: code, outcome, version: 1 })
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code, stderr: '' })
    expect([existsSync(join(where.cwd, 'src/b.txt')), existsSync(join(where.cwd, 'src/a.txt'))]).toEqual([false, true])
  })

  it.each([
    ['an invalid task', 'mode: wrong\n', [], 'task.yaml:3:7: `mode`'],
    ['both a model and a script', '', ['--model', 'a/b'], 'use either `--script` or `--model`'],
    ['invalid servers', '', ['--mcp', 'task.yaml'], 'is not valid JSON'],
    ['a missing folder', '', ['--workspace', 'nowhere'], 'cannot be used'],
    ['an invalid option value', '', ['--on-hold', 'allow'], 'allowed choices are refuse, wait'],
  ])('72: exits with 125 for %s, before the agent starts', async (_, task, flags, message) => {
    const { code, stdout, stderr } = await run(project(task, WRITE), ...flags)
    expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
    expect(stderr.toLowerCase()).toContain(message.toLowerCase())
  })

  it('20: prints no secret from an effect or a message', async () => {
    const secret = ['ghp_', 'Zx9'.repeat(12)].join('')
    const turns = call('execute_command', { command: `echo ${secret}` }) + call('read_file', { path: secret })
    const { stdout, stderr } = await run(project('', turns))
    expect(stderr).toContain('[redacted:')
    expect(stdout + stderr).not.toContain(secret)
  })

  it('says what to set if no model is chosen', async () => {
    const { code, stderr } = await runInProcess(['run', 'task.yaml'], project('', WRITE))
    expect(code).toBe(125)
    expect(stderr).toContain('[CS_MODEL]')
  })

  it('writes a report for programs and one for people', async () => {
    const where = project('mode: write\n', WRITE + DELETE)
    const { stderr } = await run(where, '--artefacts', 'out/today')
    expect(stderr).not.toContain('held as')
    const read = (name: string) => readFileSync(join(where.cwd, 'out/today', name), 'utf8')
    const report = JSON.parse(read('report.json')) as TaskReport
    expect(report).toMatchObject({
      outcome: 'unasked',
      answer: 'All tidy.',
      changes: [{ path: 'src/b.txt', lines: 2 }],
    })
    expect(read('report.md')).toContain('| src/b.txt | 2 |')
    expect(read('report.md')).toMatch(/\| delete\\_file \| withdrawn \| it needs approval/)
    expect(JSON.parse(read('transcript.json'))).toMatchObject({ version: 1, agent: 'run' })
  })

  it('54: holds the tools of MCP servers, and runs one that a rule allows', async () => {
    const where = project('', call('notes__echo', { text: 'hi' }))
    const server = fileURLToPath(new URL('../../../agent/src/mcp/stdio-server.fixture.ts', import.meta.url))
    const servers = { notes: { command: process.execPath, args: [server, 'honest'] }, gone: { command: '/nowhere/x' } }
    writeFileSync(join(where.cwd, 'mcp.json'), JSON.stringify({ mcpServers: servers }))
    const refused = await run(where, '--mcp', 'mcp.json')
    expect(refused.code).toBe(121)
    expect(refused.stderr).toContain('server `gone` cannot be used')
    writeFileSync(join(where.cwd, 'task.yaml'), 'version: 1\ntask: tidy up\nmode: write\nuncounted: ["notes/*"]\n')
    expect((await run(where, '--mcp', 'mcp.json')).code).toBe(124)
    writeFileSync(join(where.home, 'policy.yaml'), 'version: 1\ntools: { notes/echo: automatic }\n')
    const { code, stderr } = await run(where, '--mcp', 'mcp.json')
    expect({ code, ran: stderr.includes('1 of 1 call ran') }).toEqual({ code: 0, ran: true })
  })

  it('72: waits for another surface if told to, and continues after a decision', async () => {
    const where = project('mode: write\n', DELETE)
    const running = run(where, '--on-hold', 'wait', '--quiet')
    const mark = await vi.waitFor(
      async () => {
        const held = (await runInProcess(['held', '--json'], where)).json() as readonly { readonly mark: string }[]
        expect(held).toHaveLength(1)
        return held[0]?.mark ?? ''
      },
      { timeout: 60_000, interval: 50 },
    )
    await runInProcess(['reject', mark, '--reason', 'it is needed'], where)
    const { code, stderr } = await running
    expect({ code, stderr }).toEqual({ code: 120, stderr: 'countersign: rejected: 0 of 1 call ran, 0 files changed\n' })
    expect(existsSync(join(where.cwd, 'src/a.txt'))).toBe(true)
  }, 90_000)

  it('72: exits with 130 if interrupted, and kills its processes', async () => {
    const where = project(
      'mode: write\ncommands: ["echo $$ > pid; sleep 600"]\n',
      call('execute_command', { command: 'echo $$ > pid; sleep 600' }),
    )
    writeFileSync(join(where.home, 'policy.yaml'), 'version: 1\npreset: classic\n')
    const child = startCli(['run', 'task.yaml', '--script', 'script.yaml', '--home', where.home], where.cwd)
    const ended = endOf(child)
    const pid = await vi.waitFor(
      () => {
        const text = readFileSync(join(where.cwd, 'pid'), 'utf8').trim()
        expect(text).not.toBe('')
        return Number(text)
      },
      { timeout: 60_000, interval: 50 },
    )
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 30_000, interval: 50 })
  }, 120_000)
})
