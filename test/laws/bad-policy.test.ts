import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

const GOOD = `version: 1
rules:
  - { id: never, tool: danger, supervision: deny }
  - { id: careful, tool: send_report, supervision: manual, floor: true, reason: the board reads it }
  - { id: free, tool: free_thing, supervision: automatic }
`

/** Ways in which an asker, or a mistake, makes a project's policy invalid. */
const SPOILED: { readonly [what: string]: (folder: string) => void } = {
  'is not YAML': (folder) => writeFileSync(join(folder, 'policy.yaml'), 'version: 1\nrules: [\n'),
  'has an unknown key': (folder) => writeFileSync(join(folder, 'policy.yaml'), 'version: 1\nrulez: 1\n'),
  'is a folder': (folder) => mkdirSync(join(folder, 'policy.yaml')),
  'is too large': (folder) => writeFileSync(join(folder, 'policy.yaml'), '#'.repeat(300_000)),
  'exists as both .yaml and .yml': (folder) => {
    for (const name of ['policy.yaml', 'policy.yml']) writeFileSync(join(folder, name), 'version: 1\n')
  },
}

function spoilProject(spoil: (folder: string) => void): void {
  const folder = join(world.workspace, '.countersign')
  mkdirSync(folder, { recursive: true })
  spoil(folder)
}

async function supervision(gate: World['gate'], tool: string): Promise<string> {
  return (await gate.explain({ tool, args: {} })).verdict.supervision
}

describe('L2 L3: an invalid policy file removes no deny of another file', () => {
  for (const [what, spoil] of Object.entries(SPOILED)) {
    it(`a gate opened while the project’s policy ${what} keeps every deny and makes the rest at least manual`, async () => {
      world = await openWorld({ policy: GOOD })
      spoilProject(spoil)
      const { gate } = await world.another()
      expect(await gate.policyProblems()).toHaveLength(1)
      expect(await supervision(gate, 'danger')).toBe('deny')
      expect(await supervision(gate, 'send_report')).toBe('manual')
      expect(await supervision(gate, 'free_thing')).toBe('manual')
      expect((await gate.explain({ tool: 'send_report', args: {} })).verdict.reasons.join('\n')).toContain('the board')
      await gate.close()
    })

    it(`a gate that is open when the project’s policy ${what} keeps the last valid policy`, async () => {
      world = await openWorld({ policy: GOOD })
      spoilProject(spoil)
      expect(await supervision(world.gate, 'danger')).toBe('deny')
      expect(await world.gate.policyProblems()).toHaveLength(1)
      expect(await supervision(world.gate, 'free_thing')).toBe('automatic')
    })

    it(`a deny that the user adds while the project’s policy ${what} applies at once`, async () => {
      world = await openWorld({ policy: GOOD })
      spoilProject(spoil)
      expect(await supervision(world.gate, 'free_thing')).toBe('automatic')
      writeFileSync(world.home.policy, `${GOOD}never_allow: [free_thing]\n`, { mode: 0o600 })
      expect(await supervision(world.gate, 'free_thing')).toBe('deny')
      writeFileSync(world.home.policy, 'version: 1\npreset: read-only\n', { mode: 0o600 })
      expect(await supervision(world.gate, 'danger')).toBe('deny') // from the last valid policy
      expect(await supervision(world.gate, 'delete_everything')).toBe('deny') // from the preset chosen now
      rmSync(join(world.workspace, '.countersign'), { recursive: true })
      writeFileSync(world.home.policy, GOOD, { mode: 0o600 })
      expect(await supervision(world.gate, 'free_thing')).toBe('automatic')
      expect(await world.gate.policyProblems()).toEqual([])
    })
  }

  it('applies if one of several user files is invalid, and to a preset that denies by risk', async () => {
    world = await openWorld({ policy: `${GOOD}preset: read-only\n` })
    mkdirSync(world.home.policyFolder, { mode: 0o700 })
    writeFileSync(join(world.home.policyFolder, 'more.yaml'), 'version: 1\nrules: none\n', { mode: 0o600 })
    const { gate } = await world.another()
    expect(await supervision(gate, 'danger')).toBe('deny')
    expect(await supervision(gate, 'delete_everything')).toBe('deny')
    expect(await supervision(gate, 'free_thing')).toBe('manual')
    await gate.close()
  })

  it('does not tighten the last valid policy by the preset of an unreadable file', async () => {
    world = await openWorld({ policy: `${GOOD}preset: permissive\n` })
    const before = await supervision(world.gate, 'update_note')
    writeFileSync(world.home.policy, `${GOOD}preset: permisive\n`, { mode: 0o600 })
    expect(await supervision(world.gate, 'update_note')).toBe(before)
    expect(await world.gate.policyProblems()).toHaveLength(1)
  })

  it('is reported before any call is judged, and gone as soon as it is fixed', async () => {
    world = await openWorld({ policy: GOOD })
    writeFileSync(world.home.policy, 'version: 1\nrules: none\n', { mode: 0o600 })
    expect(await world.gate.policyProblems()).toHaveLength(1)
    writeFileSync(world.home.policy, GOOD, { mode: 0o600 })
    expect(await world.gate.policyProblems()).toEqual([])
  })

  it('journals a problem once, regardless of the number of calls', async () => {
    world = await openWorld({ policy: GOOD })
    spoilProject((folder) => mkdirSync(join(folder, 'policy.yaml')))
    for (let call = 0; call < 3; call += 1) await supervision(world.gate, 'danger')
    expect((await world.entries()).filter(({ kind }) => kind === 'policy-refused')).toHaveLength(1)
  })
})
