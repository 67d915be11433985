import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Descriptor, Kind } from '../descriptor.ts'
import { freezeArgs } from '../json/freeze.ts'
import { kindOfName } from '../names/verbs.ts'
import { describeCall, volatileArguments } from './describe.ts'

function describeTool(name: string, args: object, server?: string): Descriptor {
  return describeCall({ name, ...(server === undefined ? {} : { server }) }, freezeArgs(args))
}

describe('known tools', () => {
  it.each<[string, object, Partial<Descriptor>]>([
    ['Bash', { command: 'ls', description: 'list' }, { kind: 'execute', command: 'ls' }],
    ['bash', { command: 'ls' }, { kind: 'execute', command: 'ls' }],
    ['run_command', { CommandLine: 'ls', Cwd: '/w' }, { kind: 'execute', command: 'ls', cwd: '/w', paths: ['/w'] }],
    ['execute_command', { command: 'git status; rm -rf ~' }, { kind: 'execute', command: 'git status; rm -rf ~' }],
    [
      'run_shell_command',
      { command: 'ls', directory: 'sub' },
      { kind: 'execute', command: 'ls', cwd: 'sub', paths: ['sub'] },
    ],
    [
      'shell',
      { command: ['bash', '-lc', 'echo "a b"'] },
      { kind: 'execute', command: `bash -lc 'echo "a b"'`, argv: ['bash', '-lc', 'echo "a b"'] },
    ],
    ['exec_command', { cmd: 'ls', workdir: '/etc' }, { kind: 'execute', command: 'ls', cwd: '/etc', paths: ['/etc'] }],
    ['write_stdin', { session_id: 3, chars: 'rm -rf ~\n' }, { kind: 'execute', command: 'rm -rf ~\n' }],
    [
      'run_commands',
      { commands: ['ls', { command: 'git', args: ['log', 'a b'] }] },
      { kind: 'execute', command: "ls\ngit log 'a b'" },
    ],
    ['Bash', { command: 'ls', cmd: 'rm -rf ~' }, { kind: 'execute', command: 'ls\nrm -rf ~' }],
    ['Write', { file_path: '/w/a', content: '/etc/passwd' }, { kind: 'write', paths: ['/w/a'] }],
    ['Edit', { file_path: '/w/a', old_string: '/x', new_string: '/y' }, { kind: 'write', paths: ['/w/a'] }],
    ['MultiEdit', { file_path: 'a', edits: [{ old_string: '1', new_string: '2' }] }, { kind: 'write', paths: ['a'] }],
    ['replace', { file_path: 'a', old_string: '1', new_string: '2' }, { kind: 'write', paths: ['a'] }],
    ['replace_string_in_file', { filePath: 'a', oldString: '1', newString: '2' }, { kind: 'write', paths: ['a'] }],
    [
      'multi_replace_string_in_file',
      { replacements: [{ filePath: 'a' }, { filePath: 'b' }] },
      { kind: 'write', paths: ['a', 'b'] },
    ],
    ['NotebookEdit', { notebook_path: 'n.ipynb' }, { kind: 'write', paths: ['n.ipynb'] }],
    ['write_to_file', { path: 'a', content: '' }, { kind: 'write', paths: ['a'] }],
    ['Read', { file_path: '/w/a' }, { kind: 'read', paths: ['/w/a'] }],
    ['read_many_files', { paths: ['a', '../b'] }, { kind: 'read', paths: ['a', '../b'] }],
    ['read_file', { target_file: 'a' }, { kind: 'read', paths: ['a'] }],
    ['list_directory', { dir_path: '.' }, { kind: 'read', paths: ['.'] }],
    ['Glob', { pattern: '/etc/**/*.conf' }, { kind: 'read', paths: ['/etc/'] }],
    ['glob', { pattern: '**/*.ts' }, { kind: 'read' }],
    ['glob', { pattern: 'src/*/../../../x' }, { kind: 'read', paths: ['..'] }],
    ['Grep', { pattern: '/api/', path: 'src' }, { kind: 'read', paths: ['src'] }],
    ['search', { query: 'select me', path: 'src' }, { kind: 'read', paths: ['src'] }],
    ['delete_file', { target_file: 'a' }, { kind: 'delete', paths: ['a'] }],
    ['delete_path', { path: 'a' }, { kind: 'delete', paths: ['a'] }],
    ['move', { source: 'a', destination: 'b' }, { kind: 'move', paths: ['a', 'b'] }],
    ['move_path', { source_path: 'a', destination_path: 'b' }, { kind: 'move', paths: ['a', 'b'] }],
    ['copy_path', { source_path: 'a', destination_path: 'b' }, { kind: 'write', paths: ['a', 'b'] }],
    ['create_directory', { path: 'a' }, { kind: 'write', paths: ['a'] }],
    ['WebFetch', { url: 'https://x.example', prompt: 'p' }, { kind: 'fetch', url: 'https://x.example' }],
    ['fetch_url', { url: 'https://x.example', method: 'DELETE' }, { kind: 'send', url: 'https://x.example' }],
    ['WebSearch', { query: 'cats' }, { kind: 'fetch' }],
    ['str_replace_based_edit_tool', { command: 'view', path: 'a' }, { kind: 'read', paths: ['a'] }],
    ['str_replace_based_edit_tool', { command: 'create', path: 'a', file_text: '' }, { kind: 'write', paths: ['a'] }],
    ['text_editor', { command: 'constructor', path: 'a' }, { kind: 'write', paths: ['a'] }],
    ['delete_file', {}, { kind: 'delete' }],
    ['proceed', {}, { kind: 'other' }],
    ['attempt_completion', { result: 'x', command: 'rm -rf ~' }, { kind: 'other', command: 'rm -rf ~' }],
  ])('describes %s %j', (name, args, expected) => {
    expect(describeTool(name, args)).toEqual({ ...expected, source: 'known' })
  })

  it('never looks up an MCP server’s tool by name', () => {
    expect(describeTool('Read', { file_path: 'a' }, 'evil').source).toBe('guessed')
    expect(describeCall({ name: 'todo_write', source: 'mcp' }, {}).source).toBe('guessed')
    expect(describeCall({ name: 'proceed', source: 'mcp' }, {}).source).toBe('nobody')
  })

  it.each<[string, string, Kind, string[]]>([
    [
      'the marked format',
      '*** Begin Patch\n*** Add File: n.ts\n+1\n*** Update File: u.ts\n*** Move to: m.ts\n@@\n-a\n+b\n*** End Patch',
      'move',
      ['n.ts', 'u.ts', 'm.ts'],
    ],
    [
      'a deletion in the marked format',
      '*** Begin Patch\n*** Delete File: gone.ts\n*** End Patch',
      'delete',
      ['gone.ts'],
    ],
    ['a unified diff', '--- a/src/x.ts\t2026\n+++ b/src/x.ts\n@@ -1 +1 @@\n-a\n+b\n', 'write', ['src/x.ts']],
    ['a new file', '--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+b\n', 'write', ['new.ts']],
    ['a deleted file', '--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n', 'delete', ['old.ts']],
    ['a git rename', 'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n', 'move', ['x', 'y']],
    ['a quoted file name', 'diff --git "a/\\303\\251 x" "b/\\303\\251 x"\n', 'write', ['é x']],
    ['a git delete with spaces', 'diff --git a/my file b/my file\ndeleted file mode 100644\n', 'delete', ['my file']],
    [
      'a path with `..`',
      '--- a/../../etc/passwd\n+++ b/../../etc/passwd\n',
      'write',
      ['../../etc/passwd', 'a/../../etc/passwd', 'b/../../etc/passwd'],
    ],
    ['two files', '--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\n--- b\n+++ b\n@@ -1 +1 @@\n-1\n+2\n', 'write', ['a', 'b']],
  ])('reads the file names from %s', (_, input, kind, paths) => {
    expect(describeTool('apply_patch', { input })).toEqual({ kind, paths, source: 'known' })
  })

  it('treats a patch inside file content as content', () => {
    expect(describeTool('write_file', { path: 'x.patch', content: '--- a/y\n+++ /dev/null\n' })).toEqual({
      kind: 'write',
      paths: ['x.patch'],
      source: 'known',
    })
  })

  it('leaves volatile arguments out of the grant key, for shells only', () => {
    expect(volatileArguments({ name: 'Bash' }, 'execute')).toContain('description')
    expect(volatileArguments({ name: 'Bash', server: 's' }, 'execute')).toEqual([])
    expect(volatileArguments({ name: 'Write' }, 'write')).toEqual([])
    expect(volatileArguments({ name: 'Bash' }, 'execute')).not.toContain('command')
  })
})

describe('a description guessed from the tool name', () => {
  it.each<[string, Kind | undefined]>([
    ['get_user', 'read'],
    ['getUser', 'read'],
    ['list-files', 'read'],
    ['list_deleted_files', 'read'],
    ['search_updated_docs', 'read'],
    ['get_message', 'read'],
    ['get_build_status', 'read'],
    ['get_and_delete_all', 'delete'],
    ['getAndDeleteAll', 'delete'],
    ['get_and_message', 'send'],
    ['read_then_run', 'execute'],
    ['list_or_drop', 'delete'],
    ['HTTPDelete', 'delete'],
    ['send_email', 'send'],
    ['create_issue', 'write'],
    ['db.query', 'query'],
    ['run_query', 'execute'],
    ['rename_branch', 'move'],
    ['deploy_prod', 'execute'],
    ['download_file', 'fetch'],
    ['user_get', 'read'],
    ['pods_log', 'read'],
    ['events_list', 'read'],
    ['order_status', 'read'],
    ['has_permission', 'read'],
    ['can_frobnicate_x', undefined],
    ['log_time', undefined],
    ['frobnicate_list', undefined],
    ['set_status', 'write'],
    ['order_create', 'write'],
    ['message_send', 'send'],
    ['deploy_services_reader', 'read'],
    ['mcp__x__read_file', undefined],
    ['get_anddeleteall', undefined],
    ['get_dеlete', 'delete'],
    ['gеt_user', undefined],
    ['get_drop_rate', 'read'],
    ['list_delete_markers', 'read'],
    ['get_reset_password_policy', 'read'],
    ['get_kill_switch_state', 'read'],
    ['search_drop_off_points', 'read'],
    ['get_drop_frobnicator', undefined],
    ['get_delete_all', 'delete'],
    ['get_or_delete_rate', 'delete'],
    ['search_replace', 'write'],
    ['getanddeleteall', undefined],
    ['get_x\u0336', undefined],
    ['frobnicate', undefined],
    ['', undefined],
    ['123', undefined],
  ])('reads `%s` as %s (H5, scenario 6)', (name, kind) => {
    expect(kindOfName(name)).toBe(kind)
  })

  it('never describes a name with a stronger verb as a read, at any position', () => {
    const parts = fc.array(fc.constantFrom('get', 'all', 'user', 'file', 'list', 'name'), { maxLength: 4 })
    fc.assert(
      fc.property(
        parts,
        fc.constantFrom('delete', 'write', 'send', 'drop', 'execute', 'update'),
        parts,
        (a, verb, b) => {
          expect(kindOfName(['get', ...a, verb, ...b].join('_'))).not.toBe('read')
        },
      ),
    )
  })
})

describe('a description guessed from the arguments', () => {
  it.each<[string, object, Descriptor]>([
    ['frobnicate', { path: 'a' }, { kind: 'other', paths: ['a'], source: 'nobody' }],
    ['get_item', { action: 'delete' }, { kind: 'delete', source: 'guessed' }],
    ['get_item', { method: 'POST' }, { kind: 'send', source: 'guessed' }],
    ['frobnicate', { action: 'get' }, { kind: 'other', source: 'nobody' }],
    ['frobnicate', { sql: 'select 1' }, { kind: 'other', sql: 'select 1', source: 'nobody' }],
    ['get_item', { mode: 'fast' }, { kind: 'read', source: 'guessed' }],
    ['get_item', { mode: 'overwrite' }, { kind: 'write', source: 'guessed' }],
    [
      'get_item',
      { options: [{ cmd: 'rm -rf ~', action: 'purge' }] },
      { kind: 'delete', command: 'rm -rf ~', source: 'guessed' },
    ],
    ['get_item', { operation: 'zap' }, { kind: 'other', source: 'nobody' }],
    ['delete_item', { action: 'get' }, { kind: 'delete', source: 'guessed' }],
    ['sync_folder', { delete: true }, { kind: 'delete', source: 'guessed' }],
    ['sync_folder', { delete: false }, { kind: 'write', source: 'guessed' }],
    ['get_output', { command: 'rm -rf ~' }, { kind: 'execute', command: 'rm -rf ~', source: 'guessed' }],
    ['helper', { cmd: ['ls', '; rm -rf ~'] }, { kind: 'execute', command: 'ls ; rm -rf ~', source: 'guessed' }],
    ['get_rows', { sql: 'drop table x' }, { kind: 'query', sql: 'drop table x', source: 'guessed' }],
    [
      'search_rows',
      { query: '/* hi */ -- x\n DELETE FROM t' },
      { kind: 'query', sql: '/* hi */ -- x\n DELETE FROM t', source: 'guessed' },
    ],
    ['search_docs', { query: 'how to delete' }, { kind: 'read', source: 'guessed' }],
    ['get_page', { link: 'https://a.example/x' }, { kind: 'fetch', url: 'https://a.example/x', source: 'guessed' }],
    [
      'fetch_it',
      { url: 'https://a.example', webhook: 'https://b.example' },
      { kind: 'fetch', url: 'https://a.example', urls: ['https://a.example', 'https://b.example'], source: 'guessed' },
    ],
    ['get_file', { thing: '/etc/passwd' }, { kind: 'read', paths: ['/etc/passwd'], source: 'guessed' }],
    ['get_file', { uri: 'file:///etc/pass%77d' }, { kind: 'read', paths: ['/etc/passwd'], source: 'guessed' }],
    ['get_file', { deep: [{ list: ['~/x', 'plain'] }] }, { kind: 'read', paths: ['~/x'], source: 'guessed' }],
    ['get_file', { path: 'a\0b' }, { kind: 'read', paths: ['a\0b'], source: 'guessed' }],
    [
      'push_files',
      { files: { 'a/b.ts': 'x', '../c': 'y' } },
      { kind: 'send', paths: ['a/b.ts', '../c'], source: 'guessed' },
    ],
    ['get_route', { endpoint: '/api/users' }, { kind: 'read', source: 'guessed' }],
    ['transmogrify', { source: 'en', target: 'de' }, { kind: 'other', source: 'nobody' }],
    ['get_profile', { profile: 'x' }, { kind: 'read', source: 'guessed' }],
    ['helper', { text: '--- a/x\n+++ /dev/null\n' }, { kind: 'delete', paths: ['x'], source: 'guessed' }],
  ])('describes %s %j', (name, args, expected) => {
    expect(describeTool(name, args)).toEqual(expected)
  })

  it('takes the kind from the registration and fills in the rest', () => {
    expect(describeCall({ name: 'thing' }, freezeArgs({ path: 'a' }), { kind: 'write' })).toEqual({
      kind: 'write',
      paths: ['a'],
      source: 'declared',
    })
    expect(describeCall({ name: 'thing' }, freezeArgs({ path: 'a' }), { kind: 'write', paths: ['b'] })).toEqual({
      kind: 'write',
      paths: ['b'],
      source: 'declared',
    })
    expect(describeCall({ name: 'thing' }, freezeArgs({ command: 'next' }), { kind: 'read' })).toEqual({
      kind: 'read',
      source: 'declared',
    })
  })

  it('never throws, for any name and arguments', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.dictionary(fc.string(), fc.jsonValue()), (name, args) => {
        fc.pre(!/__proto__|constructor|prototype/.test(JSON.stringify(args)))
        expect(describeCall({ name }, args as never).kind).toBeTypeOf('string')
      }),
    )
  })

  it.each([
    ['a long key', { ['A'.repeat(500_000)]: 'x' }],
    ['many comments', { query: '/**/'.repeat(250_000) }],
    ['many slashes', { target: `${'/a'.repeat(2000)} ` }],
    ['many brackets', { query: '( '.repeat(400_000) }],
    ['many headers', { text: '--- a\n'.repeat(140_000) }],
  ])('handles %s quickly, without the backtracking of a regular expression', (_, args) => {
    expect(describeTool('get_x', args)).toMatchObject({ kind: 'read', source: 'guessed' })
  })
})
