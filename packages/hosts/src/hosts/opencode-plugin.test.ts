import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isAlive } from '@countersign/testing/process-alive'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { afterEach, describe, expect, it } from 'vitest'
import { opencode } from './opencode.ts'
import { opencodePlugin } from './opencode-plugin.ts'

/** A hook that records what it reads, and answers as `answers.json` has it, once a file named `waits` is there. */
const HOOK = `
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
const [folder, event] = process.argv.slice(2)
const payload = JSON.parse(readFileSync(0, 'utf8'))
const note = (step) => appendFileSync(folder + '/notes', JSON.stringify({ step, event, payload, pid: process.pid }) + '\\n')
note('asked')
const { stdout = '', bytes = [], exit = 0, waits, crash } = JSON.parse(readFileSync(folder + '/answers.json', 'utf8'))[event] ?? {}
while (waits !== undefined && !existsSync(folder + '/' + waits)) await new Promise((resolve) => setTimeout(resolve, 10))
if (crash) process.kill(process.pid, 'SIGKILL')
note('answered')
process.stdout.write(Buffer.concat([Buffer.from(stdout), Buffer.from(bytes)]))
process.exitCode = exit
`

interface Answer {
  readonly stdout?: string
  readonly bytes?: readonly number[]
  readonly exit?: number
  readonly waits?: string
  readonly crash?: boolean
}

interface Note {
  readonly step: 'asked' | 'answered'
  readonly event: string
  readonly payload: { readonly input?: { readonly callID: string }; readonly [key: string]: unknown }
  readonly pid: number
}

interface Hooks {
  'tool.execute.before'(input: object, output: { args: object }): Promise<void>
  'tool.execute.after'(input: object, output: object): Promise<void>
  event(input: { readonly event: object }): Promise<void>
}

interface World {
  readonly folder: string
  readonly plugin: string
  readonly notes: () => readonly Note[]
}

function world(answers: Readonly<Record<string, Answer>>, program = process.execPath): World {
  const folder = temporaryFolder()
  const hook = join(folder, 'hook.mjs')
  const plugin = join(folder, 'countersign.mjs')
  const notes = join(folder, 'notes')
  writeFileSync(hook, HOOK)
  writeFileSync(join(folder, 'answers.json'), JSON.stringify(answers))
  writeFileSync(plugin, opencodePlugin([program, hook, folder]))
  const parsed = (line: string): Note => JSON.parse(line)
  return {
    folder,
    plugin,
    // Without the end of a line that is being written.
    notes: () => (existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').slice(0, -1).map(parsed) : []),
  }
}

async function load({ plugin }: World): Promise<Hooks> {
  const { Countersign } = await import(pathToFileURL(plugin).href)
  return Countersign({ directory: '/home/you/project' })
}

const call = (callID: string, sessionID = 's1') => ({ tool: 'bash', sessionID, callID })
const allow = { 'tool.execute.before': { stdout: '{"decision":"allow"}' } }
const created = (info: object) => ({
  event: { id: 'e1', type: 'session.created', properties: { sessionID: 'x', info } },
})

/** Each copy of the plugin listens for the end of this process. */
const listeners = process.listeners('exit')
afterEach(() => {
  for (const added of process.listeners('exit').filter((one) => !listeners.includes(one))) process.off('exit', added)
})

describe('the plugin for opencode', () => {
  it('has one export and no import but Node’s', () => {
    const text = opencodePlugin(['/usr/bin/node', "/it's/here.js", 'hook', 'opencode'])
    expect(text.match(/^export .*$/gm)).toEqual(['export const Countersign = async ({ directory }) => {'])
    expect(text.match(/^import .*$/gm)?.every((line) => / from 'node:[\w/]+'$/.test(line))).toBe(true)
    expect(text).toContain(`const ARGV = ["/usr/bin/node","/it's/here.js","hook","opencode"]`)
  })

  it('lets a call run that its hook allows, and gives it the event that the contract reads', async () => {
    const place = world(allow)
    const output = { args: { command: 'ls' } }
    await (await load(place))['tool.execute.before'](call('c1'), output)
    expect(output).toEqual({ args: { command: 'ls' } })
    expect(opencode.read(place.notes()[0]?.payload, place.notes()[0]?.event)).toEqual({
      kind: 'before-tool',
      isBypassing: false,
      session: 's1',
      cwd: '/home/you/project',
      transcript: null,
      toolCall: 'c1',
      tool: 'bash',
      server: null,
      args: { command: 'ls' },
      agent: null,
    })
  })

  it('replaces the arguments in place, and removes those that are gone', async () => {
    const { stdout } = opencode.print({ kind: 'allow', args: { command: 'true', n: 1 }, reason: 'x' }, undefined)
    const args = { command: 'ls', timeout: 5 }
    const output = { args }
    await (await load(world({ 'tool.execute.before': { stdout } })))['tool.execute.before'](call('c1'), output)
    expect(output.args).toBe(args)
    expect(args).toEqual({ command: 'true', n: 1 })
  })

  it('refuses with the reason of its hook', async () => {
    const { stdout } = opencode.print({ kind: 'deny', reason: 'NOT EXECUTED (denied): no.' }, undefined)
    const { 'tool.execute.before': before } = await load(world({ 'tool.execute.before': { stdout } }))
    await expect(before(call('c1'), { args: {} })).rejects.toThrow('NOT EXECUTED (denied): no.')
  })

  it.each<[string, Answer]>([
    ['fails after it allowed', { stdout: '{"decision":"allow"}', exit: 1 }],
    ['exits with 2', { exit: 2 }],
    ['is killed', { crash: true }],
    ['prints nothing', {}],
    ['prints no JSON', { stdout: 'allow' }],
    ['prints a line before', { stdout: 'starting\n{"decision":"allow"}' }],
    ['prints two objects', { stdout: '{"decision":"allow"}\n{"decision":"allow"}' }],
    ['prints half of it', { stdout: '{"decision":"allow"' }],
    ['prints a list', { stdout: '["allow"]' }],
    ['prints null', { stdout: 'null' }],
    ['decides nothing', { stdout: '{}' }],
    ['decides an unknown word', { stdout: '{"decision":"ask"}' }],
    ['has an unknown field', { stdout: '{"decision":"allow","permission":"allow"}' }],
    ['denies without a reason', { stdout: '{"decision":"deny","reason":""}' }],
    ['has a list of arguments', { stdout: '{"decision":"allow","args":[]}' }],
    ['has no arguments', { stdout: '{"decision":"allow","args":null}' }],
    ['is not UTF-8', { stdout: '{"decision":"allow","args":{"a":"', bytes: [0xff, 0x22, 0x7d, 0x7d] }],
  ])('refuses if its hook %s', async (_, answer) => {
    const { 'tool.execute.before': before } = await load(world({ 'tool.execute.before': answer }))
    const output = { args: { command: 'ls' } }
    await expect(before(call('c1'), output)).rejects.toThrow(/This call is refused\. Run: countersign doctor --hosts$/)
    expect(output).toEqual({ args: { command: 'ls' } })
  })

  it('refuses if its hook does not start, or its arguments have no JSON', async () => {
    const { 'tool.execute.before': before } = await load(world(allow, '/nowhere/node'))
    await expect(before(call('c1'), { args: {} })).rejects.toThrow(/did not start: .* This call is refused/)
    const { 'tool.execute.before': other } = await load(world(allow))
    await expect(other(call('c1'), { args: { n: 1n } })).rejects.toThrow()
  })

  it('waits for its hook as long as it takes', async () => {
    const place = world({ 'tool.execute.before': { ...allow['tool.execute.before'], waits: 'decided' } })
    let isDone = false
    const asked = (await load(place))['tool.execute.before'](call('c1'), { args: {} }).then(() => {
      isDone = true
    })
    await until('the hook', () => place.notes().length > 0)
    expect(isDone).toBe(false)
    writeFileSync(join(place.folder, 'decided'), '')
    await asked
  })

  it('reports without waiting, and before it asks for the next call of the session', async () => {
    const place = world({ ...allow, 'tool.execute.after': { waits: 'go' } })
    const plugin = await load(place)
    const result = { title: 'ls', output: 'a.txt\n', metadata: { exit: 3, diff: 'long' } }
    await plugin['tool.execute.after']({ ...call('c1'), args: { command: 'ls' } }, result)
    await plugin['tool.execute.after']({ ...call('c2'), args: {} }, result)
    const asked = plugin['tool.execute.before'](call('c3'), { args: {} })
    await plugin['tool.execute.before'](call('c4', 'another'), { args: {} })
    expect(place.notes().some(({ payload }) => payload.input?.callID === 'c3')).toBe(false)
    writeFileSync(join(place.folder, 'go'), '')
    await asked
    const order = place.notes().map(({ step, payload }) => `${payload.input?.callID} ${step}`)
    const own = order.filter((line) => !line.startsWith('c4'))
    expect(own).toEqual(['c1 asked', 'c1 answered', 'c2 asked', 'c2 answered', 'c3 asked', 'c3 answered'])
    const [report] = place.notes().filter(({ event }) => event === 'tool.execute.after')
    expect(opencode.read(report?.payload, 'tool.execute.after')).toMatchObject({
      outcome: 'failed',
      exitCode: 3,
      output: 'a.txt\n',
      args: { command: 'ls' },
      toolCall: 'c1',
    })
  })

  it('reports sessions, and whose sub-agent a session is', async () => {
    const place = world(allow)
    const plugin = await load(place)
    await plugin.event(created({ id: 's1', directory: '/home/you/project' }))
    await plugin.event(created({ id: 's2', parentID: 's1', agent: 'general', directory: '/home/you/project' }))
    await plugin.event(created({ id: 's3', parentID: 's2', agent: 'explore' }))
    await plugin['tool.execute.before'](call('c1', 's3'), { args: {} })
    await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 's1' } } })
    await plugin.event({ event: { type: 'message.updated', properties: {} } })
    await plugin.event({ event: { type: 'session.deleted', properties: { info: { id: 's1' } } } })
    await until('all reports', () => place.notes().filter(({ step }) => step === 'answered').length === 6)
    const read = place
      .notes()
      .filter(({ step }) => step === 'asked')
      .map(({ payload, event }) => opencode.read(payload, event))
    expect(read.map(({ kind }) => kind)).toEqual([
      'session-start',
      'other',
      'other',
      'before-tool',
      'other',
      'session-end',
    ])
    expect(read[3]).toMatchObject({ session: 's1', agent: { id: 's3', type: 'explore' } })
  })

  it('ends its hook when the agent exits', async () => {
    const place = world({ 'tool.execute.before': { waits: 'never' } })
    const agent = `
      const { Countersign } = await import(${JSON.stringify(pathToFileURL(place.plugin).href)})
      const hooks = await Countersign({ directory: '/' })
      process.stdin.on('data', () => process.exit())
      await hooks['tool.execute.before']({ tool: 'bash', sessionID: 's1', callID: 'c1' }, { args: {} })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', agent], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    const hook = await until('the hook', () => place.notes()[0]?.pid)
    expect(isAlive(hook)).toBe(true)
    child.stdin.end('exit\n')
    await until('the end of the hook', () => !isAlive(hook))
    expect(place.notes().map(({ step }) => step)).toEqual(['asked'])
  })
})
