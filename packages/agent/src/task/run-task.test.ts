import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@countersign/core'
import { openStandIn } from '@countersign/testing/fake-openai-server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chooseModel } from '../model/choose-model.ts'
import type { Model, ModelPart } from '../model/model.ts'
import { BUILTIN_TOOLS } from '../tools/builtin-tools.ts'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import { runTask, type TaskRun } from './run-task.ts'
import { readTask } from './task-file.ts'

type Asked = readonly [tool: string, args: JsonObject]

/** A model that makes these calls, turn by turn, and ends. */
function asks(...turns: readonly (readonly Asked[])[]): Model {
  let at = 0
  return {
    name: 'test/asks',
    async *turn(): AsyncGenerator<ModelPart> {
      const calls = turns[at++] ?? []
      for (const [index, [tool, args]] of calls.entries())
        yield { kind: 'call', call: { id: `${at}.${index}`, tool, args } }
      if (calls.length === 0) yield { kind: 'text', text: 'All is done.' }
      yield { kind: 'end', why: calls.length === 0 ? 'stop' : 'calls', tokens: { input: 10, output: 5 } }
    },
  }
}

/** Runs a task in a small project; `policy` is the person's own. */
async function run(
  task: string,
  turns: readonly (readonly Asked[])[],
  more: Partial<TaskRun> & { policy?: string } = {},
) {
  const workspace = temporaryFolder()
  mkdirSync(join(workspace, 'src'))
  writeFileSync(join(workspace, 'src/a.txt'), 'one\n')
  writeFileSync(join(workspace, 'keep.txt'), 'keep\n')
  const home = temporaryFolder()
  if (more.policy !== undefined) writeFileSync(join(home, 'policy.yaml'), more.policy)
  const { report, transcript } = await runTask({
    task: readTask(`version: 1\ntask: do it\n${task}`, 'task.yaml'),
    model: asks(...turns),
    workspace,
    home,
    onHold: 'refuse',
    ...more,
  })
  const text = (path: string) =>
    existsSync(join(workspace, path)) ? readFileSync(join(workspace, path), 'utf8') : null
  const outcomes = report.calls.map(({ tool, outcome, message }) => ({ tool, outcome, message }))
  return { report, transcript, workspace, text, outcomes }
}

const write = (path: string, content: string): Asked => ['write_file', { path, content }]
const sh = (command: string, more: JsonObject = {}): Asked => ['execute_command', { command, ...more }]
/** A policy that holds nothing: only the task's limits apply. */
const CLASSIC = 'version: 1\npreset: classic\n'

const NONE = { tool: '', outcome: null, message: null }
const CHANGES: readonly (readonly [string, Asked])[] = [
  ['a write', write('src/b.txt', 'x')],
  ['an edit', ['edit_file', { path: 'keep.txt', old_string: 'keep', new_string: 'x' }]],
  ['a patch', ['apply_diff', { patch: '--- a/keep.txt\n+++ b/keep.txt\n@@ -1 +1 @@\n-keep\n+x\n' }]],
  ['a deletion', ['delete_file', { path: 'keep.txt' }]],
  ['a move', ['move_file', { source: 'keep.txt', destination: 'x' }]],
  ['a folder', ['create_directory', { path: 'x' }]],
  ['a request that sends', ['fetch_url', { url: 'http://127.0.0.1:1/', method: 'POST', body: 'x' }]],
  ['a command that writes', sh('echo x > keep.txt')],
  ['a command with a harmless beginning', sh('git status; rm keep.txt')],
  ['a command that deletes what it finds', sh('find . -delete')],
  ['a writer in a pipe', sh('cat keep.txt | tee x')],
  ['an output file of a reader', sh('sort -o keep.txt keep.txt')],
  ['a listing written to a file', sh('tree -o keep.txt')],
  ['a reader in the background', sh('cat keep.txt &')],
  ['a reader in a session of its own', sh('setsid cat keep.txt')],
  ['an interpreter', sh("python3 -c \"open('x','w')\"")],
  ['a script of the project', sh('npm test')],
  ['a command nobody knows', sh('frobnicate')],
  ['a command that cannot be read', sh('echo "')],
]

describe('running a task', () => {
  it('does what is allowed, and reports it', async () => {
    const { report, text } = await run('mode: write\n', [[write('src/b.txt', 'x\ny\n')], [write('src/b.txt', 'x\n')]])
    expect(text('src/b.txt')).toBe('x\n')
    expect(report).toMatchObject({
      outcome: 'ok',
      model: 'test/asks',
      stop: { why: 'done' },
      answer: 'All is done.',
      turns: 3,
      tokens: { input: 30, output: 15 },
      changes: [{ path: 'src/b.txt', lines: 3 }],
      calls: [
        { tool: 'write_file', risk: 'medium', supervision: 'notify', outcome: 'completed' },
        { tool: 'write_file', outcome: 'completed' },
      ],
    })
  })

  it('69: read-only mode refuses writers and every shell command not proven to read, under any preset', async () => {
    const { outcomes, text, report } = await run('', [CHANGES.map(([, call]) => call)], { policy: CLASSIC })
    const refused = outcomes.filter(
      ({ outcome, message }) => outcome === 'denied' && message?.includes('the task is read-only') === true,
    )
    expect(CHANGES.filter((_, at) => !refused.includes(outcomes[at] ?? NONE)).map(([name]) => name)).toEqual([])
    expect([text('keep.txt'), text('x'), text('src/b.txt')]).toEqual(['keep\n', null, null])
    expect(report.outcome).toBe('denied')
  })

  it('69: read-only mode runs readers, and shell commands proven to read', async () => {
    const { outcomes } = await run('', [
      [
        ['read_file', { path: 'keep.txt' }],
        ['list_directory', {}],
        ['search', { pattern: 'keep' }],
        sh('cat keep.txt | grep -c keep 2>/dev/null && ls src'),
      ],
    ])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'completed', 'completed'])
  })

  it('69: search skips files that a check would block for `read_file`', async () => {
    const both = await run('tools: [search, read_file]\n', [[['search', { pattern: 'keep' }]]])
    expect(JSON.stringify(both.transcript)).toContain('keep.txt:1: keep')
    const one = await run('tools: [search]\n', [[['search', { pattern: 'keep' }]]])
    expect(JSON.stringify(one.transcript)).toContain('nothing found')
  })

  it('70: the first file over the limit is not written, the others are', async () => {
    const { outcomes, text } = await run('mode: write\nlimits: { files: 2 }\n', [
      [write('a', '1\n')],
      [write('b', '1\n')],
      [write('c', '1\n')],
      [write('a', '2\n')],
    ])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'denied', 'completed'])
    expect(outcomes[2]?.message).toContain('it would change 3 files in all; the task allows 2')
    expect([text('a'), text('b'), text('c')]).toEqual(['2\n', '1\n', null])
  })

  it('70: lines are counted over the run, and before the write', async () => {
    const { outcomes, text, report } = await run('mode: write\nlimits: { lines: 5 }\n', [
      [write('a', '1\n2\n3\n')],
      [write('b', '1\n2\n3\n')],
      [['edit_file', { path: 'a', old_string: '2', new_string: 'two' }]],
      [['delete_file', { path: 'a' }]],
    ])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['completed', 'denied', 'completed', 'denied'])
    expect([text('a'), text('b')]).toEqual(['1\ntwo\n3\n', null])
    expect(report.changes).toEqual([{ path: 'a', lines: 5 }])
  })

  it('70: two calls at the same time cannot both take the last place', async () => {
    const { outcomes, report } = await run('mode: write\nlimits: { files: 3 }\n', [
      Array.from({ length: 12 }, (_, at) => write(`f${at}`, 'x\n')),
    ])
    expect(outcomes.filter(({ outcome }) => outcome === 'completed')).toHaveLength(3)
    expect(report.changes).toHaveLength(3)
  })

  it('70: a command with uncountable changes runs only if the task names it, and in the workspace', async () => {
    const task = 'mode: write\ncommands: ["touch made"]\n'
    const { outcomes, text } = await run(
      task,
      [[sh('touch made')], [sh('touch made2')], [sh('touch made; touch made3')], [sh('touch made', { cwd: 'src' })]],
      { policy: CLASSIC },
    )
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['completed', 'denied', 'denied', 'denied'])
    const near = ['touch made ', ' touch made', 'touch made\n', '\u00a0touch made', '\ufefftouch made', 'touch  made']
    const others = await run(task, [near.map((command) => sh(command))], { policy: CLASSIC })
    expect(others.outcomes.map(({ outcome }) => outcome)).toEqual(near.map(() => 'denied'))
    expect([text('made'), text('made2'), text('made3'), text('src/made')]).toEqual(['', null, null, null])
  })

  it('70: an uncountable change by a foreign tool is refused', async () => {
    const ran: string[] = []
    const other = (nameOnServer: string, more: Partial<AgentTool>): AgentTool => ({
      name: `files__${nameOnServer}`,
      nameOnServer,
      source: 'mcp',
      description: 'writes',
      inputSchema: { type: 'object' },
      run: async () => `ran ${ran.push(nameOnServer)}`,
      ...more,
    })
    const reads = { readOnlyHint: true }
    const tools = [
      other('write_file', { server: 'files' }),
      other('sync', { server: 'files' }),
      other('list', { server: 'files', annotations: reads }),
      other('shell', { server: 'files' }),
      other('note', { source: 'custom' }),
    ]
    const turns: readonly Asked[] = [
      ['files__write_file', { path: 'a', content: 'x' }],
      ['files__sync', { all: true }],
      ['files__list', {}],
      ['files__shell', { command: 'make all' }],
      ['files__note', { text: 'x' }],
    ]
    for (const task of ['mode: write\ncommands: ["make all"]\n', 'uncounted: ["*"]\n']) {
      const { outcomes } = await run(task, [turns], { tools, policy: CLASSIC })
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(turns.map(() => 'denied'))
    }
    expect(ran).toEqual([])
    const { outcomes } = await run('mode: write\nuncounted: ["files/*"]\n', [turns], { tools, policy: CLASSIC })
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([...Array(4).fill('completed'), 'denied'])
    expect(outcomes[4]?.message).toContain('add it to the task’s `uncounted`')
  })

  it('70: bytes and folders are counted too', async () => {
    const { outcomes } = await run('mode: write\nlimits: { files: 3, bytes: 100 }\n', [
      [write('wide', 'x'.repeat(101))],
      [['create_directory', { path: 'a/b' }]],
      [['create_directory', { path: 'c/d' }]],
      [write('small', 'x')],
    ])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['denied', 'completed', 'denied', 'completed'])
    expect(outcomes[0]?.message).toContain('the task allows 100 bytes')
  })

  it('69: fetches from no local or internal service, and only from the named hosts', async () => {
    const get = (url: string): Asked => ['fetch_url', { url }]
    const near = [
      'http://127.0.0.1:1/',
      'http://localhost:1/',
      'http://[::1]:1/',
      'http://10.0.0.1/',
      'http://2130706433/',
    ]
    const { outcomes } = await run('', [near.map(get)], { policy: CLASSIC })
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(near.map(() => 'denied'))
    const commands = ['curl http://127.0.0.1:1/', 'curl 2130706433', 'git ls-remote http://10.0.0.1/x']
    const lines = await run('', [commands.map((command) => sh(command))], { policy: CLASSIC })
    expect(lines.outcomes.map(({ outcome }) => outcome)).toEqual(commands.map(() => 'denied'))
    const named = await run('hosts: ["127.0.0.1", "*.example.org"]\n', [
      [get('http://127.0.0.1:1/'), get('https://evil.example/'), get('https://127.0.0.1.evil.example/')],
    ])
    expect(named.outcomes.map(({ message }) => message?.includes('does not allow fetching'))).toEqual([
      false,
      true,
      true,
    ])
  })

  it('73: a model that nests its arguments endlessly is refused, and the report is written', async () => {
    const deep = (levels: number): JsonObject => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
    for (const levels of [200, 20_000]) {
      const call: Asked = ['search', { pattern: 'x', more: deep(levels) }]
      const { report, transcript } = await run('', [[call], [call], [call], [call]])
      expect(report.stop.why).toBe('repeated-refusal')
      expect(JSON.parse(transcript)).toMatchObject({ agent: 'run' })
    }
  })

  it('72: any failure leaves a report of the work done', async () => {
    const policy = CLASSIC
    const model: Model = {
      name: 'test/breaks',
      turn() {
        throw new Error('out of order')
      },
    }
    const { report } = await run('', [], { model, policy })
    expect(report).toMatchObject({ outcome: 'error', stop: { message: expect.stringContaining('out of order') } })
  })

  it('71: a denied glob overrides an allowed one, through links, folders and moves', async () => {
    const task = 'mode: write\npaths: { allow: ["src/**", "link/**"], deny: ["src/secret/**"] }\n'
    const workspace = temporaryFolder()
    mkdirSync(join(workspace, 'src/secret'), { recursive: true })
    writeFileSync(join(workspace, 'src/secret/s.txt'), 's\n')
    writeFileSync(join(workspace, 'src/b.txt'), 'b\n')
    symlinkSync('src/secret', join(workspace, 'link'))
    const { outcomes } = await run(
      task,
      [
        [
          write('src/a.txt', 'ok\n'),
          write('src/secret/s.txt', 'x\n'),
          write('link/s.txt', 'x\n'),
          write('src/x/../secret/new.txt', 'x\n'),
          write('other.txt', 'x\n'),
          ['delete_file', { path: 'src' }],
          ['move_file', { source: 'src/secret', destination: 'src/open' }],
          ['move_file', { source: 'src/b.txt', destination: 'src/secret' }],
        ],
      ],
      { workspace, policy: CLASSIC },
    )
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['completed', ...Array.from({ length: 7 }, () => 'denied')])
    expect(outcomes[2]?.message).toContain('the task denies changes to `src/secret/s.txt`')
    expect(outcomes[4]?.message).toContain('the task does not allow changes to `other.txt`')
    expect(readFileSync(join(workspace, 'src/secret/s.txt'), 'utf8')).toBe('s\n')
    expect(readFileSync(join(workspace, 'src/a.txt'), 'utf8')).toBe('ok\n')
  })

  it('71: without a list of paths nothing outside the workspace can be changed', async () => {
    const outside = join(temporaryFolder(), 'x')
    const { outcomes } = await run('mode: write\n', [[write(outside, 'x')]], { policy: CLASSIC })
    expect(outcomes[0]).toMatchObject({ outcome: 'denied' })
    expect(existsSync(outside)).toBe(false)
  })

  it('uses only the allowed tools', async () => {
    const { outcomes } = await run('tools: [read_file, "list_*"]\n', [
      [
        ['read_file', { path: 'keep.txt' }],
        ['list_directory', {}],
        ['search', { pattern: 'x' }],
      ],
    ])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'denied'])
    expect(outcomes[2]?.message).toContain('the task does not allow the tool `search`')
  })

  it('34: a call that needs a person is refused at once if nobody can be asked, and the agent continues', async () => {
    const { outcomes, report, text } = await run('mode: write\n', [[['delete_file', { path: 'keep.txt' }]]])
    expect(outcomes).toEqual([
      {
        tool: 'delete_file',
        outcome: 'withdrawn',
        message: 'it needs approval, and this run has nobody to ask',
      },
    ])
    expect([report.outcome, report.stop.why, text('keep.txt')]).toEqual(['unasked', 'done', 'keep\n'])
  })

  it('loosens nothing in the person’s own policy', async () => {
    const policy = 'version: 1\nnever_allow: ["write_*"]\n'
    const { outcomes } = await run('mode: write\n', [[write('a', 'x')]], { policy })
    expect(outcomes[0]?.outcome).toBe('denied')
  })

  it('ends at its limit of turns, of tokens, and when aborted', async () => {
    const reads = Array.from({ length: 9 }, (_, at): Asked[] => [['search', { pattern: `x${at}` }]])
    expect((await run('limits: { turns: 2 }\n', reads)).report).toMatchObject({
      outcome: 'stopped',
      stop: { why: 'iterations' },
    })
    expect((await run('limits: { tokens: 40 }\n', reads)).report).toMatchObject({
      outcome: 'stopped',
      stop: { why: 'tokens' },
    })
    const { report } = await run('', reads, { signal: AbortSignal.abort() })
    expect(report).toMatchObject({ outcome: 'aborted', calls: [] })
  })

  it('works with a model over HTTP, which gets every tool and its limits', async () => {
    const tokens = { input: 7, output: 3 }
    const server = await openStandIn([
      { calls: [{ tool: 'edit_file', args: { path: 'src/a.txt', old_string: 'one', new_string: 'two' } }], tokens },
      { text: 'Changed.', tokens },
    ])
    onTestFinished(() => server.close())
    const model = await chooseModel({ model: 'openai/any', env: { OPENAI_BASE_URL: server.url } })
    const { report, text } = await run('mode: write\nlimits: { files: 1 }\n', [], { model })
    expect(text('src/a.txt')).toBe('two\n')
    expect(report).toMatchObject({ outcome: 'ok', answer: 'Changed.', turns: 2, tokens: { input: 14, output: 6 } })
    const [first] = server.requests
    expect(first?.body.tools?.map((tool) => tool.function.name)).toEqual(BUILTIN_TOOLS.map(({ name }) => name))
    expect(JSON.stringify(first?.body.messages[0])).toContain('at most 1 file and 500 lines')
  })

  it('20: leaves no secret in its files', async () => {
    const secret = ['ghp_', 'Zx9'.repeat(12)].join('')
    const { report, transcript } = await run('mode: write\n', [[write(secret, 'x')], [sh(`echo ${secret}`)]])
    expect(JSON.stringify(report) + transcript).not.toContain(secret)
  })
})
