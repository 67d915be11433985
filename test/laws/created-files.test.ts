import { linkSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world?.close())

const inside = (path: string): string => join(world.workspace, path)

async function write(path: string, content: string): Promise<void> {
  const call: Call = { tool: 'write_file', source: 'builtin', args: { path, content } }
  expect(await world.gate.run(call, () => writeFileSync(inside(path), content))).toMatchObject({ kind: 'completed' })
}

const deletion = (path: string, more: Partial<Call> = {}): Call => ({
  tool: 'delete_file',
  source: 'builtin',
  args: { path },
  ...more,
})

/** Deletes a file; whether a person was asked, who then rejects. */
async function asksToDelete(path: string, more: Partial<Call> = {}): Promise<boolean> {
  const running = world.gate.run(deletion(path, more), () => rmSync(inside(path)))
  const first = await Promise.race([running, onlyHeld(world)])
  if ('kind' in first) {
    expect(first.kind).toBe('completed')
    return false
  }
  await world.decide(first, { kind: 'reject' })
  expect(await running).toMatchObject({ kind: 'refusal', outcome: 'rejected' })
  return true
}

describe('a tool that deletes a file', () => {
  it('does not ask if a call created it and nobody has seen or changed it since; the copy can be restored', async () => {
    world = await openWorld()
    await write('notes.txt', 'one')
    expect(await asksToDelete('notes.txt')).toBe(false)
    const judged = (await world.entries()).filter(({ kind }) => kind === 'judged')
    expect(judged.at(-1)).toMatchObject({
      risk: { level: 'low' },
      circumstances: { created: [inside('notes.txt')] },
    })
    expect((await world.entries()).some(({ kind }) => kind === 'backup')).toBe(true)
  })

  it.each<readonly [string, () => Promise<void> | void]>([
    ['was there before', () => void world.file('a.txt', 'mine')],
    [
      'was changed by somebody since',
      async () => {
        await write('a.txt', 'one')
        writeFileSync(inside('a.txt'), 'mine')
      },
    ],
    [
      'was overwritten by a call',
      async () => {
        world.file('a.txt', 'mine')
        await write('a.txt', 'one')
      },
    ],
    [
      'was moved there',
      async () => {
        world.file('old.txt', 'mine')
        const args = { source: 'old.txt', destination: 'a.txt' }
        await world.gate.run({ tool: 'move_file', source: 'builtin', args }, () =>
          renameSync(inside('old.txt'), inside('a.txt')),
        )
      },
    ],
    [
      'was moved there and then edited',
      async () => {
        world.file('old.txt', 'mine')
        const args = { source: 'old.txt', destination: 'a.txt' }
        await world.gate.run({ tool: 'move_file', source: 'builtin', args }, () =>
          renameSync(inside('old.txt'), inside('a.txt')),
        )
        await write('a.txt', 'mine, and more')
      },
    ],
    [
      'was seen by a person',
      async () => {
        await write('a.txt', 'one')
        const [row] = (await world.ports.store.changes(world.workspace)).files
        const { path, content, mark } = row ?? { path: '', content: '', mark: '' }
        const files = [{ path, content, mark }]
        await world.ports.store.commit({
          entries: [],
          durable: false,
          seen: { workspace: world.workspace, files, call: '', at: 1 },
        })
      },
    ],
  ])('asks if the file %s', async (_, prepare) => {
    world = await openWorld()
    await prepare()
    expect(await asksToDelete('a.txt')).toBe(true)
  })

  it.each<readonly [string, string]>([
    ['rm -f notes.txt', 'completed'],
    ['rm notes.txt && ls', 'held'],
    ['mv mine.txt notes.txt; rm notes.txt', 'held'],
    ['rm link.txt', 'held'],
    ['rm other.txt', 'held'],
    ['rm mine.txt notes.txt', 'held'],
    ['rm -r notes.txt', 'completed'],
    ['rm *.txt', 'held'],
    ['shred -u notes.txt', 'held'],
  ])('of a command without a sandbox: `%s` is %s', async (command, end) => {
    world = await openWorld({
      wrapPorts: (ports) => ({ ...ports, sandbox: { status: () => ({ kind: 'broken', why: '', fix: '' }) } }),
    })
    world.file('mine.txt', 'mine')
    await write('notes.txt', 'one')
    symlinkSync(inside('notes.txt'), inside('link.txt'))
    linkSync(inside('mine.txt'), inside('other.txt'))
    const call: Call = { tool: 'execute_command', source: 'builtin', args: { command }, containable: true }
    const running = world.gate.run(call, () => 'ran')
    const first = await Promise.race([running, onlyHeld(world)])
    expect('kind' in first ? first.kind : 'held').toBe(end)
    if (!('kind' in first)) await world.decide(first, { kind: 'reject' })
    await running
  })

  it('does not ask for a file that was created before another was moved', async () => {
    world = await openWorld()
    world.file('old.txt', 'mine')
    await write('notes.txt', 'one')
    await world.clock.advance(1)
    const args = { source: 'old.txt', destination: 'a.txt' }
    await world.gate.run({ tool: 'move_file', source: 'builtin', args }, () =>
      renameSync(inside('old.txt'), inside('a.txt')),
    )
    expect(await asksToDelete('notes.txt')).toBe(false)
  })

  it('asks if it is a server’s, or deletes more than files', async () => {
    world = await openWorld()
    await write('a.txt', 'one')
    expect(await asksToDelete('a.txt', { source: 'mcp', tool: 'files/delete_file' })).toBe(true)
    expect(await asksToDelete('.')).toBe(true)
    expect(readFileSync(inside('a.txt'), 'utf8')).toBe('one')
  })
})
