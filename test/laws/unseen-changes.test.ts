import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, HeldCallView, Sandbox, StoredFileChange } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { until } from '@countersign/testing/until'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world?.close())

function write(path: string, content: string): Call {
  return { tool: 'write_file', source: 'builtin', args: { path, content } }
}

function command(text: string, more: Partial<Call> = {}): Call {
  return { tool: 'execute_command', source: 'builtin', args: { command: text }, containable: true, ...more }
}

const put = (path: string, text: string) => () => writeFileSync(join(world.workspace, path), text)

async function pass(): Promise<void> {
  const start = Date.now()
  await until('the next tick of the clock', () => Date.now() > start + 15 || undefined)
}

async function changes(): Promise<readonly StoredFileChange[]> {
  return (await world.ports.store.changes(world.workspace)).files
}

async function unseen(): Promise<readonly string[]> {
  return (await changes()).filter(({ content, seen }) => content !== seen).map(({ path }) => path)
}

async function approve(call: Call, effect: () => unknown): Promise<void> {
  const running = world.gate.run(call, effect)
  await world.decide(await onlyHeld(world), { kind: 'approve' })
  expect(await running).toMatchObject({ kind: 'completed' })
}

describe('changes of files by gated calls', () => {
  it('of a tool are recorded with the call that made them, before and after', async () => {
    world = await openWorld()
    world.file('a.ts', 'one\n')
    await world.gate.run({ ...write('a.ts', 'two\n'), id: 'w1' }, put('a.ts', 'two\n'))
    await world.gate.run({ ...write('b.ts', 'new\n'), id: 'w2' }, put('b.ts', 'new\n'))
    const [a, b] = await changes()
    expect(a).toMatchObject({
      path: 'a.ts',
      kind: 'written',
      call: 'w1',
      seen: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(b).toMatchObject({ path: 'b.ts', kind: 'written', call: 'w2', seen: 'absent' })
    expect(await unseen()).toEqual(['a.ts', 'b.ts'])
    const entries = await world.entries()
    expect(entries.find(({ kind, call }) => kind === 'completed' && call === 'w1')).toMatchObject({
      changed: { files: 1, unseen: 1 },
    })
  })

  it('of a command are found wherever they are, also if it fails', async () => {
    world = await openWorld()
    mkdirSync(join(world.workspace, 'src'))
    world.file('src/a.ts', 'one\n')
    world.file('old.ts', 'one\n')
    await pass()
    const result = await world.gate.run(command('npm run build'), () => {
      put('src/a.ts', 'two\n')()
      rmSync(join(world.workspace, 'old.ts'))
      throw new Error('exit code 1')
    })
    expect(result.kind).toBe('failed')
    expect((await changes()).map(({ path, kind }) => [path, kind])).toEqual([
      ['old.ts', 'deleted'],
      ['src/a.ts', 'written'],
    ])
  })

  it('are not looked for after a command that only reads', async () => {
    world = await openWorld({
      wrapPorts: (ports) => ({ ...ports, files: { ...ports.files, watch: () => Promise.reject(new Error('called')) } }),
    })
    await world.gate.run(command('git status && ls -la'), () => 'ok')
    expect(await world.ports.store.changedWorkspaces()).toEqual([])
  })

  it('were seen if their whole diff was approved, and only with exactly that content', async () => {
    world = await openWorld({ policy: 'version: 1\npreset: paranoid\n' })
    world.file('a.ts', 'one\ntwo\n')
    await approve(write('a.ts', 'one\n2\n'), put('a.ts', 'one\n2\n'))
    expect(await unseen()).toEqual([])
    await approve(write('a.ts', 'one\n3\n'), put('a.ts', 'one\nevil\n'))
    expect(await unseen()).toEqual(['a.ts'])
    await approve(write('b.ts', 'new\n'), put('b.ts', 'new\n'))
    expect(await unseen()).toEqual(['a.ts'])
  })

  it('count as everything if the workspace can’t be searched', async () => {
    world = await openWorld({
      wrapPorts: (ports) => ({ ...ports, files: { ...ports.files, watch: () => Promise.reject(new Error('broken')) } }),
    })
    await world.gate.run(command('npm run build'), () => 'ok')
    expect(await world.ports.store.changes(world.workspace)).toMatchObject({
      everything: 'the workspace can’t be searched',
      unrecorded: [],
    })
  })

  it('are found by the next process if this one dies between effect and record', async () => {
    const gone = new Set<string>()
    world = await openWorld({
      wrapPorts: (ports) => ({
        ...ports,
        owners: { ...ports.owners, isAlive: (owner) => !gone.has(owner) && ports.owners.isAlive(owner) },
      }),
    })
    world.file('a.ts', 'one\n')
    await pass()
    const started = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const running = world.gate.run({ ...command('npm run build'), id: 'killed' }, () => {
      put('a.ts', 'two\n')()
      started.resolve()
      return ended.promise
    })
    await started.promise
    expect((await world.ports.store.changes(world.workspace)).unrecorded).toMatchObject([{ call: 'killed' }])
    gone.add(world.ports.owners.self)
    const { gate } = await world.another()
    expect(await changes()).toMatchObject([{ path: 'a.ts', call: 'killed' }])
    expect((await world.ports.store.changes(world.workspace)).unrecorded).toEqual([])
    ended.resolve()
    await running
    await gate.close()
  })

  it('of a call that a host runs itself are those it names, or all that are found later', async () => {
    world = await openWorld()
    world.file('a.ts', 'one\n')
    const released = async (call: Call): Promise<void> => {
      const permit = await world.gate.ask(call)
      if (permit.kind === 'refusal') throw new Error(permit.message)
      await world.gate.settle(permit, 'released')
    }
    await released(write('a.ts', 'two\n'))
    expect(await changes()).toMatchObject([{ path: 'a.ts', content: 'unknown' }])
    await released(command('npm run build'))
    expect((await world.ports.store.changes(world.workspace)).unrecorded).toMatchObject([{ call: 'released' }])
    expect(readFileSync(join(world.workspace, 'a.ts'), 'utf8')).toBe('one\n')
  })
})

const MISSING: Sandbox = { status: () => ({ kind: 'missing', why: 'not installed', fix: 'install it' }) }

/** The person confirms tests once, and grants them for the session. */
const ASKS = 'version: 1\nrules: [{ id: tests, command: { program: npm, verb: test }, supervision: confirm }]\n'

const withoutSandbox = () => openWorld({ policy: ASKS, wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }) })

/** Approves the next run for the session with a grant for exactly these arguments. */
async function grantOnce(call: Call): Promise<HeldCallView> {
  await pass()
  const running = world.gate.run(call, () => 'ok')
  const view = await onlyHeld(world)
  const scope = view.offers.find((offer) => offer.scope.kind === 'exact')?.scope
  if (scope === undefined) throw new Error('no grant is offered')
  await world.decide(view, { kind: 'approve', grant: { scope, lifetime: { kind: 'session' } } })
  await running
  return view
}

function shownIn({ preview }: HeldCallView): readonly (readonly [string, readonly string[]])[] {
  const files = preview.kind === 'command' ? (preview.unseen?.files ?? []) : []
  return files.map((file) => [
    file.path,
    file.hunks.flatMap(({ lines }) => lines).flatMap(({ kind, text }) => (kind === 'same' ? [] : `${kind} ${text}`)),
  ])
}

const TEST = command('npm test')
const SEES = 'it runs code with changes nobody has seen'

describe('a command that could load changes nobody has seen', () => {
  it('asks although its script was seen through, which runs unasked without such changes', async () => {
    world = await withoutSandbox()
    world.file('run.sh', '. ./more.sh\n')
    world.file('more.sh', 'echo one\n')
    const run = command('bash run.sh')
    expect(await world.gate.isConfirmationRequired(run)).toBe(false)
    await world.gate.run(write('a.ts', 'two\n'), put('a.ts', 'two\n'))
    expect(await world.gate.isConfirmationRequired(run), 'a change that it can’t load').toBe(false)
    await world.gate.run(write('more.sh', 'echo two\n'), put('more.sh', 'echo two\n'))
    const { verdict } = await world.gate.explain(run)
    expect(verdict).toMatchObject({ supervision: 'confirm', rule: { id: 'builtin.unseen-changes' } })
  })

  it('asks for a file that it names, whatever its ending', async () => {
    world = await withoutSandbox()
    world.file('notes.md', 'echo notes\n')
    const run = command('bash notes.md')
    expect(await world.gate.isConfirmationRequired(run)).toBe(false)
    await world.gate.run(write('notes.md', 'echo other\n'), put('notes.md', 'echo other\n'))
    expect(await world.gate.isConfirmationRequired(run)).toBe(true)
    expect(await world.gate.isConfirmationRequired(command('cat notes.md'))).toBe(false)
  })

  it('asks with their diff outside the sandbox, once for each content', async () => {
    world = await withoutSandbox()
    world.file('a.ts', 'one\n')
    world.file('package.json', '{}\n')
    await grantOnce(TEST)
    expect(await world.gate.isConfirmationRequired(TEST)).toBe(false)

    await world.gate.run(write('a.ts', 'two\n'), put('a.ts', 'two\n'))
    const { verdict } = await world.gate.explain(TEST)
    expect(verdict).toMatchObject({ supervision: 'confirm', rule: { id: 'builtin.unseen-changes' } })
    expect(verdict.reasons[0]).toBe(`${SEES}: \`a.ts\``)
    const running = world.gate.run(TEST, () => 'ok')
    const view = await onlyHeld(world)
    expect(shownIn(view)).toEqual([['a.ts', ['removed one', 'added two']]])
    await world.decide(view, { kind: 'approve' })
    expect(await running).toMatchObject({ kind: 'completed' })
    expect(await world.gate.isConfirmationRequired(TEST)).toBe(false)

    await world.gate.run(write('a.ts', 'three\n'), put('a.ts', 'three\n'))
    expect(await world.gate.isConfirmationRequired(TEST)).toBe(true)
    await world.gate.run(write('a.ts', 'two\n'), put('a.ts', 'two\n'))
    expect(await world.gate.isConfirmationRequired(TEST)).toBe(false)
  })

  it('does not ask in the sandbox', async () => {
    world = await openWorld()
    await world.gate.run(write('a.ts', 'two\n'), put('a.ts', 'two\n'))
    expect((await world.gate.explain(TEST)).verdict).toMatchObject({
      supervision: 'automatic',
      contain: { network: [] },
    })
  })

  it('is stale if the code changes again after it was shown', async () => {
    world = await withoutSandbox()
    await world.gate.run(write('a.ts', 'two\n'), put('a.ts', 'two\n'))
    const running = world.gate.run(TEST, () => 'ok')
    const view = await onlyHeld(world)
    put('a.ts', 'three\n')()
    await world.decide(view, { kind: 'approve' })
    expect(await running).toMatchObject({ kind: 'refusal', outcome: 'stale' })
  })

  it('is judged by its program and by the kind of file', async () => {
    world = await withoutSandbox()
    await world.gate.run(write('a.ts', 'two\n'), put('a.ts', 'two\n'))
    await world.gate.run(write('README.md', 'two\n'), put('README.md', 'two\n'))
    const reasonOf = async (text: string): Promise<string> =>
      (await world.gate.explain(command(text))).verdict.reasons.find((reason) => reason.startsWith(SEES)) ?? ''
    for (const text of [
      'npm test',
      'node a.ts',
      'make',
      './run.sh',
      'python3 -c "import a"',
      'frobnicate',
      'ls; npm test',
    ])
      expect([text, await reasonOf(text)]).toEqual([text, `${SEES}: \`a.ts\``])
    for (const text of ['cat a.ts', 'git commit -m x', 'rm a.ts', 'cp a.ts b.ts', 'git status'])
      expect([text, await reasonOf(text)]).toEqual([text, ''])
    world.file('package.json', '{}\n')
    await world.gate.run(write('package.json', '{ "a": 1 }\n'), put('package.json', '{ "a": 1 }\n'))
    expect(await reasonOf('git commit -m x')).toBe(`${SEES}: \`package.json\``)
  })

  it('does not ask about files that are gone, or about content that is back', async () => {
    world = await withoutSandbox()
    const path = world.file('a.ts', 'one\n')
    await grantOnce(TEST)
    await world.gate.run(write('new.ts', 'new\n'), put('new.ts', 'new\n'))
    await world.gate.run(write('a.ts', 'two\n'), put('a.ts', 'two\n'))
    expect(await world.gate.isConfirmationRequired(TEST)).toBe(true)
    rmSync(join(world.workspace, 'new.ts'))
    writeFileSync(path, 'one\n')
    expect(await world.gate.isConfirmationRequired(TEST)).toBe(false)
  })

  it('asks while another call may be changing files', async () => {
    world = await withoutSandbox()
    world.file('a.ts', 'one\n')
    await grantOnce(TEST)
    await pass()
    const started = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const running = world.gate.run(write('other.ts', ''), () => {
      put('a.ts', 'two\n')()
      started.resolve()
      return ended.promise
    })
    await started.promise
    expect((await world.gate.explain(TEST)).verdict.reasons[0]).toBe(`${SEES}: \`a.ts\``)
    ended.resolve()
    await running
  })

  it('asks if the changes can’t be read or everything counts as unseen', async () => {
    world = await openWorld({
      wrapPorts: (ports) => ({
        ...ports,
        sandbox: MISSING,
        files: { ...ports.files, states: () => Promise.reject(new Error('broken')) },
      }),
    })
    expect((await world.gate.explain(TEST)).verdict.reasons).toContain(
      `${SEES}: all files of the workspace (they can’t be read)`,
    )
  })

  it('does not ask under classic, or where a rule of the person runs it outside', async () => {
    for (const policy of [
      'preset: classic',
      'rules: [{ id: t, command: { program: npm }, supervision: automatic, contain: false }]',
    ]) {
      world = await openWorld({
        policy: `version: 1\n${policy}\n`,
        wrapPorts: (ports) => ({ ...ports, sandbox: MISSING }),
      })
      await world.gate.run(write('a.ts', 'two\n'), put('a.ts', 'two\n'))
      expect(await world.gate.isConfirmationRequired(TEST)).toBe(false)
      await world.close()
    }
  })
})
