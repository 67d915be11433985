import { linkSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, SeenFile } from '@countersign/core'
import { backupOfCall, listBackups, planUndo, prepareUndo } from '@countersign/node'
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

async function see(file: SeenFile): Promise<void> {
  const seen = { workspace: world.workspace, files: [file], call: '', at: 1 }
  await world.ports.store.commit({ entries: [], durable: false, seen })
}

async function approve(call: Call, effect: () => unknown): Promise<void> {
  const running = world.gate.run(call, effect)
  await world.decide(await onlyHeld(world), { kind: 'approve' })
  expect(await running).toMatchObject({ kind: 'completed' })
}

/** Undoes the last call that has a copy, as `countersign undo` does. */
async function undoLast(): Promise<void> {
  const { home, workspace, ports } = world
  const [last] = listBackups(home)
  const ref = await backupOfCall(last?.call ?? '', home, ports.store)
  const { call, run } = prepareUndo(await planUndo(home, ref), ref, { home, crypto: ports.crypto, workspace })
  const running = world.gate.run(call, run)
  const first = await Promise.race([running, onlyHeld(world)])
  if (!('kind' in first)) await world.decide(first, { kind: 'approve' })
  expect(await running).toMatchObject({ kind: 'completed' })
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
        await see({ path, content, mark })
      },
    ],
  ])('asks if the file %s', async (_, prepare) => {
    world = await openWorld()
    await prepare()
    expect(await asksToDelete('a.txt')).toBe(true)
  })

  it('asks if an undo brought it back; what that undo showed counts as seen', async () => {
    world = await openWorld()
    world.file('a.txt', 'mine\n')
    await approve(deletion('a.txt'), () => rmSync(inside('a.txt')))
    await undoLast()
    expect(readFileSync(inside('a.txt'), 'utf8')).toBe('mine\n')
    expect(await world.desk.changes().list(world.workspace)).toMatchObject({ files: [] })
    expect(await asksToDelete('a.txt')).toBe(true)
  })

  it.each([
    [
      'that nobody approved',
      'version: 1\npreset: balanced\nrules: [{ tool: undo, supervision: automatic, up_to: high }]\n',
      'mine\n',
    ],
    ['whose diff was not shown in full', undefined, `${'x'.repeat(99)}\n`.repeat(4_000)],
  ])('asks if an undo %s brought it back, which then counts as unseen', async (_, policy, text) => {
    world = await openWorld(policy === undefined ? {} : { policy })
    world.file('a.txt', text)
    await approve(deletion('a.txt'), () => rmSync(inside('a.txt')))
    const [row] = (await world.ports.store.changes(world.workspace)).files
    await see({ path: 'a.txt', content: 'absent', mark: row?.mark ?? '' })
    await undoLast()
    expect(await asksToDelete('a.txt')).toBe(true)
    const { files } = await world.desk.changes().list(world.workspace)
    expect(files).toMatchObject([{ path: 'a.txt', seen: null }])
  })

  it('shows no change to the person who undid one, also of secrets that were masked', async () => {
    world = await openWorld()
    world.file('.env', 'SECRET=1\n')
    const args = { path: '.env', content: 'SECRET=2\n' }
    await approve({ tool: 'write_file', source: 'builtin', args }, () => void world.file('.env', args.content))
    await undoLast()
    expect(readFileSync(inside('.env'), 'utf8')).toBe('SECRET=1\n')
    expect(await world.desk.changes().list(world.workspace)).toMatchObject({ files: [] })
  })

  it('counts what an undo brings back in a file that nobody has seen as unseen', async () => {
    world = await openWorld()
    for (const [at, content] of ['evil\none\n', 'evil\ntwo\n'].entries()) {
      await write('a.txt', content)
      await world.clock.advance(at + 1)
    }
    await undoLast()
    expect(readFileSync(inside('a.txt'), 'utf8')).toBe('evil\none\n')
    expect(await world.desk.changes().list(world.workspace)).toMatchObject({ files: [{ path: 'a.txt' }] })
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
