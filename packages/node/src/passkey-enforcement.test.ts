import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { enrol } from './approvers/approver-registry.ts'
import { type Home, openHome } from './home/home.ts'
import { provePasskey } from './passkey-enforcement.ts'
import { trustProject } from './policy/project-trust.ts'

function homeWith(policy: string): Home {
  const home = openHome(join(temporaryFolder(), 'home'))
  writeFileSync(home.policy, `version: 1\n${policy}\n`, { mode: 0o600 })
  return home
}

const DEMAND = 'defaults: { passkey: high }'

describe('enforcement of passkeys for high-risk approvals', () => {
  it.each([
    ['is proven if the policy requires them', DEMAND, true, /in 3 kinds of workspace/],
    ['is proven if the policy requires them and denies', `preset: read-only\n${DEMAND}`, true, /tested/],
    ['is proven if all high-risk calls are denied, with or without a bad file', 'preset: read-only', true, /tested/],
    [
      'is not proven if nothing requires them',
      'preset: balanced',
      false,
      /a high-risk call could be approved without a passkey/,
    ],
    [
      'is not proven if only critical requires them',
      'defaults: { passkey: critical }',
      false,
      /high-risk call could be approved/,
    ],
    [
      'is not proven if high-risk calls run without asking',
      `${DEMAND}\nrules:\n  - { id: go, tool: "*", supervision: automatic, up_to: critical }`,
      false,
      /run without approval/,
    ],
  ])('%s', async (_, policy, holds, words) => {
    const { demanded } = await provePasskey(homeWith(policy))
    expect(demanded).toEqual({ holds, words: expect.stringMatching(words) })
  })

  it('is tested in every trusted project', async () => {
    const home = homeWith(DEMAND)
    const workspace = temporaryFolder()
    mkdirSync(join(workspace, '.countersign'))
    writeFileSync(
      join(workspace, '.countersign', 'policy.yaml'),
      'version: 1\nrules:\n  - { id: go, command: { program: git }, supervision: automatic, up_to: high }\n',
    )
    expect((await provePasskey(home)).demanded.holds).toBe(true)
    trustProject(home, workspace)
    expect((await provePasskey(home)).demanded).toEqual({
      holds: false,
      words: expect.stringContaining(`run without approval, in the trusted project \`${workspace}\``),
    })
  })

  it('leaves nothing in the home, and counts the passkeys there', async () => {
    const home = homeWith(DEMAND)
    expect((await provePasskey(home)).enrolled).toEqual({ holds: false, words: 'no passkey is enrolled' })
    enrol(home, {
      id: '6e340b9cffb37a98',
      name: 'ana',
      kind: 'passkey',
      publicKey: 'AA==',
      passkey: { credential: 'x', site: 'localhost', origins: ['http://localhost:4180'] },
    })
    expect((await provePasskey(home)).enrolled).toEqual({ holds: true, words: 'one passkey is enrolled' })
  })
})
