import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractOf, type HostAnswer, opencodePlugin } from '@countersign/hosts'
import { describe, expect, it } from 'vitest'
import { DRIVERS } from '../drivers/drivers.ts'
import { type HostVersion, INSTALLED } from '../rig/installed.ts'
import { OWN_RULES, type OwnRule } from '../rig/own-rules.ts'
import { type HostRun, MARKED_COMMAND, runHost } from '../rig/run-host.ts'
import { withWorld } from '../rig/world.ts'

const SAID = 'I will run a marked command.'
const REASON = 'NOT EXECUTED (denied): number 4711.'
const ODD_REASON = `${REASON} \u202e\0\ud800${'⟦"\\n'.repeat(20_000)}`
const REPLACED = { command: 'echo rewritten >> replaced', description: 'Replaced' }

const HOOK = join(import.meta.dirname, '../rig/contract-hook.ts')

interface Asked {
  readonly run: HostRun
  /** The file that a call with other arguments makes. */
  readonly replaced: string | undefined
  /** What the hooks read, in the order of their ends. */
  readonly read: readonly Readonly<Record<string, unknown>>[]
}

/** Runs commands of the model, one after the other, with our contract's hooks in place. */
async function ask(
  { host, version }: HostVersion,
  answer: HostAnswer,
  commands: readonly string[],
  rule: OwnRule = {},
): Promise<Asked> {
  const driver = DRIVERS[host]
  return withWorld(async (world) => {
    writeFileSync(join(world.root, 'answer.json'), JSON.stringify(answer))
    const argv = [process.execPath, '--conditions=countersign-source', HOOK, host, world.root]
    const line = (event: string) => [...argv, event].map((word) => `'${word}'`).join(' ')
    const hooks =
      driver.hookKind === 'plugin'
        ? [{ event: driver.gateEvent, command: opencodePlugin(argv) }]
        : contractOf(host).events.map(({ name }) => ({ event: name, command: line(name) }))
    const files = driver.hookFiles(hooks, 'user')
    const run = await runHost(driver, {
      ...world,
      version,
      turns: [...commands.map((command) => ({ text: SAID, calls: [driver.shellCall(command)] })), { text: 'Done.' }],
      files: rule.files?.(files) ?? files,
      args: rule.args ?? [],
    })
    const folder = join(world.root, 'read')
    const names = existsSync(folder) ? readdirSync(folder).sort() : []
    return {
      run,
      replaced: run.readProject('replaced'),
      read: names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    }
  })
}

const ALLOW: HostAnswer = { kind: 'allow', args: null, reason: 'Allowed by the Countersign policy' }

describe.each(INSTALLED)('the contract of $host, in $version', (program) => {
  const { host } = program
  const kinds = (read: Asked['read']) => read.map(({ kind }) => kind)

  it.concurrent('lets an allowed call run once, and reads every event of its session', async () => {
    const { run, read } = await ask(program, ALLOW, [MARKED_COMMAND, 'true'])
    expect(run.markerRuns, run.output).toBe(1)
    expect(kinds(read)).not.toContain('failed')
    expect(kinds(read)).toEqual(expect.arrayContaining(['session-start', 'before-tool', 'after-tool']))
    expect(read.find(({ kind }) => kind === 'after-tool')).toMatchObject({ outcome: 'completed', server: null })
    const { said } = read.find(({ kind }) => kind === 'before-tool') ?? {}
    // Copilot CLI sometimes writes its conversation later.
    expect(said).toBeOneOf(host === 'opencode' ? [null] : host === 'copilot' ? [SAID, null] : [SAID])
  })

  it.concurrent.each([
    ['a plain reason', REASON],
    ['a reason that is hard to print', ODD_REASON],
    ['no reason', ''],
  ])('does not run a call that it refuses with %s', async (_, reason) => {
    const { run, read } = await ask(program, { kind: 'deny', reason }, [MARKED_COMMAND])
    expect(run.markerExists, run.output).toBe(false)
    expect(run.toolResults.map(({ text }) => text)).toEqual([
      expect.stringContaining(reason === '' ? 'Countersign refused this call' : REASON),
    ])
    expect(kinds(read)).not.toContain('after-tool')
  })

  it.concurrent('runs other arguments in place of those that the agent asked for', async () => {
    const { run, replaced } = await ask(program, { ...ALLOW, args: REPLACED }, [MARKED_COMMAND])
    expect(run.markerExists, run.output).toBe(false)
    expect(replaced).toBe('rewritten\n')
  })

  it.concurrent('leaves the person’s own deny rules in force for an allowed call', async () => {
    const { run } = await ask(program, ALLOW, ['touch marker'], OWN_RULES[host])
    expect(run.markerExists, run.output).toBe(false)
    expect(run.toolResults).toHaveLength(1)
  })

  it.concurrent('can’t keep the person’s own deny rules from overlooking a call with other arguments', async () => {
    const { run, replaced } = await ask(program, { ...ALLOW, args: REPLACED }, ['touch marker'], OWN_RULES[host])
    expect(replaced, run.output).toBe('rewritten\n')
  })
})
