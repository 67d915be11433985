import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Home, openGate, openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OVERRIDES, type ToolChange, toolChange } from '../../packages/web/src/tools/policy-override.ts'

const TOOL = 'tracker/create_issue'

/** Typical policies without and with a `tools:` section. */
const BARE = 'version: 1\npreset: balanced\nrules:\n  - { id: mine, tool: deploy, supervision: manual }\n'
const WITH_TOOLS = `${BARE}tools:\n  "look": automatic\nlimits: { calls: 200/h }\n`

/** The verdict of a gate in this home on the tool, and its policy problems. */
async function said(root: string, home: Home): Promise<{ problems: readonly unknown[]; supervision: string }> {
  const workspace = join(root, 'project')
  mkdirSync(workspace)
  const managed = { folder: join(root, 'managed'), owner: process.getuid?.() ?? 0 }
  const { gate } = await openGate({ home, workspace, managed })
  onTestFinished(() => gate.close())
  const call = { tool: { name: 'create_issue', server: 'tracker' }, args: { title: 'x' }, source: 'mcp' } as const
  const { verdict } = await gate.explain(call)
  return { problems: gate.policyProblems(), supervision: verdict.supervision }
}

/** How a person applies the change to each kind of file. */
const BY_HAND: Readonly<Record<string, (change: ToolChange) => string>> = {
  'no file': ({ file }) => file,
  'a file without `tools:`': ({ section }) => BARE + section,
  'a file with `tools:`': ({ line }) => WITH_TOOLS.replace('tools:\n', `tools:\n${line}`),
}

describe('the policy change that the page suggests', () => {
  describe.each(OVERRIDES)('to %s', (wanted) => {
    it.each(Object.keys(BY_HAND))('is valid and effective when applied by hand to %s', async (where) => {
      const root = temporaryFolder()
      const home = openHome(join(root, 'home'))
      const change = toolChange(TOOL, wanted, home.policy)
      if (change === null) return expect.unreachable()
      writeFileSync(home.policy, BY_HAND[where]?.(change) ?? '', { mode: 0o600 })
      expect(await said(root, home)).toEqual({ problems: [], supervision: wanted })
    })

    it.each(['', BARE, WITH_TOOLS])('is valid and effective when run as a command beside %j', async (policy) => {
      const root = temporaryFolder()
      const home = openHome(join(root, 'home'))
      if (policy !== '') writeFileSync(home.policy, policy, { mode: 0o600 })
      const command = toolChange(TOOL, wanted, home.policy)?.command ?? 'false'
      execFileSync('sh', ['-c', `umask 077; countersign() { :; }; ${command}`], { timeout: 60_000 })
      expect(await said(root, home)).toEqual({ problems: [], supervision: wanted })
    })
  })

  it('is invalid if the whole file is appended to an existing one', async () => {
    const root = temporaryFolder()
    const home = openHome(join(root, 'home'))
    const change = toolChange(TOOL, 'deny', home.policy)
    writeFileSync(home.policy, BARE + (change?.file ?? ''), { mode: 0o600 })
    expect((await said(root, home)).problems).not.toEqual([])
  })
})
