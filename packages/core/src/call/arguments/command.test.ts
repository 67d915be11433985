import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeCall } from '../describe/describe.ts'
import type { JsonObject } from '../json/json.ts'
import { hasLookAlikes } from '../names/lookalikes.ts'

const commandOf = (name: string, args: object, server: string | null = null): string | undefined =>
  describeCall({ name, server, source: server === null ? 'builtin' : 'mcp' }, args as JsonObject).command

describe('a command split over several arguments', () => {
  it.each<[string, object, string | undefined]>([
    ['spawn_process', { cmd: 'bash', argv: ['-c', 'rm -rf ~'] }, "bash -c 'rm -rf ~'"],
    ['execute', { program: 'rm', args: ['-rf', '/'] }, 'rm -rf /'],
    ['run_process', { executable: '/bin/rm', arguments: ['-rf', '/'] }, '/bin/rm -rf /'],
    ['exec_file', { file: 'rm', args: ['-rf', '/'] }, 'rm -rf /'],
    ['exec', { program: 'rm', argv: ['rm', '-rf', '/'] }, 'rm -rf /'],
    ['run_it', { command: ['bash', '-c', 'rm -rf ~'] }, "bash -c 'rm -rf ~'"],
    ['run_it', { command: ['bash', '-c', 'a', 'b c'] }, "bash -c a 'b c'\nbash -c a b c"],
    ['run_it', { command: ['git', 'commit', '-m', 'a b'] }, 'git commit -m a b'],
    ['docker_run', { entrypoint: 'sh', cmd: ['-c', 'ls'] }, 'sh -c ls'],
    ['run_job', { entrypoint: ['sh', '-c'], command: 'rm -rf ~' }, "sh -c 'rm -rf ~'"],
    ['bash', { command: 'rm', args: '-rf /' }, 'rm -rf /'],
    ['bash', { command: 'rm', args: '["-rf","/"]' }, 'rm -rf /'],
    ['kubectl', { args: ['delete', 'ns', 'a'] }, 'kubectl delete ns a'],
    ['git', { subcommand: 'push', args: ['--force'] }, 'git push --force'],
    ['start_course', { program: 'physics' }, undefined],
    ['get_program', { program: 'rm', args: ['x'] }, undefined],
    ['run_test', { file: 'a.test.ts', args: ['--watch'] }, undefined],
  ])('`%s` with %j runs %j', (name, args, command) => {
    expect(commandOf(name, args)).toBe(command)
  })

  it('keeps each word a single word, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', "'", '"', ' ', '$', '\n', ';', '\\') }), (word) => {
        const quoted = /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
        expect(commandOf('execute', { program: 'echo', args: [word] })).toBe(`echo ${quoted}`)
      }),
    )
  })
})

describe('the standard input and environment of a command', () => {
  it.each<[string, object, string]>([
    ['bash', { command: 'sh', stdin: 'rm -rf ~' }, "sh <<'INPUT'\nrm -rf ~\nINPUT"],
    ['bash', { command: 'cat | sh', input: 'ls' }, "{ cat | sh\n} <<'INPUT'\nls\nINPUT"],
    ['bash', { command: 'sh', stdin: 'INPUT\nrm x' }, "sh <<'INPUT_'\nINPUT\nrm x\nINPUT_"],
    ['run_it', { command: 'sh', data: 'ls' }, "sh <<'INPUT'\nls\nINPUT"],
    ['run_it', { command: 'npm test', text: 'a note' }, 'npm test'],
    ['write_stdin', { input: 'rm -rf ~' }, 'rm -rf ~'],
    ['bash', { command: 'ls', env: { LD_PRELOAD: '/x.so' } }, 'LD_PRELOAD=/x.so ls'],
    ['bash', { command: 'ls', env: ['A=b c', 'D'] }, "A='b c' ls"],
    ['bash', { command: 'ls', env: [{ name: 'A', value: 1 }] }, 'A=1 ls'],
    ['bash', { command: 'rm -rf $X', env: { X: '/' } }, 'export X=/\nrm -rf $X'],
    ['bash', { command: 'if true; then ls; fi', env: { A: '1' } }, 'export A=1\nif true; then ls; fi'],
    ['bash', { command: 'ls', env: { 'BASH_FUNC_ls%%': '() { x; }' } }, "BASH_FUNC_ls__='() { x; }' ls"],
    ['bash', { command: 'ls', environment: 'staging' }, 'ls'],
    ['shell', { command: ['sh'], stdin: 'ls' }, "sh <<'INPUT'\nls\nINPUT"],
  ])('are part of the command: `%s` with %j', (name, args, command) => {
    expect(commandOf(name, args)).toBe(command)
  })

  it('return exact words only if nothing is added to them', () => {
    const describe = (args: object) => describeCall({ name: 'shell' }, args as JsonObject).argv
    expect(describe({ command: ['ls'] })).toEqual(['ls'])
    expect(describe({ command: ['ls'], env: { PATH: '/x' } })).toBeUndefined()
  })
})

describe('text typed into a terminal', () => {
  it.each<[string, string | null, object, string | undefined]>([
    ['send_keys', null, { keys: 'rm -rf ~\n' }, 'rm -rf ~'],
    ['write_to_terminal', 'iterm', { text: 'rm -rf ~' }, 'rm -rf ~'],
    ['tmux_send', null, { keys: ['rm', ' -rf', ' ~', 'Enter'] }, 'rm -rf ~'],
    ['tmux_send_keys', 'tmux', { keys: 'ls Enter' }, 'ls'],
    ['send_keys', 'tmux', { keys: ['C-c'] }, undefined],
    ['send_keys', null, { selector: '#q', keys: 'rm -rf ~' }, undefined],
    ['browser_send_keys', 'playwright', { keys: 'rm' }, undefined],
    ['read_terminal', 'vscode', { text: 'rm' }, undefined],
    ['write_file', 'shell', { path: 'a', content: 'rm -rf ~' }, undefined],
    ['type_text', 'terminal', { text: 'ls' }, 'ls'],
  ])('`%s` of %s with %j is a command', (name, server, args, command) => {
    expect(commandOf(name, args, server)).toBe(command)
  })
})

describe('page code in `script`', () => {
  it.each([
    ['return document.querySelectorAll("a").length', false],
    ['document.getElementById("a")', false],
    ["return document.a '(' > ~/.bashrc", true],
    ['document.a() { rm -rf ~; }', true],
    ['rm -rf ~\ndocument.getElementById("a")', true],
  ])('`%s` counts as a command: %s', (script, isCommand) => {
    expect(commandOf('execute_script', { script }) !== undefined).toBe(isCommand)
  })
})

describe('a tool name with look-alike letters', () => {
  it.each([
    ['delet\u0435_user', true],
    ['\u0441\u043e\u0440\u0443_file', true],
    ['\uff44\uff45\uff4c', true],
    ['list\u200b_files', true],
    ['delete_user', false],
    ['\u0443\u0434\u0430\u043b\u0438\u0442\u044c', false],
    ['caf\u00e9_list', false],
    ['\u5220\u9664_file', false],
  ])('`%s`: %s', (name, found) => {
    expect(hasLookAlikes(name)).toBe(found)
  })
})
