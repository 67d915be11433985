import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, Sandbox, Verdict } from '@countersign/core'
import { spawnCli } from '@countersign/testing/command/spawn-cli'
import { describeContained } from '@countersign/testing/contain/contained'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world?.close())

const PRESETS = ['paranoid', 'balanced', 'permissive', 'read-only'] as const
const MISSING: Sandbox = { status: () => ({ kind: 'missing', why: 'not installed', fix: 'install it' }) }

/** Every word is literal, and every program only reads. */
const PROVEN = ['git status', 'ls -la src', 'cat README.md | head -n 3']
/** Every word is literal, and only ordinary files of the workspace change. */
const CHANGES = [
  'echo x > notes.txt',
  'sort -o names.txt names.txt',
  'uniq names.txt out.txt',
  'sed -i s/a/b/ README.md',
  'mkdir -p lib/x',
  'cp a.txt b.txt',
  'python3 -c "print(1)"',
]
const UNPROVEN = [
  'npm test',
  'make',
  './build.sh',
  'node index.js',
  'python3 -c "exec(input())"',
  'sed -i s/a/b/w../x README.md',
  'sed -i -f edit.sed README.md',
  'cp --recurs src lib',
  'cp a.txt .vscode',
  'echo x > .env',
  'echo x > .git/hooks/pre-commit',
  'echo x > .vscode/tasks.json',
  'echo x > ../notes.txt',
  'echo x > $(cat name.txt)',
  'sort --outpu ../out.txt names.txt',
  'sort --compress-program=./x names.txt',
  'sort --frob names.txt',
  'git commit -m x',
  'cat $(cat list.txt)',
  'grep -r TODO *',
  'frobnicate --now',
  'tar -xf a.tar',
]

function command(text: string, more: Partial<Call> = {}): Call {
  return { tool: 'execute_command', source: 'builtin', args: { command: text }, containable: true, ...more }
}

function isUnasked({ supervision }: Verdict): boolean {
  return supervision === 'automatic' || supervision === 'notify'
}

async function open(policy: string, sandbox?: Sandbox): Promise<World> {
  world = await openWorld({
    policy: `version: 1\n${policy}\n`,
    ...(sandbox === undefined ? {} : { wrapPorts: (ports) => ({ ...ports, sandbox }) }),
  })
  return world
}

async function judge(call: Call): Promise<Verdict> {
  return (await world.gate.explain(call)).verdict
}

describe('L11: what no person approved can do no harm outside the workspace', () => {
  it.each(PRESETS)('runs a command unasked only in the sandbox, under %s', async (preset) => {
    await open(`preset: ${preset}`)
    for (const text of [...PROVEN, ...UNPROVEN]) {
      const verdict = await judge(command(text))
      if (isUnasked(verdict)) expect({ text, contain: verdict.contain }).toMatchObject({ contain: { network: [] } })
    }
  })

  it.each(PRESETS)('runs only proven commands without a sandbox, under %s', async (preset) => {
    await open(`preset: ${preset}`, MISSING)
    for (const text of UNPROVEN)
      expect({ text, unasked: isUnasked(await judge(command(text))) }).toMatchObject({ unasked: false })
    for (const text of PROVEN)
      expect({ text, unasked: isUnasked(await judge(command(text))) }).toMatchObject({ unasked: true })
    const mayChange = preset === 'balanced' || preset === 'permissive'
    for (const text of CHANGES)
      expect({ text, unasked: isUnasked(await judge(command(text))) }).toMatchObject({ unasked: mayChange })
  })

  it('asks for a command that its tool would not run in the sandbox, or that asks to run outside', async () => {
    await open('preset: balanced')
    expect(isUnasked(await judge(command('npm test')))).toBe(true)
    expect(await judge(command('npm test', { containable: false }))).toMatchObject({ supervision: 'confirm' })
    expect(await judge(command('npm test', { outside: true }))).toMatchObject({ supervision: 'confirm', contain: null })
  })

  it('says why a command can’t run in the sandbox, where there is one', async () => {
    const why = 'the agent has a rule of its own for it'
    const given = { containable: false, uncontained: why }
    await open('preset: balanced')
    const asked = await judge(command('npm test', given))
    expect(asked).toMatchObject({ supervision: 'confirm', contain: null, rule: { id: 'builtin.uncontained' } })
    expect(asked.reasons).toEqual([expect.stringContaining('outside the sandbox'), `not in the sandbox: ${why}`])
    const proven = await judge(command('git status', given))
    expect(proven).toMatchObject({ supervision: 'automatic', contain: null })
    await open('preset: balanced', MISSING)
    expect((await judge(command('npm test', given))).reasons.join()).not.toContain(why)
  })

  it('mounts the workspace read-only for a command that is judged to only read', async () => {
    await open('preset: balanced')
    expect(await judge(command('grep -r TODO *'))).toMatchObject({ contain: { workspace: 'read' } })
    expect(await judge(command('npm test'))).toMatchObject({ contain: { workspace: 'write' } })
  })

  it('runs what a rule allows in the sandbox, with the bounds of the rule', async () => {
    await open(
      'rules: [{ id: m, command: { program: make }, supervision: automatic, contain: { network: a.example } }]',
    )
    expect(await judge(command('make'))).toMatchObject({
      supervision: 'automatic',
      contain: { workspace: 'write', network: ['a.example'] },
    })
    expect(await judge(command('make; npm test'))).toMatchObject({ contain: { network: [] } })
  })

  it('follows a rule’s `contain` for commands that only read, too', async () => {
    await open(`rules:
      - { id: d, command: { program: docker, verb: [ps, logs] }, supervision: automatic, contain: false }
      - { id: g, command: { program: git, verb: log }, supervision: automatic, contain: { read: /srv } }`)
    expect(await judge(command('docker ps'))).toMatchObject({ supervision: 'automatic', contain: null })
    expect(await judge(command('ls && docker ps'))).toMatchObject({ contain: null })
    expect(await judge(command('docker ps && npm test'))).toMatchObject({ contain: { network: [] } })
    expect(await judge(command('git log'))).toMatchObject({ contain: { read: ['/srv'] } })
  })

  it('runs a command outside, unasked, only by `classic` or by `contain: false` in a rule of the person’s own', async () => {
    await open('rules: [{ id: m, command: { program: make }, supervision: automatic, contain: false }]', MISSING)
    expect(await judge(command('make'))).toMatchObject({ supervision: 'automatic', contain: null })
    expect(await judge(command('make && npm test'))).toMatchObject({ supervision: 'confirm' })
    await world.close()
    await open('preset: classic')
    expect(await judge(command('npm test'))).toMatchObject({ supervision: 'automatic', contain: null })
  })

  it('refuses `contain: false` in a project’s file', async () => {
    await open('preset: balanced')
    mkdirSync(join(world.workspace, '.countersign'))
    const rules = '[{ id: m, command: { program: make }, supervision: automatic, contain: false }]'
    world.file('.countersign/policy.yaml', `version: 1\nrules: ${rules}\n`)
    expect(await judge(command('make'))).toMatchObject({ contain: { workspace: 'write' } })
    expect(await world.gate.policyProblems()).toMatchObject([
      { message: expect.stringContaining('only in the user’s own file') },
    ])
  })

  it('asks for a tool that only its name describes', async () => {
    await open('preset: permissive')
    const call: Call = { tool: 'list_orders', args: {} }
    expect(await judge(call)).toMatchObject({ supervision: 'confirm', rule: { id: 'builtin.guessed-confirm' } })
    expect(await judge({ ...call, description: { kind: 'read' } })).toMatchObject({ supervision: 'automatic' })
  })

  it('hands the tool the bounds, and null for what a person approved', async () => {
    await open('preset: balanced')
    const places: unknown[] = []
    const run = (call: Call) => world.gate.run(call, (_, { contain }) => void places.push(contain))
    await run(command('npm test'))
    const approved = run(command('npm test', { outside: true }))
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    await approved
    expect(places).toEqual([expect.objectContaining({ workspace: 'write', write: [], network: [] }), null])
  })
})

describeContained('L11, with the real sandbox', () => {
  it('keeps an unasked command from files outside the workspace', async () => {
    const root = temporaryFolder()
    const project = join(root, 'project')
    mkdirSync(project)
    writeFileSync(join(project, 'run.sh'), 'echo inside > inside.txt; echo outside > ../outside.txt\n', { mode: 0o755 })
    const ended = await spawnCli(['exec', '--home', join(root, 'home'), '--no-input', '--', './run.sh'], project)
    expect(ended.code).not.toBe(124)
    expect(existsSync(join(project, 'inside.txt'))).toBe(true)
    expect(existsSync(join(root, 'outside.txt'))).toBe(false)
  })
})
