import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { CheckAnswer, Checker } from '@countersign/core'
import { applyUndo, listBackups, planUndo } from '@countersign/node'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { overlay } from '@countersign/testing/intercept'
import { passTime, settled } from '@countersign/testing/simulated-clock'
import { afterEach, describe, expect, it } from 'vitest'
import { permissionsChecker } from '../../packages/node/src/checkers/permissions.ts'

let world: World
afterEach(() => world.close())

const TOOLS = `
version: 1
rules:
  - { id: one, tool: one_thing, supervision: automatic, checks: [mine] }
`

function checker(check: Checker['check']): readonly Checker[] {
  return [{ name: 'mine', timeoutMs: 1000, check }]
}

async function openWith(check: Checker['check'], policy = TOOLS) {
  world = await openWorld({ policy, options: { checkers: checker(check) } })
}

function run(tool: string, args: object = {}, effect: (args: object) => unknown = () => 'ok') {
  return world.gate.run({ tool, args, description: { kind: 'other' } }, effect)
}

/** Restores the only backup listed in the journal. */
async function undo(): Promise<void> {
  const entry = (await world.entries()).findLast(({ kind }) => kind === 'backup')
  const ref = { name: String(entry?.['name']), manifest: String(entry?.['manifest']) }
  await applyUndo(world.home, ref, await planUndo(world.home, ref))
}

describe('safety checks', () => {
  it.each([
    ['pass', 'automatic'],
    ['skip', 'automatic'],
    ['warn', 'notify'],
  ] as const)('18: a checker that returns %s results in supervision %s', async (status, supervision) => {
    await openWith(() => ({ status, message: 'looked' }))
    expect(await run('one_thing')).toMatchObject({ kind: 'completed' })
    const [judged] = (await world.entries()).filter(({ kind }) => kind === 'judged')
    expect(judged).toMatchObject({ supervision, findings: [{ checker: 'mine', status, message: 'looked' }] })
  })

  it.each<[string, Checker['check']]>([
    ['fails', () => ({ status: 'fail', message: 'no good' })],
    ['crashes', () => Promise.reject(new Error('broken'))],
    ['never answers', () => new Promise<CheckAnswer>(() => {})],
    ['returns an invalid result', () => ({ status: 'fine' }) as unknown as CheckAnswer],
  ])('18: a checker that %s stops the call', async (_, check) => {
    await openWith(check)
    let ran = false
    const result = await passTime(
      world.clock,
      run('one_thing', {}, () => {
        ran = true
      }),
    )
    expect(result).toMatchObject({ kind: 'refusal', outcome: 'denied', code: 'CS_CHECK_BLOCKED' })
    expect(ran).toBe(false)
  })

  it.each([
    ['passes', 'cat > /dev/null; echo \'{"status":"pass","message":"fine"}\'', 'completed'],
    ['fails', 'echo \'{"status":"fail","message":"no"}\'', 'refusal'],
    ['exits with an error', 'echo \'{"status":"pass","message":"fine"}\'; exit 1', 'refusal'],
    ['prints garbage', 'echo fine', 'refusal'],
    [
      'prints two results',
      'echo \'{"status":"pass","message":"a"}\'; echo \'{"status":"pass","message":"b"}\'',
      'refusal',
    ],
  ])('18: a checker program that %s', async (_, body, kind) => {
    world = await openWorld()
    const program = join(world.home.dir, 'check')
    writeFileSync(program, `#!/bin/sh\n${body}\n`, { mode: 0o700 })
    writeFileSync(world.home.policy, `${TOOLS}checkers: { mine: { run: [${program}] } }\n`, { mode: 0o600 })
    expect(await run('one_thing')).toMatchObject({ kind })
  })

  it('19: a held call includes its findings before anyone decides', async () => {
    await openWith(() => ({ status: 'fail', message: 'no ticket', suggestion: 'name one', overridable: true }))
    const result = run('one_thing')
    const view = await onlyHeld(world)
    expect(view.findings).toEqual([
      { checker: 'mine', status: 'fail', message: 'no ticket', suggestion: 'name one', overridable: true },
    ])
    await world.decide(view, { kind: 'reject' })
    expect(await result).toMatchObject({ kind: 'refusal', outcome: 'rejected' })
  })

  it('20: a known token holds a write that would have run, and is hidden on the card and in the journal', async () => {
    world = await openWorld()
    const token = ['ghp', '_', 'A1b2C3d4E5f6G7h8', 'I9j0K1l2M3n4O5p6q7R8'].join('')
    const write = (content: string) =>
      world.gate.run({ tool: 'write_file', args: { path: 'notes.txt', content } }, () => 'written')
    expect(await write('write to ana@example.com')).toMatchObject({ kind: 'completed' })
    const held = write(`token = ${token}`)
    const view = await onlyHeld(world)
    expect(view.findings).toContainEqual(expect.objectContaining({ checker: 'secrets', status: 'fail' }))
    expect(JSON.stringify(view.findings)).not.toContain(token)
    await world.decide(view, { kind: 'reject' })
    await held
    expect(JSON.stringify(await world.entries())).not.toContain(token)
  })

  it('23: a failed check that cannot be overridden refuses the call; one that can is approved, and journaled', async () => {
    let overridable = false
    await openWith(() => ({ status: 'fail', message: 'no good', overridable }))
    expect(await run('one_thing')).toMatchObject({ kind: 'refusal', code: 'CS_CHECK_BLOCKED' })
    expect(await world.held()).toEqual([])
    overridable = true
    const result = run('one_thing')
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    expect(await result).toMatchObject({ kind: 'completed' })
    expect(await world.entries()).toContainEqual(
      expect.objectContaining({ kind: 'override', checker: 'mine', by: 'ana' }),
    )
  })

  it('23: an approval does not override a check that fails only for the edited arguments', async () => {
    await openWith(({ call }) => ({ status: 'fail', message: 'no good', overridable: call.args['n'] === 1 }))
    const result = run('one_thing', { n: 1 })
    await world.decide(await onlyHeld(world), { kind: 'approve', edited: { n: 2 } })
    expect(await result).toMatchObject({ kind: 'refusal', outcome: 'denied', code: 'CS_CHECK_BLOCKED' })
  })

  it('24: a person sees the arguments that a checker rewrote, and those run', async () => {
    await openWith(({ call }) =>
      call.args['safe'] === true
        ? { status: 'pass', message: 'safe' }
        : { status: 'warn', message: 'made safe', propose: { ...call.args, safe: true } },
    )
    let ran: object = {}
    const result = run('one_thing', { n: 1 }, (args) => {
      ran = args
    })
    const view = await onlyHeld(world)
    expect(JSON.parse(view.request).call.args).toEqual({ n: 1, safe: true })
    await world.decide(view, { kind: 'approve' })
    await result
    expect(ran).toEqual({ n: 1, safe: true })
  })
})

describe('disk and permissions', () => {
  const FILES = `
version: 1
rules:
  - { id: files, kind: [write, delete], supervision: automatic, up_to: critical, checks: [permissions, { disk: { free: 1KB } }] }
`
  const describeAs = (kind: 'write' | 'delete', path: string) => ({ kind, paths: [path] })

  it('22: checks the file system of the target, not of the workspace', async () => {
    world = await openWorld({ policy: FILES })
    const proc = { tool: 'put_file', args: {}, description: describeAs('write', '/proc/nothing/here') }
    const held = world.gate.run(proc, () => 'ran')
    const view = await onlyHeld(world)
    expect(view.findings.find(({ checker }) => checker === 'disk')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('`/proc`'),
    })
    await world.decide(view, { kind: 'reject' })
    await held
    const here = { tool: 'put_file', args: {}, description: describeAs('write', join(world.workspace, 'a/b')) }
    expect(await world.gate.run(here, () => 'ran')).toMatchObject({ kind: 'completed' })
  })

  it('22: checks the parent folder of files that are created or deleted', async () => {
    const denied = new Set<string>()
    const access = (path: string) => {
      if (denied.has(path)) throw Object.assign(new Error('no'), { code: 'EACCES' })
    }
    world = await openWorld({ policy: FILES, options: { checkers: [permissionsChecker(access)] } })
    world.file('old', 'x')
    denied.add(world.workspace)
    for (const [kind, name] of [
      ['write', 'new/file'],
      ['delete', 'old'],
      ['write', '.'],
    ] as const) {
      const description = describeAs(kind, join(world.workspace, name))
      const held = world.gate.run({ tool: 'put_file', args: {}, description }, () => 'ran')
      const view = await onlyHeld(world)
      expect(view.findings.find(({ checker }) => checker === 'permissions')).toMatchObject({
        status: 'fail',
        message: expect.stringContaining(`\`${world.workspace}\``),
      })
      await world.decide(view, { kind: 'reject' })
      await held
    }
  })
})

const COPIES = `
version: 1
rules:
  - { id: files, kind: [write, delete, move], supervision: notify, up_to: high, checks: [backup] }
  - { id: rm, command: { program: [rm, mv] }, supervision: notify, up_to: high, checks: [backup] }
`

describe('backups', () => {
  const file = (name: string) => join(world.workspace, name)
  const change = (tool: string, path: string, effect: () => unknown) =>
    world.gate.run({ tool, args: { path, content: 'new' } }, effect)

  it('21: undoing a write restores content, mode and times', async () => {
    world = await openWorld({ policy: COPIES })
    const path = world.file('run.sh', 'old')
    chmodSync(path, 0o750)
    utimesSync(path, 1_700_000_000, 1_700_000_001)
    expect(await change('write_file', path, () => writeFileSync(path, 'new'))).toMatchObject({ kind: 'completed' })
    await undo()
    expect(readFileSync(path, 'utf8')).toBe('old')
    expect(statSync(path)).toMatchObject({ mtimeMs: 1_700_000_001_000 })
    expect(statSync(path).mode & 0o777).toBe(0o750)
  })

  it('21: restores a deleted folder completely, including its links', async () => {
    world = await openWorld({ policy: COPIES })
    mkdirSync(file('lib/deep'), { recursive: true })
    world.file('lib/deep/a.txt', 'a')
    symlinkSync('deep/a.txt', file('lib/link'))
    await change('delete_directory', file('lib'), () => rmSync(file('lib'), { recursive: true }))
    expect(existsSync(file('lib'))).toBe(false)
    await undo()
    expect(readFileSync(file('lib/link'), 'utf8')).toBe('a')
  })

  it('21: undo removes new files and the folders created for them', async () => {
    world = await openWorld({ policy: COPIES })
    await change('write_file', file('a/b/c.txt'), () => {
      mkdirSync(file('a/b'), { recursive: true })
      writeFileSync(file('a/b/c.txt'), 'new')
    })
    await undo()
    expect(existsSync(file('a'))).toBe(false)
  })

  it('21: keeps two files with the same name apart', async () => {
    world = await openWorld({ policy: COPIES })
    mkdirSync(file('one'))
    mkdirSync(file('two'))
    const paths = [world.file('one/same.txt', 'first'), world.file('two/same.txt', 'second')]
    const call = { tool: 'patch_all', args: {}, description: { kind: 'write', paths } } as const
    await world.gate.run(call, () => {
      for (const path of paths) writeFileSync(path, 'new')
    })
    await undo()
    expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(['first', 'second'])
  })

  it('21: backs up files that a command overwrites or deletes', async () => {
    world = await openWorld({ policy: COPIES })
    world.file('from.txt', 'from')
    world.file('to.txt', 'to')
    const call = { tool: 'execute_command', args: { command: 'mv from.txt to.txt' }, containable: true }
    expect(
      await world.gate.run(call, () => {
        writeFileSync(file('to.txt'), 'from')
        rmSync(file('from.txt'))
      }),
    ).toMatchObject({ kind: 'completed' })
    await undo()
    expect([readFileSync(file('from.txt'), 'utf8'), readFileSync(file('to.txt'), 'utf8')]).toEqual(['from', 'to'])
  })

  it('21: journals the backup before the start, and makes none without the check', async () => {
    world = await openWorld({ policy: COPIES })
    const path = world.file('a.txt', 'old')
    await change('write_file', path, () => writeFileSync(path, 'new'))
    const kinds = (await world.entries()).map(({ kind }) => kind)
    expect(kinds.slice(-5)).toEqual(['judged', 'notice', 'backup', 'started', 'completed'])
    await world.gate.run({ tool: 'read_file', args: { path } }, () => 'text')
    expect(listBackups(world.home)).toHaveLength(1)
  })

  it('21: asks a person if the backup fails, who may continue without it', async () => {
    world = await openWorld({ policy: COPIES.replaceAll('[backup]', '[{ backup: { files: 2 } }]') })
    mkdirSync(file('many'))
    for (const name of ['a', 'b', 'c']) world.file(`many/${name}`, name)
    const result = change('delete_directory', file('many'), () => rmSync(file('many'), { recursive: true }))
    const view = await onlyHeld(world)
    expect(view.findings).toMatchObject([{ checker: 'backup', status: 'fail', overridable: true }])
    await world.decide(view, { kind: 'approve' })
    expect(await result).toMatchObject({ kind: 'completed' })
    expect(listBackups(world.home)).toEqual([])
    expect(await world.entries()).toContainEqual(expect.objectContaining({ kind: 'override', checker: 'backup' }))
  })

  it.each(['automatic', 'confirm'])(
    '21: a backup that fails at the last moment stops a call under %s',
    async (supervision) => {
      world = await openWorld({
        policy: COPIES.replaceAll('notify, up_to: high', supervision),
        wrapPorts: (ports) => ({
          ...ports,
          backups: overlay(ports.backups, { keep: () => Promise.reject(new Error('disk full')) }),
        }),
      })
      const path = world.file('a.txt', 'old')
      const result = change('write_file', path, () => writeFileSync(path, 'new'))
      await settled()
      for (const view of await world.held()) await world.decide(view, { kind: 'approve' })
      expect(await result).toMatchObject({ kind: 'refusal', outcome: 'denied', code: 'CS_BACKUP' })
      expect(readFileSync(path, 'utf8')).toBe('old')
      expect(await world.entries()).toContainEqual(expect.objectContaining({ kind: 'denied', code: 'CS_BACKUP' }))
    },
  )
})
