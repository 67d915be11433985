import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Call } from '@countersign/core'
import { openTargets } from '@countersign/node'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { type Random, random } from '@countersign/testing/seeded-random'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { drain } from './fate.ts'

const VARIANTS = process.env['COUNTERSIGN_FULL'] === undefined ? 200 : 1000

let world: World
let root: string
beforeAll(async () => {
  world = await openWorld({
    policy: 'version: 1\nrules:\n  - { id: ask, tool: "*", supervision: confirm, floor: true }\n',
    // Programs are created below; PATH is searched on every call.
    wrapPorts: (ports) => ({
      ...ports,
      targets: {
        ...ports.targets,
        program: (name, cwd) => openTargets({ searchPath: `${root}/first:${root}/second` }).program(name, cwd),
      },
    }),
  })
  root = world.workspace
})
afterEach(() => drain(world))
afterAll(() => world.close())

/** Describes the file at a path as the effect would find it. */
function found(path: string): string {
  try {
    const real = realpathSync(path)
    return `${real} ${lstatSync(real).isFile() ? readFileSync(real, 'utf8') : 'folder'}`
  } catch {
    return 'absent'
  }
}

/** The program that a shell would run for a bare name. */
function foundProgram(name: string): string {
  for (const folder of ['first', 'second']) {
    const path = join(root, folder, name)
    if (existsSync(path) && (lstatSync(realpathSync(path)).mode & 0o111) !== 0) return found(path)
  }
  return 'absent'
}

function put(path: string, text: string, mode = 0o644): void {
  rmSync(path, { recursive: true, force: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
}

/** A call, and every file its effect would touch. */
interface Scene {
  readonly call: Call
  readonly meets: () => string
  readonly targets: readonly string[]
}

function scene(luck: Random): Scene {
  const file = join(root, 'job', 'deep', 'file.txt')
  const script = join(root, 'job', 'run.sh')
  for (const folder of ['job', 'job/deep', 'first', 'second', 'elsewhere', 'elsewhere/deep']) {
    const path = join(root, folder)
    if (existsSync(path) && lstatSync(path).isSymbolicLink()) rmSync(path)
    mkdirSync(path, { recursive: true })
  }
  rmSync(join(root, 'job', 'new.txt'), { recursive: true, force: true })
  put(file, 'old\n')
  put(script, '#!/bin/sh\necho one\n', 0o755)
  put(join(root, 'second', 'deployer'), '#!/bin/sh\necho deploy\n', 0o755)
  rmSync(join(root, 'first', 'deployer'), { recursive: true, force: true })
  put(join(root, 'elsewhere', 'deep', 'file.txt'), 'other\n')
  put(join(root, 'elsewhere', 'run.sh'), '#!/bin/sh\necho evil\n', 0o755)
  const command = (text: string): Call => ({ tool: 'execute_command', args: { command: text } })
  const all: readonly Scene[] = [
    { call: { tool: 'write_file', args: { path: file, content: 'new\n' } }, meets: () => found(file), targets: [file] },
    { call: { tool: 'delete_file', args: { path: 'job/deep/file.txt' } }, meets: () => found(file), targets: [file] },
    { call: command('./job/run.sh now'), meets: () => found(script), targets: [script] },
    { call: command('cd job && ./run.sh now'), meets: () => found(script), targets: [script] },
    { call: command(`sh ${script}`), meets: () => found(script), targets: [script] },
    {
      call: command('deployer --all'),
      meets: () => foundProgram('deployer'),
      targets: [join(root, 'second', 'deployer')],
    },
    {
      call: command('cp job/deep/file.txt job/run.sh'),
      meets: () => `${found(file)}\n${found(script)}`,
      targets: [file, script],
    },
    {
      call: { tool: 'move_file', args: { source: file, destination: 'job/new.txt' } },
      meets: () => `${found(file)}\n${found(join(root, 'job', 'new.txt'))}`,
      targets: [file, join(root, 'job', 'new.txt')],
    },
  ]
  return luck.pick(all)
}

/** A change made while the person decides; the name is for messages. */
const SWAPS: { readonly [what: string]: (target: string, luck: Random) => void } = {
  'nothing at all': () => {},
  'touches it': (target) => existsSync(target) && utimesSync(target, 1, 1),
  'writes the same again': (target) => existsSync(target) && writeFileSync(target, readFileSync(target)),
  'writes other text of the same length': (target) =>
    put(target, existsSync(target) ? readFileSync(target, 'utf8').replace(/[a-z]/g, 'x') : 'x', 0o755),
  'appends one byte': (target) => put(target, `${existsSync(target) ? readFileSync(target, 'utf8') : ''}x`, 0o755),
  'deletes it': (target) => rmSync(target, { recursive: true, force: true }),
  'puts a folder there': (target) => {
    rmSync(target, { recursive: true, force: true })
    mkdirSync(target)
  },
  'renames another over it': (target) => {
    writeFileSync(`${target}.new`, 'evil\n', { mode: 0o755 })
    renameSync(`${target}.new`, target)
  },
  'makes it a link to something else': (target) => {
    rmSync(target, { recursive: true, force: true })
    symlinkSync(join(root, 'elsewhere', 'run.sh'), target)
  },
  'makes it a link to a copy of itself': (target) => {
    const copy = join(root, 'elsewhere', 'copy')
    put(copy, existsSync(target) ? readFileSync(target, 'utf8') : '', 0o755)
    rmSync(target, { recursive: true, force: true })
    symlinkSync(copy, target)
  },
  'makes it a dangling link': (target) => {
    rmSync(target, { recursive: true, force: true })
    symlinkSync(join(root, 'elsewhere', 'nothing'), target)
  },
  'makes its folder a link': (target) => {
    const folder = dirname(target)
    renameSync(folder, `${folder}-was`)
    symlinkSync(join(root, 'elsewhere'), folder)
  },
  'swaps its folder for another': (target) => {
    const folder = dirname(target)
    renameSync(folder, `${folder}-was`)
    mkdirSync(folder)
    put(target, 'evil\n', 0o755)
  },
  'shadows the program in PATH': () => put(join(root, 'first', 'deployer'), '#!/bin/sh\necho evil\n', 0o755),
  'links a shadow into PATH': () => {
    rmSync(join(root, 'first', 'deployer'), { force: true })
    symlinkSync(join(root, 'elsewhere', 'run.sh'), join(root, 'first', 'deployer'))
  },
  'changes it and changes it back': (target) => {
    if (!existsSync(target)) return
    const before = readFileSync(target)
    writeFileSync(target, 'evil\n')
    writeFileSync(target, before)
  },
}

function clean(): void {
  for (const folder of ['job', 'job/deep', 'second']) {
    const path = join(root, folder)
    if (!existsSync(`${path}-was`)) continue
    rmSync(path, { recursive: true, force: true })
    renameSync(`${path}-was`, path)
  }
}

describe('A7: a target that changes while a person decides', () => {
  it(`never runs on content that was not shown, in ${VARIANTS} seeded variants`, async () => {
    const seed = Number(process.env['COUNTERSIGN_SEED'] ?? 7)
    const outcomes = new Map<string, number>()
    for (let variant = 0; variant < VARIANTS; variant += 1) {
      const luck = random(seed * 10_000 + variant)
      const { call, meets, targets } = scene(luck)
      let ranOn: string | null = null
      const result = world.gate.run(call, () => {
        ranOn = meets()
      })
      const view = await onlyHeld(world)
      const shown = meets()
      const what = luck.pick(Object.keys(SWAPS))
      SWAPS[what]?.(luck.pick(targets), luck)
      const changed = meets() !== shown
      await world.decide(view, { kind: 'approve' })
      const ended = await result
      const about = `seed ${seed}, variant ${variant}: ${JSON.stringify(call.args)}, somebody ${what}`
      if (changed) expect(ranOn, about).toBeNull()
      if (ranOn !== null) expect(ranOn, about).toBe(shown)
      if (ranOn === null) expect(ended, about).toMatchObject({ kind: 'refusal', outcome: 'stale', code: 'CS_STALE' })
      const end = ranOn === null ? 'stale' : 'ran'
      outcomes.set(end, (outcomes.get(end) ?? 0) + 1)
      clean()
    }
    expect(outcomes.get('stale') ?? 0).toBeGreaterThan(VARIANTS / 4)
    expect(outcomes.get('ran') ?? 0).toBeGreaterThan(VARIANTS / 20)
  }, 120_000)

  it('binds every named file, even beyond the 64th', async () => {
    const names = Array.from({ length: 80 }, (_, n) => `many-${n}`)
    for (const name of names) put(join(root, name), 'old')
    for (const at of [0, 63, 64, 79]) {
      let ran = 0
      const result = world.gate.run(
        { tool: 'tidy', args: {}, description: { kind: 'delete', paths: names } },
        () => (ran += 1),
      )
      const view = await onlyHeld(world)
      put(join(root, `many-${at}`), 'newer')
      await world.decide(view, { kind: 'approve' })
      expect(await result, `file ${at}`).toMatchObject({ outcome: 'stale' })
      expect(ran).toBe(0)
    }
  })

  it('reports a program that cannot be bound', async () => {
    for (const command of ['no-such-program --now', 'PATH=./bin deployer', 'export PATH=/x; deployer']) {
      const result = world.gate.run({ tool: 'execute_command', args: { command } }, () => 1)
      const view = await onlyHeld(world)
      const { targets } = JSON.parse(view.request)
      expect(targets, command).toContainEqual(expect.objectContaining({ content: 'unbound' }))
      await world.decide(view, { kind: 'reject' })
      await result
    }
  })

  const READ_FILES = [
    'git apply fix.patch',
    'psql -f fix.sql',
    'kubectl apply -f fix.yaml',
    'node fix.js',
    'python3 fix.py',
    'bash < fix.sh',
    '. ./fix.sh',
    'tar xf fix.tar',
    'patch < fix.patch',
  ]
  it.each(READ_FILES)('binds a file that a command reads instructions from: %s', async (command) => {
    const file = join(root, command.match(/fix\.\w+/)?.[0] ?? '')
    put(file, 'one')
    let ran = 0
    const result = world.gate.run({ tool: 'execute_command', args: { command } }, () => (ran += 1))
    const view = await onlyHeld(world)
    put(file, 'two')
    await world.decide(view, { kind: 'approve' })
    await result
    expect(ran).toBe(0)
  })
})
