import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { calling, openScene } from '../../loop/fixture.mts'
import { BUILTIN_TOOLS } from '../builtin-tools.ts'

const POLICY = `
version: 1
rules:
  - id: plans
    tool: read_file
    path: ['**/plans/**']
    supervision: deny
`

describe('search behind the gate', () => {
  it('returns no line of keys, of secrets or of files the policy denies (L2)', async () => {
    const pattern = 'NEEDLE|key|seed|"'
    const { agent, world, told } = await openScene(
      calling([
        ['search', { pattern, regex: true }],
        ['search', { pattern, regex: true, path: '..' }],
      ]),
      { tools: BUILTIN_TOOLS, policy: POLICY },
    )
    mkdirSync(join(world.workspace, 'plans'))
    world.file('.env', 'NEEDLE=1\n')
    world.file('plans/a.txt', 'NEEDLE of a plan\n')
    world.file('open.txt', 'NEEDLE for all\n')
    symlinkSync(world.home.dir, join(world.workspace, 'home'))
    await agent.say('find it')
    expect(await world.held()).toEqual([])
    expect(told().slice(1)).toEqual(
      [2, 3].map(
        (count) => `open.txt:1: NEEDLE for all\n[${count} files or folders left out; read_file asks for what it needs]`,
      ),
    )
    for (const key of readdirSync(world.home.keys)) {
      const call = { tool: 'read_file', source: 'builtin' as const, args: { path: join(world.home.keys, key) } }
      expect(await world.gate.isConfirmationRequired(call), key).toBe(true)
    }
  })
})
