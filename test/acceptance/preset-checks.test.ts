import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, Finding, GateEvent } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

const OWN_RULE = 'rules: [{ id: own, kind: [write, delete, move], supervision: automatic }]'

/** Runs a call, approving it if it is held. Returns the findings of its checks and how it was supervised. */
async function run(call: Call, effect: () => void) {
  const result = world.gate.run(call, effect)
  const settled = { done: false }
  void result.finally(() => {
    settled.done = true
  })
  for (let look = 0; look < 50 && !settled.done; look += 1) {
    const [view] = await world.held()
    if (view !== undefined) await world.decide(view, { kind: 'approve' })
  }
  const ended = await result
  expect(ended, JSON.stringify(ended)).toMatchObject({ kind: 'completed' })
  const entries = await world.entries()
  const judged = entries.find(({ kind, call: id }) => kind === 'judged' && id === call.id)
  const backup = entries.some(({ kind, call: id }) => kind === 'backup' && id === call.id)
  const findings = (judged?.['findings'] ?? []) as readonly Finding[]
  return { findings, backup, supervision: judged?.['supervision'] }
}

const found = (findings: readonly Finding[], checker: string) => findings.find((one) => one.checker === checker)

describe('the checks of a preset', () => {
  it.each(['balanced', 'permissive', 'classic', 'paranoid'])(
    'keep a copy under %s of files that are deleted, moved or hold secrets',
    async (preset) => {
      world = await openWorld({ policy: `version: 1\npreset: ${preset}\n` })
      const [gone, moved] = ['gone.txt', 'moved.txt'].map((name) => world.file(name, 'text'))
      const calls: readonly (readonly [string, Call, () => void])[] = [
        ['deleted-file', { tool: 'delete_file', args: { path: gone ?? '' } }, () => rmSync(gone ?? '')],
        ['command', { tool: 'execute_command', args: { command: `rm ${moved}` } }, () => rmSync(moved ?? '')],
      ]
      for (const [name, call, effect] of calls) {
        const { backup, findings } = await run({ ...call, id: name }, effect)
        expect(backup, name).toBe(true)
        expect(findings).toMatchObject([{ checker: 'backup', status: 'pass' }])
      }
      if (preset === 'paranoid') return
      const env = world.file('.env', 'A=1\n')
      const write: Call = { id: 'env', tool: 'write_file', args: { path: env, content: 'A=2\n' } }
      expect(await run(write, () => writeFileSync(env, 'A=2\n'))).toMatchObject({ backup: true })
    },
  )

  it('run although a rule of one’s own allows the call and names none', async () => {
    world = await openWorld({ policy: `version: 1\n${OWN_RULE}\n` })
    const path = world.file('a.txt', 'old')
    const { backup, supervision } = await run({ id: 'own', tool: 'delete_file', args: { path } }, () => rmSync(path))
    expect([backup, supervision]).toEqual([true, 'automatic'])
  })

  it('do not run on calls that change nothing, nor on denied ones', async () => {
    world = await openWorld({ policy: 'version: 1\npreset: read-only\n' })
    const path = world.file('a.txt', 'old')
    expect((await run({ id: 'read', tool: 'read_file', args: { path } }, () => {})).findings).toEqual([])
    await world.gate.run({ id: 'denied', tool: 'delete_file', args: { path } }, () => rmSync(path))
    expect(existsSync(path)).toBe(true)
    const denied = (await world.entries()).find(({ kind, call }) => kind === 'judged' && call === 'denied')
    expect(denied?.['findings']).toEqual([])
  })

  it('warn that there is no undo, instead of asking, where a copy would be too large or cannot be told', async () => {
    world = await openWorld({ policy: `version: 1\n${OWN_RULE}\n` })
    const large = world.file('large.bin', '')
    truncateSync(large, 200 * 1024 * 1024)
    const told: GateEvent[] = []
    world.gate.subscribe((event) => {
      if (event.kind === 'notice') told.push(event)
    })
    const deleted = await run({ id: 'large', tool: 'delete_file', args: { path: large } }, () => rmSync(large))
    expect(found(deleted.findings, 'backup')).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(/^no undo: /),
    })
    expect([deleted.supervision, deleted.backup]).toEqual(['notify', false])
    const warnings = [expect.stringMatching(/^no undo: /)]
    expect(told).toMatchObject([{ callId: 'large', warnings }])
    expect((await world.entries()).find(({ kind }) => kind === 'notice')).toMatchObject({ warnings })
  })

  it('warn that a large folder of build output can be made again', async () => {
    world = await openWorld({ policy: `version: 1\n${OWN_RULE.replace(' }]', ', checks: [backup] }]')}\n` })
    const folder = join(world.workspace, 'node_modules')
    mkdirSync(folder)
    for (let i = 0; i <= 1000; i += 1) writeFileSync(join(folder, `${i}.js`), '')
    const { findings, supervision } = await run({ id: 'dist', tool: 'delete_file', args: { path: folder } }, () =>
      rmSync(folder, { recursive: true }),
    )
    expect(found(findings, 'backup')).toMatchObject({ status: 'warn', message: expect.stringMatching(/^no undo, but/) })
    expect(supervision).toBe('notify')
  })

  it('never raise under classic', async () => {
    world = await openWorld({ policy: 'version: 1\npreset: classic\ndefaults: { backups: { most: 1KB } }\n' })
    const path = world.file('a.txt', 'x'.repeat(900))
    const content = `aws_access_key_id = ${'AKIA'}${'Z7QH4MWRT2NPLX5C'}\n`.padEnd(900)
    for (const id of ['first', 'second'])
      await run({ id, tool: 'write_file', args: { path, content } }, () => writeFileSync(path, content))
    const entries = await world.entries()
    expect(entries.filter(({ kind }) => kind === 'judged').map((entry) => entry['supervision'])).toEqual([
      'automatic',
      'automatic',
    ])
    expect(entries.filter(({ kind }) => kind === 'backup')).toHaveLength(1)
  })
})

describe('unasked writes', () => {
  it('are held instead of replacing the copies of earlier ones', async () => {
    world = await openWorld({ policy: 'version: 1\ndefaults: { backups: { most: 3KB } }\n' })
    const path = world.file('a.txt', 'x'.repeat(1024))
    const effect = () => writeFileSync(path, 'x'.repeat(1024))
    const write = (id: string) =>
      world.gate.run({ id, tool: 'write_file', args: { path, content: 'x'.repeat(1024) } }, effect)
    for (const id of ['1', '2', '3']) expect(await write(id)).toMatchObject({ kind: 'completed' })
    const fourth = write('4')
    const view = await onlyHeld(world)
    await world.decide(view, { kind: 'approve' })
    expect(await fourth).toMatchObject({ kind: 'completed' })
    expect((await world.entries()).filter(({ kind }) => kind === 'backup')).toHaveLength(4)
    expect(readFileSync(path, 'utf8')).toHaveLength(1024)
  })
})
