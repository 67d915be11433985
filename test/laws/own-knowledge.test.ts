import { hash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assessCall, type PolicyFile, RISK_LEVELS, type RiskLevel, readKnowledge } from '@countersign/core'
import { readProject, trustProject } from '@countersign/node'
import { shellCorpus } from '@countersign/testing/corpus/shell-corpus'
import { openWorld, type World } from '@countersign/testing/gate/world'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'

const crypto = { sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex') }
const PLACES = { workspace: '/home/you/app', home: '/home/you', gate: '/home/you/.countersign', temp: '/tmp' }
const CORPUS = shellCorpus()
const rank = (level: RiskLevel) => RISK_LEVELS.indexOf(level)

type Layer = Pick<PolicyFile, 'layer' | 'trusted'>

function rate(command: string, text: string | null, { layer, trusted }: Layer) {
  const files: readonly PolicyFile[] =
    text === null ? [] : [{ layer, trusted, form: 'knowledge', name: 'knowledge/a.yaml', text }]
  const { knowledge, problems } = readKnowledge(files)
  expect(problems).toEqual([])
  const call = {
    tool: 'bash',
    source: 'builtin',
    args: { command },
    description: { kind: 'execute', command },
  } as const
  return assessCall(call, PLACES, crypto, knowledge).risk
}

/** A command of the corpus, and a row for one of its programs that claims anything. */
const SITUATION = fc.constantFrom(...CORPUS).chain(({ command }) => {
  const plain = rate(command, null, { layer: 'user', trusted: false })
  const names = plain.parts.flatMap(({ command: { program } }) => program?.toLowerCase() ?? [])
  const known = names.filter((name) => /^[!-.0-<>-~]{1,80}$/.test(name) && !/[A-Z]/.test(name))
  const options = plain.parts.flatMap(({ command: { args } }) => args.flatMap(({ value }) => value ?? []))
  return fc.record({
    command: fc.constant(command),
    plain: fc.constant(plain),
    name: fc.constantFrom(...(known.length === 0 ? ['acme'] : known)),
    level: fc.constantFrom(...RISK_LEVELS),
    type: fc.constantFrom('flag', 'value', 'reads', 'writes', 'runs', 'host', 'settings'),
    option: fc.constantFrom(...options.filter((one) => /^-[ -~]{1,79}$/.test(one)), '--x'),
  })
})

const rowText = ({ name, level, type, option }: { name: string; level: string; type: string; option: string }) =>
  JSON.stringify({
    version: 1,
    programs: [{ names: [name], level, effect: 'does its work', options: { [type]: [option] } }],
  })

describe('L9: knowledge that only raises', () => {
  it.each<Layer>([
    { layer: 'managed', trusted: false },
    { layer: 'project', trusted: false },
  ])('lowers no command of the corpus, whatever it claims: $layer', (layer) => {
    fc.assert(
      fc.property(SITUATION, (situation) => {
        const { command, plain } = situation
        const risk = rate(command, rowText(situation), layer)
        expect(rank(risk.level)).toBeGreaterThanOrEqual(rank(plain.level))
        for (const [at, part] of plain.parts.entries()) {
          expect(rank(risk.parts[at]?.level ?? 'none')).toBeGreaterThanOrEqual(rank(part.level))
          if (part.proven === undefined) expect(risk.parts[at]?.proven).toBeUndefined()
        }
      }),
      { numRuns: 500 },
    )
  })

  it('of the person lowers nothing that is critical, and hides no path', () => {
    fc.assert(
      fc.property(SITUATION, (situation) => {
        const { command, plain } = situation
        const risk = rate(command, rowText(situation), { layer: 'user', trusted: false })
        if (plain.level === 'critical') expect(risk.level).toBe('critical')
        const changed = plain.paths.filter(({ use }) => use !== 'read').map(({ given, use }) => `${use} ${given}`)
        expect(risk.paths.map(({ given, use }) => `${use} ${given}`)).toEqual(expect.arrayContaining(changed))
      }),
      { numRuns: 500 },
    )
  })
})

let world: World

const row = (level: string) => `version: 1\nprograms: [{ names: [acme], level: ${level}, effect: does its work }]\n`
const ACME = { tool: 'execute_command', args: { command: 'acme push' } }

function teach(folder: string, text: string, name = 'a.yaml'): string {
  const path = join(folder, 'knowledge', name)
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  writeFileSync(path, text, { mode: 0o644 })
  return path
}

const project = () => join(world.workspace, '.countersign')
const riskOf = async (gate = world.gate) => (await gate.explain(ACME)).risk

describe('own knowledge in a gate', () => {
  afterEach(() => world.close())

  it('of a project raises at once, and lowers only after the person trusted exactly this content', async () => {
    world = await openWorld()
    expect(await riskOf()).toBe('medium')
    teach(project(), row('high'))
    expect(await riskOf()).toBe('high')
    teach(project(), row('none'))
    expect(await riskOf()).toBe('medium')
    trustProject(world.home, world.workspace, readProject(world.workspace).digest)
    expect(await riskOf()).toBe('none')
    teach(project(), `${row('none')}# changed\n`)
    expect(await riskOf()).toBe('medium')
  })

  it('of an organization is not lowered by the person or a trusted project', async () => {
    world = await openWorld()
    teach(join(dirname(world.workspace), 'managed'), row('high'))
    teach(world.home.dir, row('none'))
    teach(project(), row('none'))
    trustProject(world.home, world.workspace)
    expect(await riskOf()).toBe('high')
  })

  it.each([
    ['is not YAML', 'version: [', 1],
    ['has an unknown key', `${row('none')}extra: 1\n`, 1],
    ['is too large', `#${'x'.repeat(300_000)}`, 1],
  ])('L3: holds everything in a gate that opens while a file %s', async (_, text, count) => {
    world = await openWorld()
    teach(world.home.dir, row('none'))
    teach(project(), text, 'bad.yaml')
    const { gate } = await world.another()
    expect(await gate.policyProblems()).toHaveLength(count)
    expect((await gate.explain(ACME)).supervision).toBe('manual')
    await gate.close()
  })

  it('L3: keeps the last valid rows while a file is invalid, and rows that raise apply at once', async () => {
    world = await openWorld()
    teach(world.home.dir, row('high'))
    expect(await riskOf()).toBe('high')
    teach(world.home.dir, 'version: 1\nprograms: none\n')
    expect(await riskOf()).toBe('high')
    expect(await world.gate.policyProblems()).toHaveLength(1)
    teach(join(dirname(world.workspace), 'managed'), row('critical'))
    expect(await riskOf()).toBe('critical')
    teach(world.home.dir, row('low'))
    rmSync(join(dirname(world.workspace), 'managed'), { recursive: true })
    expect(await riskOf()).toBe('low')
    expect(await world.gate.policyProblems()).toEqual([])
  })

  it('names the row that rated a call, with its file and line', async () => {
    world = await openWorld()
    const path = teach(world.home.dir, row('high'))
    expect((await world.gate.explain(ACME)).ownRows).toEqual([`${path}:2`])
  })

  it('is judged again while a call is held', async () => {
    world = await openWorld()
    const tool = (level: string) =>
      `version: 1\ntools: [{ names: [frobnicate], kind: read, level: ${level}, effect: looks around }]\n`
    let ran = 0
    const result = world.gate.run({ tool: 'frobnicate', source: 'custom', args: {} }, () => (ran += 1))
    const [before] = await world.held()
    teach(world.home.dir, tool('critical'))
    await world.clock.advance(200)
    const [after] = await world.held()
    expect([before?.risk.level, after?.risk.level]).toEqual(['medium', 'critical'])
    expect(after?.requestDigest).not.toBe(before?.requestDigest)
    teach(world.home.dir, tool('none'))
    await world.clock.advance(200)
    expect(await result).toMatchObject({ kind: 'completed' })
    expect(ran).toBe(1)
    expect((await world.entries()).filter(({ kind }) => kind === 'policy-changed')).toHaveLength(2)
  })

  it('L11: lets no tool of a server run unasked', async () => {
    world = await openWorld()
    teach(world.home.dir, 'version: 1\ntools: [{ names: [acme/show], kind: read, level: none, effect: only reads }]\n')
    const { risk, supervision } = await world.gate.explain({ tool: { server: 'acme', name: 'show' }, args: {} })
    expect([risk, supervision]).toEqual(['none', 'confirm'])
  })

  it('L11: lets a function run unasked only if the person’s row says that it reads', async () => {
    world = await openWorld()
    const tool = (name: string, kind: string) => `{ names: [${name}], kind: ${kind}, level: low, effect: works }`
    teach(world.home.dir, `version: 1\ntools: [${tool('frobnicate', 'read')}, ${tool('frobulate', 'write')}]\n`)
    const verdict = async (name: string) =>
      (await world.gate.explain({ tool: name, source: 'custom', args: {} })).supervision
    expect(await verdict('frobnicate')).toBe('automatic')
    expect(await verdict('frobulate')).toBe('confirm')
  })

  it('L2: does not take a call out of reach of a deny about its kind', async () => {
    world = await openWorld({ policy: 'version: 1\nrules: [{ id: no-sends, kind: send, supervision: deny }]\n' })
    teach(
      world.home.dir,
      'version: 1\ntools: [{ names: [send_report], kind: read, level: none, effect: only reads }]\n',
    )
    expect((await world.gate.explain({ tool: 'send_report', source: 'custom', args: {} })).supervision).toBe('deny')
  })
})
