import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, Sandbox } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { until } from '@countersign/testing/until'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
const endings: (() => void)[] = []
afterEach(async () => {
  for (const end of endings.splice(0)) end()
  await world?.close()
})

const MISSING: Sandbox = { status: () => ({ kind: 'missing', why: 'not installed', fix: 'install it' }) }
const withoutSandbox = () => openWorld({ wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })

function command(text: string): Call {
  return { tool: 'execute_command', source: 'builtin', args: { command: text }, containable: true }
}

function write(path: string): Call {
  return { tool: 'write_file', source: 'builtin', args: { path, content: 'evil\n' } }
}

/** Starts a call whose effect goes on until the result is called. */
async function start(call: Call): Promise<() => Promise<unknown>> {
  const began = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  endings.push(ending.resolve)
  const result = world.gate.run(call, () => {
    began.resolve()
    return ending.promise
  })
  await Promise.race([began.promise, result])
  return () => {
    ending.resolve()
    return result
  }
}

/** Files made before count as there before the calls. */
async function pass(): Promise<void> {
  const begin = Date.now()
  await until('the next tick of the clock', () => Date.now() > begin + 15 || undefined)
}

const put = (path: string) => () => writeFileSync(join(world.workspace, path), 'evil\n')
const REFUSED = { kind: 'refusal', outcome: 'stale', code: 'CS_STALE' }
const DONE = { kind: 'completed' }

describe('code of the project that runs unasked outside the sandbox (L11)', () => {
  it('keeps files from being changed while it runs, in this process and in others', async () => {
    world = await withoutSandbox()
    world.file('run.sh', 'echo built\n')
    world.file('notes.txt', 'evil\n')
    await pass()
    const end = await start(command('bash run.sh'))
    const other = await world.another()
    for (const { gate } of [world, other]) {
      expect(await gate.run(write('new.txt'), put('new.txt'))).toMatchObject(REFUSED)
      expect(await gate.run(command('cp notes.txt more.txt'), put('more.txt'))).toMatchObject(REFUSED)
      expect(await gate.run(command('cat run.sh'), () => 'ok')).toMatchObject(DONE)
    }
    expect(await end()).toMatchObject(DONE)
    expect(await world.gate.run(write('other.txt'), put('other.txt'))).toMatchObject(DONE)
    await other.gate.close()
  })

  it('does not start while a call that nobody approved may change files', async () => {
    world = await withoutSandbox()
    world.file('run.sh', 'echo built\n')
    for (const call of [write('other.txt'), command('cp a.txt b.txt')]) {
      world.file('a.txt', 'a\n')
      await pass()
      const end = await start(call)
      let ran = 0
      const result = await world.gate.run(command('bash run.sh'), () => {
        ran += 1
      })
      expect([result, ran]).toMatchObject([REFUSED, 0])
      expect(await end()).toMatchObject(DONE)
    }
    const entries = await world.entries()
    expect(
      entries.filter(({ kind, detail }) => kind === 'failed' && `${detail}`.startsWith('it did not run')),
    ).toHaveLength(2)
  })

  it('lets approved calls and other files alone', async () => {
    world = await withoutSandbox()
    const end = await start(write('a.txt'))
    expect(await world.gate.run(write('b.txt'), put('b.txt'))).toMatchObject(DONE)
    const approved = world.gate.run(command('npm test'), () => 'ok')
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    expect(await approved).toMatchObject(DONE)
    await end()
  })

  it('needs no such care in the sandbox', async () => {
    world = await openWorld()
    world.file('run.sh', 'echo built\n')
    const end = await start(command('bash run.sh'))
    expect(await world.gate.run(write('run.sh'), put('run.sh'))).toMatchObject(DONE)
    expect(await end()).toMatchObject(DONE)
  })
})
