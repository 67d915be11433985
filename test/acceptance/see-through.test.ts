import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '@countersign/core'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let world: World
beforeEach(async () => {
  world = await openWorld()
  for (const folder of ['node_modules/.bin', '.git/hooks', '.git/objects'])
    mkdirSync(join(world.workspace, folder), { recursive: true })
  world.file('node_modules/.bin/vitest', '#!/usr/bin/env node\n')
  world.file('.git/config', '[core]\n\tbare = false\n')
  world.file('package.json', '{\n"scripts": {\n"test": "vitest run",\n"wipe": "rm -rf ~",\n"odd": "frobnicate"\n}\n}\n')
})
afterEach(() => world.close())

/** Not containable: as on a machine without a sandbox. */
const shell = (command: string): Call => ({ tool: 'execute_command', args: { command } })
const judged = async (command: string) => (await world.gate.explain(shell(command))).supervision

describe('without a sandbox', () => {
  it('the project’s own code runs unasked if it was seen through whole', async () => {
    expect(await judged('npm test')).toBe('automatic')
    expect(await judged('npm run other')).toBe('confirm')
    expect(await judged('git status')).toBe('automatic')
    world.file('run.sh', 'echo one\nls src\n')
    expect(await judged('bash run.sh')).toBe('automatic')
  })

  it('a file that does harm is rated as the command in it, with its place', async () => {
    const { risk, riskReasons, supervision } = await world.gate.explain(shell('npm run wipe'))
    expect({ risk, supervision }).toEqual({ risk: 'critical', supervision: 'manual' })
    expect(riskReasons[0]).toMatch(/^package\.json:4 `rm -rf ~`/)
  })

  it('settings that run a program are not proven', async () => {
    world.file('.git/config', '[core]\n\tfsmonitor = ./watch\n')
    expect(await judged('git status')).toBe('confirm')
    world.file('vitest.config.ts', "import { execSync } from 'node:child_process'\nexecSync(process.argv[2])\n")
    expect(await judged('npm test')).toBe('confirm')
  })

  it('what the same command changes first is not what was read', async () => {
    world.file('run.sh', 'echo one\n')
    world.file('other.sh', 'rm -rf ~\n')
    expect(await judged('cp other.sh run.sh && bash run.sh')).toBe('confirm')
    expect(await judged('sed -i s/one/two/ run.sh && bash run.sh')).toBe('confirm')
  })

  it('links out of the workspace and odd files are asked about', async () => {
    symlinkSync('/etc/profile', join(world.workspace, 'link.sh'))
    expect(await judged('bash link.sh')).not.toBe('automatic')
    rmSync(join(world.workspace, 'package.json'))
    mkdirSync(join(world.workspace, 'package.json'))
    expect(await judged('npm test')).toBe('confirm')
  })
})

describe('a file that a command runs', () => {
  it('is stale if it changes between question and run', async () => {
    const asked = world.gate.run(shell('npm run odd'), () => 'ran')
    const [view] = await world.held()
    if (view === undefined) throw new Error('the call is not held')
    expect(view.preview).toMatchObject({
      kind: 'command',
      parts: [{}, { text: 'frobnicate', via: ['package.json:5'] }],
    })
    writeFileSync(join(world.workspace, 'package.json'), '{"scripts": {"odd": "frobnicate --all"}}')
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: true })
    expect(await asked).toMatchObject({ kind: 'refusal', outcome: 'stale' })
  })

  it('is journaled by path and hash', async () => {
    await world.gate.run(shell('npm test'), () => 'ran')
    const entry = (await world.entries()).find(({ kind }) => kind === 'judged')
    const seen = Object(entry?.['circumstances'])['seen']
    expect(seen).toContainEqual([join(world.workspace, 'package.json'), expect.stringMatching(/^[0-9a-f]{64}$/)])
  })
})
