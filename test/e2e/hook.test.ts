import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { newHostToken, writeHostSetup } from '@countersign/hosts'
import { openGate, openHome } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { endOf, spawnCli, startCli } from '@countersign/testing/command/spawn-cli'
import { describeContained } from '@countersign/testing/contain/contained'
import { type Answered, type StandInAgent, startAgent } from '@countersign/testing/hosts/stand-in-agent'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const PATIENCE = { timeout: 120_000 }
/** Held at medium risk under the default preset. */
const POST = { command: 'curl -X POST https://example.com/x -d a=b' }

async function agentIn(policy = 'version: 1\n', isAttended = false) {
  const home = join(temporaryFolder(), 'home')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(join(home, 'policy.yaml'), policy, { mode: 0o600 })
  const agent = await startAgent({ home, isAttended })
  const run = (...words: readonly string[]) => runInProcess(words, { cwd: agent.workspace, home })
  return { agent, home, run, mark: () => heldMark(run) }
}

type Run = (...words: readonly string[]) => ReturnType<typeof runInProcess>

function heldMark(run: Run): Promise<string> {
  return until('a held call', async () => {
    const [first] = (await run('held', '--json')).json() as readonly { readonly mark: string }[]
    return first?.mark
  })
}

async function serve(home: string, cwd: string) {
  const child = startCli(['serve', '--home', home, '--json', '--port', '0'], cwd)
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = endOf(child)
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    void ended.then(({ stderr }) => reject(new Error(stderr)))
  })
  return { child, ended }
}

async function historyOf(run: Run): Promise<readonly { readonly outcome: string; readonly tool: string }[]> {
  return (await run('history', '--json')).json() as readonly { readonly outcome: string; readonly tool: string }[]
}

/** Both ways to answer: by a running service, and in the hook's own process. */
const WAYS = [
  { name: 'with a service', prepare: (home: string, cwd: string) => serve(home, cwd) },
  { name: 'without a service', prepare: async () => undefined },
] as const

describe.each(WAYS)('countersign hook, $name', ({ prepare }) => {
  it('refuses what a person rejects, with the reason for the model', PATIENCE, async () => {
    const { agent, home, run, mark } = await agentIn()
    await prepare(home, agent.workspace)
    const asked = agent.before('Bash', POST)
    expect((await run('reject', await mark(), '--reason', 'not today')).code).toBe(0)
    const { decision, reason, code, stderr } = await asked
    expect({ decision, code, stderr }).toEqual({ decision: 'deny', code: 0, stderr: '' })
    expect(reason).toContain('NOT EXECUTED (rejected)')
    expect(reason).toContain('not today')
  })

  it('leaves an approved call to the agent, and records how it ended', PATIENCE, async () => {
    const { agent, home, run, mark } = await agentIn()
    await prepare(home, agent.workspace)
    const asked = agent.before('Bash', POST, { id: 'toolu_a' })
    expect((await spawnCli(['approve', await mark(), '--home', home], agent.workspace)).code).toBe(0)
    const { decision, command } = await asked
    expect({ decision, command }).toEqual({ decision: 'allow', command: POST.command })
    expect((await agent.after('Bash', POST, { id: 'toolu_a', error: 'Exit code 7\nno route' })).stdout).toBe('')
    expect(await historyOf(run)).toMatchObject([{ outcome: 'failed', tool: 'Bash' }])
    const again = await agent.before('Bash', POST, { id: 'toolu_a' })
    expect(again).toMatchObject({ decision: 'deny', reason: expect.stringContaining('already exists') })
  })

  it('says who approved a call whose agent was gone before it told how it ended', PATIENCE, async () => {
    const { agent, home, run, mark } = await agentIn()
    await prepare(home, agent.workspace)
    const asked = agent.before('Bash', POST, { id: 'toolu_a' })
    expect((await spawnCli(['approve', await mark(), '--home', home], agent.workspace)).code).toBe(0)
    expect((await asked).decision).toBe('allow')
    await agent.end()
    await until('the end of the call', async () => {
      await run('held', '--json')
      return (await historyOf(run))[0]?.outcome === 'unknown'
    })
    expect(await historyOf(run)).toMatchObject([{ outcome: 'unknown', decision: { kind: 'approve' } }])
  })

  it('withdraws the call when the agent ends the hook', PATIENCE, async () => {
    const { agent, home, run, mark } = await agentIn()
    await prepare(home, agent.workspace)
    const pids: number[] = []
    const asked = agent.before('Bash', POST, { started: (pid) => pids.push(pid) })
    await mark()
    process.kill(pids[0] ?? 0, 'SIGTERM')
    expect((await asked).command).toBeUndefined()
    await until('the withdrawal', async () => (await historyOf(run))[0]?.outcome === 'withdrawn')
  })

  it('keeps one session for all calls of an agent, also those that ask at once', PATIENCE, async () => {
    const { agent, home, run } = await agentIn('version: 1\nrules:\n  - { tool: Read, supervision: automatic }\n')
    await prepare(home, agent.workspace)
    writeFileSync(join(agent.workspace, 'a'), 'x')
    const input = { file_path: join(agent.workspace, 'a') }
    const answers = await Promise.all([1, 2, 3, 4].map(() => agent.before('Read', input)))
    expect(answers.map(({ decision, reason }) => (decision === 'allow' ? decision : reason))).toEqual([
      'allow',
      'allow',
      'allow',
      'allow',
    ])
    const entries = (await run('journal', 'export')).stdout
      .split('\n')
      .filter((line) => line.includes('"kind":"judged"'))
      .map((line) => JSON.parse(line) as { readonly session: string })
    expect(new Set(entries.map(({ session }) => session)).size).toBe(1)
  })
})

describeContained('a command that nobody is asked about', () => {
  it.each(WAYS)('runs in the sandbox inside the agent, once, $name', PATIENCE, async ({ prepare }) => {
    const { agent, home, run } = await agentIn()
    await prepare(home, agent.workspace)
    const outside = join(agent.workspace, '../outside')
    const { decision, command = '' } = await agent.before('Bash', { command: `echo in > made; echo out > ${outside}` })
    if (decision !== 'allow') throw new Error('it was asked about')
    const ran = await agent.run(command)
    expect(readFileSync(join(agent.workspace, 'made'), 'utf8')).toBe('in\n')
    expect(existsSync(outside)).toBe(false)
    expect(ran).toMatchObject({ stderr: '', code: 0 })
    expect(await historyOf(run)).toMatchObject([{ outcome: 'completed' }])
    const second = await agent.run(command)
    expect(second).toMatchObject({ code: expect.any(Number), stdout: '' })
    expect(second.stderr).toMatch(/not run|CS_/)
  })

  it('runs neither with other words nor in another folder', PATIENCE, async () => {
    const { agent } = await agentIn()
    const other = await contained(agent, 'echo a > one')
    expect((await agent.run(other.replace('echo a > one', 'echo b > two'))).stderr).toContain('CS_')
    mkdirSync(join(agent.workspace, 'sub'))
    const elsewhere = await contained(agent, 'echo c > three')
    expect((await agent.run(`cd sub && ${elsewhere}`)).stderr).toContain('was judged for')
    expect(['one', 'two', 'three', 'sub/three'].filter((path) => existsSync(join(agent.workspace, path)))).toEqual([])
  })

  it('is left as it is where a rule of the agent’s own might match it', PATIENCE, async () => {
    const { agent, run, mark } = await agentIn()
    mkdirSync(join(agent.workspace, '.claude'))
    const settings = JSON.stringify({ permissions: { deny: ['Bash(touch:*)'], ask: ['Bash(npm:*)'] } })
    writeFileSync(join(agent.workspace, '.claude/settings.local.json'), settings)
    const proven = await agent.before('Bash', { command: 'touch made' })
    expect(proven).toMatchObject({ decision: 'allow', command: 'touch made' })
    const asked = agent.before('Bash', { command: 'npm test' })
    const held = await mark()
    const why = 'not in the sandbox: Claude Code’s own rule `Bash(npm:*)` may apply to it'
    expect((await run('held', held)).stdout.replaceAll(/\s+/g, ' ')).toContain(why)
    await run('reject', held)
    expect((await asked).decision).toBe('deny')
    expect((await run('journal', 'export')).stdout).toContain(JSON.stringify(why).slice(1, -1))
    expect(await contained(agent, 'echo a > other')).toContain(' contain --ticket ')
  })

  it.each(['t"ou"ch made', 't\\ouch made', '$T made', 'x=touch; "$x" made', '*uch made', 'bash -c "t\'ou\'ch made"'])(
    'is never one that could be spelled otherwise in such a rule: %s',
    PATIENCE,
    async (command) => {
      const { agent, run, mark } = await agentIn()
      mkdirSync(join(agent.workspace, '.claude'))
      writeFileSync(join(agent.workspace, '.claude/settings.json'), '{"permissions":{"deny":["Bash(touch:*)"]}}')
      const asked = agent.before('Bash', { command })
      const first = await Promise.race([asked, mark()])
      if (typeof first === 'string') await run('reject', first)
      expect([undefined, command]).toContain((await asked).command)
    },
  )
})

async function contained(agent: StandInAgent, command: string): Promise<string> {
  const answered: Answered = await agent.before('Bash', { command })
  if (answered.command === undefined) throw new Error(answered.reason)
  return answered.command
}

/** A reading command of Claude Code, which nobody is asked about. */
const READING = JSON.stringify({
  session_id: 's',
  cwd: '/srv/work',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Read',
  tool_input: { file_path: 'a' },
  tool_use_id: 't',
})

/** VS Code runs the hooks of Claude Code's settings too. */
const VS_CODE = JSON.stringify({
  timestamp: '2026-11-19T08:00:00.000Z',
  cwd: '/srv/work',
  sessionId: 's',
  hookEventName: 'PreToolUse',
  transcript_path: null,
  tool_name: 'run_in_terminal',
  tool_input: { command: 'ls' },
  tool_use_id: 't',
})

/** The hook that a shell of the agent runs. */
function childOf(shell = 0): number {
  return Number.parseInt(readFileSync(`/proc/${shell}/task/${shell}/children`, 'latin1'), 10)
}

function openFilesOf(pid = 0): readonly string[] {
  const folder = `/proc/${pid}/fd`
  const target = (fd: string) => {
    try {
      return readlinkSync(join(folder, fd))
    } catch {
      return '' // closed meanwhile
    }
  }
  return existsSync(folder) ? readdirSync(folder).map(target) : []
}

/** Takes the place of a service in a home. */
async function listenAs(home: string, serve: (socket: Socket) => void): Promise<Server> {
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 })
  const server = createServer(serve).listen(join(home, 'run', 'hooks.sock'))
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return server
}

describe('a hook whose service goes away while the call is held', () => {
  const ENDS = [
    ['dies', async ({ child }: Awaited<ReturnType<typeof serve>>) => void child.kill('SIGKILL')],
    ['stops', async (_: unknown, run: Run) => expect((await run('stop')).code).toBe(0)],
  ] as const

  it.each(ENDS)('goes on by itself when it %s, and runs the call once', PATIENCE, async (_, end) => {
    const { agent, home, run, mark } = await agentIn()
    const service = await serve(home, agent.workspace)
    const asked = agent.before('Bash', POST, { id: 'toolu_a' })
    const held = await mark()
    await end(service, run)
    await service.ended
    expect((await spawnCli(['approve', held, '--home', home], agent.workspace)).code).toBe(0)
    expect(await asked).toMatchObject({ decision: 'allow', command: POST.command })
    await agent.after('Bash', POST, { id: 'toolu_a' })
    expect(await historyOf(run)).toMatchObject([{ outcome: 'completed', tool: 'Bash' }])
    const started = (await run('journal', 'tail', '--json')).stdout.match(/"kind":"started"/g)
    expect(started).toHaveLength(1)
  })

  it('gets a rejection that was made meanwhile', PATIENCE, async () => {
    const { agent, home, run, mark } = await agentIn()
    const service = await serve(home, agent.workspace)
    const asked = agent.before('Bash', POST)
    const held = await mark()
    service.child.kill('SIGKILL')
    expect((await run('reject', held, '--reason', 'not today')).code).toBe(0)
    expect(await asked).toMatchObject({ decision: 'deny', reason: expect.stringContaining('not today') })
    expect(await historyOf(run)).toMatchObject([{ outcome: 'rejected' }])
  })

  it('goes on at the next service', PATIENCE, async () => {
    const { agent, home, run, mark } = await agentIn()
    const taken = Promise.withResolvers<Socket>()
    const first = await listenAs(home, taken.resolve)
    const asked = agent.before('Bash', POST)
    const socket = await taken.promise
    await until('the event', () => socket.readableLength > 0)
    first.close() // removes its name; the connection stays
    await serve(home, agent.workspace)
    socket.destroy()
    expect((await run('reject', await mark())).code).toBe(0)
    expect(await asked).toMatchObject({ decision: 'deny', reason: expect.stringContaining('rejected') })
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ workspaces: expect.any(Number) })
  })

  it('withdraws the call when the agent ends the hook after that', PATIENCE, async () => {
    const { agent, home, run, mark } = await agentIn()
    const service = await serve(home, agent.workspace)
    const pids: number[] = []
    const asked = agent.before('Bash', POST, { started: (pid) => pids.push(pid) })
    await mark()
    service.child.kill('SIGKILL')
    await until('the hook to open the store', () =>
      openFilesOf(childOf(pids[0])).some((file) => file.endsWith('/store.db')),
    )
    process.kill(pids[0] ?? 0, 'SIGTERM')
    expect((await asked).command).toBeUndefined()
    await until('the end of the call', async () => (await historyOf(run))[0]?.outcome === 'withdrawn')
  })
})

describe('a hook that connects while the service stops', () => {
  it('answers by itself, and never ends with an error that agents take for leave (L3)', PATIENCE, async () => {
    const { agent, home } = await agentIn('version: 1\nrules:\n  - { tool: Bash, supervision: deny }\n')
    for (let turn = 0; turn < 3; turn += 1) {
      const stopping = await listenAs(home, (socket) => {
        rmSync(join(home, 'run', 'hooks.sock'), { force: true })
        socket.destroy()
      })
      expect(await agent.before('Bash', POST)).toMatchObject({ decision: 'deny', code: 0, stderr: '' })
      stopping.close()
    }
  })
})

describe('a call that a hook asks for again', () => {
  it('is unknown if it was started, and no other session’s, and no other call (L1)', async () => {
    const { agent, home } = await agentIn('version: 1\nrules:\n  - { tool: Read, supervision: automatic }\n')
    const opened = await openGate({ home, workspace: agent.workspace, session: 'none' })
    onTestFinished(() => opened.gate.close())
    const { host } = opened.joinSession('session-one', opened.ports.owners.self)
    const call = { id: 'call-one', tool: 'Read', args: { file_path: 'a' } }
    const other = opened.joinSession('session-two', opened.ports.owners.self)
    expect(await host.ask(call, { again: true })).toMatchObject({ kind: 'permit' })
    const duplicate = { kind: 'refusal', code: 'CS_CALL_DUPLICATE' }
    expect(await other.host.ask(call, { again: true })).toMatchObject(duplicate)
    expect(await host.ask({ ...call, args: { file_path: 'b' } }, { again: true })).toMatchObject(duplicate)
    for (let n = 0; n < 2; n += 1)
      expect(await host.ask(call, { again: true })).toMatchObject({ kind: 'refusal', outcome: 'unknown' })
    expect(await host.ended(call, { outcome: 'completed' })).toBe(false)
  })
})

describe('a hook that can’t answer', () => {
  it('refuses when every service dies that takes the event', PATIENCE, async () => {
    const { agent, home } = await agentIn()
    let taken = 0
    const dying = await listenAs(home, (socket) => {
      taken += 1
      socket.end('\n')
    })
    expect(await agent.before('Bash', POST)).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('CS_SERVICE_GONE'),
    })
    expect(taken).toBe(5)
    dying.close()
  })

  it('refuses when the service hangs', PATIENCE, async () => {
    const { agent, home } = await agentIn()
    const { child } = await serve(home, agent.workspace)
    child.kill('SIGSTOP')
    expect(await agent.before('Bash', POST)).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('the service does not answer'),
    })
  })

  it.each([
    ['text that is not JSON', 'oops'],
    ['nothing', ''],
    ['another agent’s event', '{"toolName":"bash","toolArgs":{}}'],
    ['VS Code’s event', VS_CODE],
    ['an argument that is there twice', READING.replace('"file_path":"a"', '"file_path":"a","file_path":"b"')],
    ['arguments that are there twice', READING.replace('"tool_use_id"', '"tool_\\u0069nput":{},"tool_use_id"')],
    ['half an event', READING.slice(0, -20)],
    ['two events', `${READING}${READING}`],
    ['zero bytes', `${READING}\0`],
    ['an event in an event', '['.repeat(10_000)],
    ['too much', JSON.stringify({ session_id: 'x'.repeat(7 * 1024 * 1024) })],
    [
      'arguments that are no object',
      '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":[]}',
    ],
  ])('refuses on %s', PATIENCE, async (_, input) => {
    const { agent } = await agentIn()
    const { stdout, stderr, code } = await agent.run(`${agent.hook} PreToolUse`, input)
    // Claude Code obeys both, and another agent at least one of them.
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^NOT EXECUTED: .*\n$/) })
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  })

  it('refuses bytes that are not UTF-8, which the agent may read otherwise', PATIENCE, async () => {
    const { agent } = await agentIn()
    const event = READING.replace('"a"', '"a\\377"')
    const { stdout, stderr, code } = await agent.run(`printf '${event}' | ${agent.hook} PreToolUse`)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('not UTF-8') })
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  })

  it.each([
    ['a full disk', (hook: string) => `${hook} >/dev/full`],
    ['an agent that closed its end', (hook: string) => `{ { ${hook}; echo "code $?" >&2; } | exec <&-; }`],
  ])('refuses by its exit code when its answer can’t be written to %s', PATIENCE, async (_, line) => {
    const { agent } = await agentIn('version: 1\nrules:\n  - { tool: Read, supervision: automatic }\n')
    expect(await agent.run(`${agent.hook} PreToolUse`, READING)).toMatchObject({ code: 0, stderr: '' })
    const { stderr, code } = await agent.run(line(`${agent.hook} PreToolUse`), READING.replace('"t"', '"t2"'))
    expect(stderr).toMatch(/^NOT EXECUTED: .*\n(code 2\n)?$/)
    expect(code === 2 || stderr.endsWith('code 2\n')).toBe(true)
  })

  it('refuses with an invalid policy, a damaged home and an unknown agent', PATIENCE, async () => {
    const { agent, home } = await agentIn('version: 1\nrules: nonsense\n')
    writeFileSync(join(home, 'hosts'), 'not a folder')
    const damaged = await agent.before('Read', { file_path: 'a' })
    expect(damaged).toMatchObject({ decision: 'deny', reason: expect.stringContaining('NOT EXECUTED') })
    const unknown = await agent.run(agent.hook.replace('claude-code', 'emacs'), '{}')
    expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('emacs') })
  })

  it('stays silent about reports that it can’t read', PATIENCE, async () => {
    const { agent } = await agentIn()
    expect(await agent.run(`${agent.hook} PostToolUse`, 'oops')).toMatchObject({ stdout: '', stderr: '', code: 0 })
  })
})

describe('whatever an agent behind the gate starts', () => {
  it('can’t decide, forge a session or use another one’s grants', PATIENCE, async () => {
    const { agent, home, run, mark } = await agentIn()
    const { token, tokenHash } = newHostToken()
    writeHostSetup(openHome(home), 'claude-code', { tokenHash, within: [], asking: 'desk' })
    const asked = agent.before('Bash', POST, { token })
    const held = await mark()
    const own = agent.hook.replace(/ hook claude-code/, ` approve ${held}`)
    expect((await agent.run(own)).stderr).toContain('approve itself')
    const granted = await spawnCli(
      ['approve', held, '--home', home, '--grant', 'exact', '--for', 'session'],
      agent.workspace,
    )
    expect(granted.stderr + granted.stdout).toContain('approved')
    expect((await asked).decision).toBe('allow')
    expect((await agent.before('Bash', POST, { token })).decision).toBe('allow')
    const forged = agent.before('Bash', POST)
    expect((await run('reject', await mark())).code).toBe(0)
    expect((await forged).decision).toBe('deny')
  })

  it('works in no other folder than the session’s', PATIENCE, async () => {
    const { agent, home } = await agentIn()
    const { token, tokenHash } = newHostToken()
    writeHostSetup(openHome(home), 'claude-code', { tokenHash, within: [temporaryFolder()], asking: 'desk' })
    const refused = await agent.before('Read', { file_path: 'a' }, { token })
    expect(refused).toMatchObject({ decision: 'deny', reason: expect.stringContaining('CS_WORKSPACE') })
  })
})

describe('the agent’s own prompt', () => {
  const INSTRUCTIONS = { file_path: 'AGENTS.md', content: 'x' }

  async function asking(policy?: string, isAttended = true) {
    const world = await agentIn(policy, isAttended)
    const { token, tokenHash } = newHostToken()
    writeHostSetup(openHome(world.home), 'claude-code', { tokenHash, within: [], asking: 'host' })
    return { ...world, token }
  }

  it('asks about a medium risk where init chose so, and the journal tells', PATIENCE, async () => {
    const { agent, run, token } = await asking()
    const answered = await agent.before('Write', INSTRUCTIONS, { token, id: 'toolu_w' })
    expect(answered).toMatchObject({ decision: 'ask', reason: expect.stringContaining('at medium risk') })
    await agent.after('Write', INSTRUCTIONS, { token, id: 'toolu_w' })
    expect(await historyOf(run)).toMatchObject([{ outcome: 'completed', tool: 'Write' }])
    const entries = (await run('journal', 'export')).stdout
    expect(entries).toContain('"agentPrompt":true')
    expect(entries).not.toContain('"kind":"decided"')
  })

  it.each<[string, string | undefined, object, boolean]>([
    ['nobody sits before the agent', undefined, {}, false],
    ['the agent does not prompt', undefined, { permission_mode: 'bypassPermissions' }, true],
    ['the policy allows none', 'version: 1\ndefaults: { agent_prompts: none }\n', {}, true],
    ['the policy allows less risk', 'version: 1\ndefaults: { agent_prompts: low }\n', {}, true],
    ['a passkey is required', 'version: 1\ndefaults: { passkey: medium }\n', {}, true],
    ['a rule asks for more than a yes', 'version: 1\nrules:\n  - { tool: Write, supervision: manual }\n', {}, true],
  ])('is not enough when %s', PATIENCE, async (_, policy, fields, isAttended) => {
    const { agent, run, mark, token } = await asking(policy, isAttended)
    const asked = agent.before('Write', INSTRUCTIONS, { token, fields })
    expect((await run('reject', await mark())).code).toBe(0)
    expect((await asked).decision).toBe('deny')
  })

  it('is not enough for high risk, while paused, or without the token', PATIENCE, async () => {
    const { agent, run, mark, token } = await asking()
    const refusedAfter = async (asked: Promise<Answered>) => {
      expect((await run('reject', await mark())).code).toBe(0)
      expect((await asked).decision).toBe('deny')
    }
    await refusedAfter(agent.before('Write', { file_path: '.claude/settings.json', content: '{}' }, { token }))
    await refusedAfter(agent.before('Write', INSTRUCTIONS))
    expect((await run('pause')).code).toBe(0)
    await refusedAfter(agent.before('Write', INSTRUCTIONS, { token }))
  })
})

describeContained('a command that the agent’s own prompt asks about', () => {
  it('runs in the sandbox all the same (L11)', PATIENCE, async () => {
    const { agent, home, run } = await agentIn(undefined, true)
    const { token, tokenHash } = newHostToken()
    writeHostSetup(openHome(home), 'claude-code', { tokenHash, within: [], asking: 'host' })
    const { decision, command = '' } = await agent.before('Bash', POST, { token })
    expect(decision).toBe('ask')
    expect(command).toContain(' contain --ticket ')
    await agent.run(command)
    expect(await historyOf(run)).toMatchObject([{ outcome: 'failed', tool: 'Bash' }])
  })
})
