import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, HeldCallView, Sandbox, UnseenFilePreview } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { until } from '@countersign/testing/until'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world?.close())

const MISSING: Sandbox = { status: () => ({ kind: 'missing', why: 'not installed', fix: 'install it' }) }
const ASKS = 'version: 1\nrules: [{ id: all, tool: execute_command, supervision: confirm }]\n'

function write(path: string, content: string): Call {
  return { tool: 'write_file', source: 'builtin', args: { path, content } }
}

function command(text: string, more: Partial<Call> = {}): Call {
  return { tool: 'execute_command', source: 'builtin', args: { command: text }, containable: true, ...more }
}

const put = (path: string, text: string | Buffer) => () => writeFileSync(join(world.workspace, path), text)
const TEST = command('npm test')

async function pass(): Promise<void> {
  const start = Date.now()
  await until('the next tick of the clock', () => Date.now() > start + 15 || undefined)
}

/** Approves the only held call and returns what its card showed. */
async function approve(call: Call, effect: () => unknown = () => 'ok'): Promise<readonly UnseenFilePreview[]> {
  const running = world.gate.run(call, effect)
  const view: HeldCallView = await onlyHeld(world)
  await world.decide(view, { kind: 'approve' })
  expect(await running).toMatchObject({ kind: 'completed' })
  return view.preview.kind === 'command' ? (view.preview.unseen?.files ?? []) : []
}

async function unseen(): Promise<readonly string[]> {
  const { files } = await world.desk.changes().list(world.workspace)
  return files.map(({ path }) => path)
}

describe('approving marks as seen', () => {
  it('a change whose whole diff was on the card, and nothing that was left out', async () => {
    world = await openWorld({ policy: ASKS, wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })
    mkdirSync(join(world.workspace, 'node_modules/pad'), { recursive: true })
    world.file('plain.js', 'one\n')
    await pass()
    await approve(command('unpack all'), () => {
      put('plain.js', 'two\n')()
      put('binary.node', Buffer.from([0, 1, 2]))()
      put('latin.js', Buffer.from([0x2f, 0x2f, 0xe4]))()
      put('folded.js', 'line()\n'.repeat(3_000))()
      put('long.js', `${'x'.repeat(5_000)}\n`)()
      put('large.js', `${'x'.repeat(99)}\n`.repeat(4_000))()
      put('node_modules/pad/index.js', 'pad\n')()
      symlinkSync('/tmp/anything', join(world.workspace, 'linked.js'))
    })
    const left = ['binary.node', 'folded.js', 'large.js', 'latin.js', 'linked.js', 'long.js']
    expect(await unseen()).toEqual([...left, 'plain.js', 'node_modules/'])

    const shown = await approve(TEST)
    expect(shown.filter(({ whole }) => whole).map(({ path }) => path)).toEqual(['plain.js'])
    for (const { whole, notes } of shown)
      expect(notes.includes('not shown in full: approving does not mark it as seen')).toBe(!whole)
    expect(await unseen()).toEqual([...left, 'node_modules/'])
  })

  it('no content but the one whose text was read for the diff', async () => {
    let swapped = ''
    world = await openWorld({
      policy: ASKS,
      wrapPorts: (ports) => ({
        ...ports,
        sandbox: MISSING,
        targets: {
          ...ports.targets,
          readText: async (path, cwd, bytes) =>
            path === 'a.js' && swapped !== '' ? swapped : ports.targets.readText(path, cwd, bytes),
        },
      }),
    })
    await world.gate.run(write('a.js', 'evil\n'), put('a.js', 'evil\n'))
    swapped = 'harmless\n'
    const [shown] = await approve(TEST)
    expect(shown).toMatchObject({ whole: false, hunks: [] })
    expect(shown?.notes).toContain('it changed while this diff was made')
    expect(await unseen()).toEqual(['a.js'])
  })

  it('no change that the diff hides because its base is not what was seen last', async () => {
    world = await openWorld({
      policy: ASKS,
      wrapPorts: (ports) => ({
        ...ports,
        sandbox: MISSING,
        backups: { ...ports.backups, readText: async () => 'evil\ntwo\n' },
      }),
    })
    world.file('a.js', 'one\ntwo\n')
    await world.gate.run(write('a.js', 'evil\n2\n'), put('a.js', 'evil\n2\n'))
    const [shown] = await approve(TEST)
    expect(shown?.hunks.flatMap(({ lines }) => lines)).toContainEqual({ kind: 'added', text: 'evil' })
  })

  it('the packages that an approved command with install scripts put into their folder', async () => {
    world = await openWorld({ policy: ASKS, wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })
    world.file('package.json', '{}\n')
    mkdirSync(join(world.workspace, 'node_modules/pad'), { recursive: true })
    await pass()
    await approve(command('npm install pad'), put('node_modules/pad/index.js', 'pad\n'))
    expect(await unseen()).toEqual([])
    await pass()
    await approve(command('cp -r ../pad node_modules'), put('node_modules/pad/index.js', 'other\n'))
    expect(await unseen()).toEqual(['node_modules/'])
  })
})

describe('a content counts as the person’s own', () => {
  it('if a command rewrites a file that it names without a change', async () => {
    world = await openWorld({ policy: ASKS, wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })
    world.file('run.sh', 'echo\n')
    await pass()
    await approve(command('chmod +x run.sh'), () => chmodSync(join(world.workspace, 'run.sh'), 0o755))
    expect(await unseen()).toEqual([])
    await approve(command('sed -i s/echo/evil/ run.sh'), put('run.sh', 'evil\n'))
    expect(await unseen()).toEqual(['run.sh'])
  })

  it('only if no other call was running that may have made it', async () => {
    world = await openWorld({ wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })
    world.file('a.js', 'one\n')
    await pass()
    const started = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const running = world.gate.run(write('other.js', ''), () => {
      put('a.js', 'evil\n')()
      started.resolve()
      return ended.promise
    })
    await started.promise
    await world.gate.run(write('a.js', 'two\n'), put('a.js', 'two\n'))
    ended.resolve()
    await running
    await world.gate.run(write('a.js', 'evil\n'), put('a.js', 'evil\n'))
    expect(await unseen()).toContain('a.js')
  })
})
