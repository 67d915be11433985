import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ran, runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

const risk = (argv: readonly string[], input = '', cwd = '/home/user/project'): Promise<Ran> =>
  runInProcess(['risk', ...argv], { cwd, input, home: temporaryFolder() })

describe('countersign risk', () => {
  it('underlines the words of each reason, in the escaped text', async () => {
    const { stdout, code } = await risk(['echo hi; rm -rf \u202e~'])
    const lines = stdout.split('\n')
    const shown = lines.findIndex((line) => line.includes('echo hi'))
    expect(code).toBe(0)
    expect(lines[shown]).not.toContain('\u202e')
    expect(lines.slice(shown + 1).find((line) => /^\s+\^+$/.test(line))).toBeDefined()
  })

  it('shows level, reversibility, magnitude and target', async () => {
    const { stdout } = await risk(['--tool', 'delete_repository', '--args', '{"repo":"web"}'])
    expect(stdout).toContain('■■■ CRITICAL · cannot be undone')
    expect(stdout).toContain('target    web')
  })

  it('names the knowledge row that matched, with file and line', async () => {
    const row = /knowledge\/programs\/git\.yaml:\d+/
    expect((await risk(['git status'])).stdout).toMatch(new RegExp(`^  row {7}${row.source}$`, 'm'))
    expect((await risk(['git status; ls'])).stdout).toMatch(/git status {2}\(knowledge\/programs\/git\.yaml:\d+\)/)
    const { reasons, parts } = (await risk(['--json', 'git rebase main'])).json() as Record<string, unknown[]>
    expect(reasons).toEqual([expect.objectContaining({ source: expect.stringMatching(row) })])
    expect(parts).toEqual([expect.objectContaining({ source: expect.stringMatching(row) })])
    expect((await risk(['--json', 'frobnicate'])).stdout).not.toContain('source')
    const tool = (name: string) => risk(['--tool', name])
    expect((await tool('delete_user')).stdout).toMatch(/^ {2}row {7}knowledge\/tools\/verbs\.yaml:\d+$/m)
    expect((await tool('read_file')).stdout).toMatch(/^ {2}row {7}knowledge\/tools\/host-tools\.yaml:\d+$/m)
    expect((await tool('frobnicate')).stdout).not.toContain('row')
  })

  it('accepts exact words, and a call from a file or stdin', async () => {
    expect((await risk(['--json', '--', 'rm', '-rf', '/'])).json()).toMatchObject({ level: 'critical' })
    const call = JSON.stringify({ tool: 'send_email', server: 'mail', args: {} })
    expect((await risk(['--json', '--call', '-'], call)).json()).toMatchObject({ level: 'high', reversible: 'no' })
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'call.json'), call)
    expect((await risk(['--json', '--call', 'call.json'], '', folder)).json()).toMatchObject({ level: 'high' })
  })

  it.each([[[]], [['ls', '--tool', 'x']], [['--tool', 'x', '--args', '[]']], [['--call', 'none.json']]])(
    'refuses %j',
    async (argv) => {
      const { stderr, code } = await risk(argv)
      expect([code, stderr]).toEqual([125, expect.stringContaining('[CS_USAGE]')])
    },
  )

  it('rates a tool that is named before its arguments, and refuses arguments for a command', async () => {
    const named = await risk(['write_file', '--args', '{"path":"/etc/passwd"}', '--json'])
    const flagged = await risk(['--tool', 'write_file', '--args', '{"path":"/etc/passwd"}', '--json'])
    expect(named.stdout).toBe(flagged.stdout)
    expect(named.stdout).toContain('/etc/passwd')
    for (const words of [
      ['git push', '--args', '{}'],
      ['ls', '--server', 'github'],
    ])
      expect((await risk(words)).stderr).toContain('`--args` and `--server` are for a tool')
  })

  it('answers each JSON line in order, bad ones too', async () => {
    const rows = [
      { id: 'a', command: 'rm -rf ~' },
      { id: 2, tool: 'list_issues', server: 'github', args: {} },
      { id: 3, tool: 'write_file', args: { path: '/srv/app/a' }, workspace: '/srv/app' },
      { id: 4, tool: 'x', args: [] },
      { id: 5, command: '' },
      { id: 6, tool: 'x', command: 'rm -rf ~' },
      { id: 7, tool: null, server: null, args: null, command: 'ls' },
    ]
    const { stdout, code } = await risk(['--jsonl'], `${rows.map((row) => JSON.stringify(row)).join('\n')}\nno json\n`)
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(answers.map(({ id, level, error }) => [id, level ?? error])).toEqual([
      ['a', 'critical'],
      [2, 'none'],
      [3, 'medium'],
      [4, '`args` must be a JSON object'],
      [5, 'none'],
      [6, 'both `command` and `tool` are set; keep one'],
      [7, 'none'],
      [null, 'the line is not JSON; write one JSON object on each line'],
    ])
    expect(answers[0]).toMatchObject({ reversible: 'no', magnitude: { reach: expect.any(String) } })
    expect(answers[0]?.['reasons']).toContainEqual({ text: expect.any(String), span: { start: 0, end: 8 } })
    expect(code).toBe(1)
  })
})
