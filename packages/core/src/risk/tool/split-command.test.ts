import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { assessCall } from '../assess-call.ts'
import type { RiskLevel } from '../report/level.ts'
import type { RiskReport } from '../report/report.ts'

const places = { workspace: '/home/user/project', home: '/home/user', gate: '/home/user/.countersign', temp: '/tmp' }
const crypto = { sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex') }

function rate(tool: string, args: object, server?: string): RiskReport {
  const ref = server === undefined ? { name: tool } : { name: tool, server }
  return assessCall({ tool: ref, args, source: server === undefined ? 'builtin' : 'mcp' }, places, crypto).risk
}

describe('a command split over arguments', () => {
  it.each<[string, object]>([
    ['spawn_process', { cmd: 'bash', argv: ['-c', 'rm -rf ~'] }],
    ['execute', { program: 'rm', args: ['-rf', '/'] }],
    ['bash', { command: 'sh', stdin: 'rm -rf ~' }],
    ['bash', { command: 'rm -rf $X', env: { X: '/' } }],
    ['tmux_send', { keys: ['rm -rf ~', 'Enter'] }],
    ['run_container', { entrypoint: 'sh', cmd: ['-c', 'rm -rf ~'] }],
  ])('`%s` with %j is critical, and `rm` is one of its parts', (tool, args) => {
    const { level, parts } = rate(tool, args)
    expect(level).toBe('critical')
    expect(parts.flatMap(({ paths }) => paths).some(({ use }) => use === 'delete')).toBe(true)
  })

  it.each<[string, object, RiskLevel]>([
    ['run_command', { command: 'ls', env: { LD_PRELOAD: '/tmp/x.so' } }, 'high'],
    ['run_command', { command: 'npm test', env: { CI: '1' } }, 'low'],
    ['run_command', { command: 'wc -l', stdin: 'rm -rf ~' }, 'none'],
    ['kill_process', { pid: 4242 }, 'medium'],
    ['kill_process', { pid: 1 }, 'critical'],
    ['delete_users', { dry_run: true }, 'medium'],
    ['delete_users', { dry_run: true, dryRun: false }, 'high'],
    ['delete_users', { dry_run: true, options: { dryRun: 'false' } }, 'high'],
    ['g\u0435t_user', { id: 4 }, 'high'],
    ['fetch_url', { url: 'https://x.example/a', save_as: 'src/a.ts' }, 'medium'],
    ['fetch_url', { url: 'https://x.example/a', output: 'markdown' }, 'low'],
  ])('`%s` with %j is %s', (tool, args, level) => {
    expect(rate(tool, args).level).toBe(level)
  })
})

describe("a host's own tool", () => {
  it.each<[string, object, RiskLevel]>([
    ['Bash', { command: 'ls', description: 'List', timeout: 5, run_in_background: false }, 'none'],
    ['exec_command', { cmd: 'ls', shell: 'bash', login: true, tty: false, workdir: '.' }, 'none'],
    ['exec_command', { cmd: 'ls', shell: '/usr/bin/zsh' }, 'none'],
    ['exec_command', { cmd: 'ls', shell: './evil.sh' }, 'high'],
    ['exec_command', { cmd: 'ls', shell: '/tmp/bash' }, 'high'],
    ['exec_command', { cmd: 'ls', shell: ['bash', '-c', 'x'] }, 'high'],
    ['Bash', { command: 'ls', interpreter: 'python3' }, 'high'],
    ['Bash', { command: 'ls', before: 'rm -rf ~' }, 'high'],
    ['Bash', { command: 'ls', exec: 'rm -rf ~' }, 'high'],
    ['Bash', { command: 'ls', sudo: true }, 'high'],
    ['Bash', { command: 'ls', sudo: false, host: '' }, 'none'],
    ['Bash', { command: 'ls', 'output-file': '/etc/x' }, 'high'],
    ['Read', { file_path: 'a', offset: 1, limit: 5 }, 'none'],
    ['Read', { file_path: 'a', command: 'rm -rf ~' }, 'high'],
    ['Grep', { pattern: 'x', before: 3, after: '2', output_mode: 'content', '-A': 1 }, 'none'],
    ['Grep', { pattern: 'x', pre: './evil.sh' }, 'high'],
    ['Grep', { pattern: 'x', outputFile: '/etc/x' }, 'high'],
    ['list_directory', { path: '.', exec: 'rm -rf ~' }, 'high'],
  ])('%s with %j is rated %s', (tool, args, level) => {
    expect(rate(tool, args).level).toBe(level)
  })
})
