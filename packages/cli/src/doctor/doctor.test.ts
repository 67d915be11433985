import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { enrol, openHome } from '@countersign/node'
import { describe, expect, it } from 'vitest'
import { runInProcess } from '../../../../test/support/run-in-process.ts'
import { openServiceWorld } from '../../../../test/support/service.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'

interface Found {
  readonly tier: string
  readonly checks: readonly { readonly name: string; readonly holds?: boolean; readonly words: string }[]
  readonly missing: readonly string[]
}

function newHome() {
  const cwd = temporaryFolder()
  const home = join(cwd, 'home')
  mkdirSync(home, { mode: 0o700 })
  return { cwd, home }
}

describe('countersign doctor', () => {
  it('proves T1 at most to the one who decides, and says what is missing', async () => {
    const at = newHome()
    const found = (await runInProcess(['doctor', '--json'], at)).json() as Found
    expect(found).toMatchObject({ tier: 'T1', as: 'owner' })
    expect(found.missing).toEqual([
      expect.stringMatching(/^T2: .*--socket <path> --group <group>/),
      expect.stringMatching(/^T3: no policy demands a passkey/),
    ])
    expect((await runInProcess(['doctor'], at)).stdout).toContain('T1: same user, other process')
  })

  it('fails where more is asked for than holds', async () => {
    const at = newHome()
    expect((await runInProcess(['doctor', '--at-least', 'T1'], at)).code).toBe(0)
    expect((await runInProcess(['doctor', '--at-least', 'T2'], at)).code).toBe(1)
  })

  it('looks for the passkey where policy demands one', async () => {
    const at = newHome()
    writeFileSync(join(at.home, 'policy.yaml'), 'version: 1\ndefaults: { passkey: high }\n', { mode: 0o600 })
    const passkey = async () =>
      ((await runInProcess(['doctor', '--json'], at)).json() as Found).checks.find(({ name }) => name === 'passkey')
    expect(await passkey()).toMatchObject({ holds: false, words: expect.stringContaining('none is enrolled') })
    enrol(openHome(at.home), {
      id: '6e340b9cffb37a98',
      name: 'ana',
      kind: 'passkey',
      publicKey: 'AA==',
      passkey: { credential: 'x', site: 'localhost', origins: ['http://localhost:4180'] },
    })
    expect(await passkey()).toMatchObject({ holds: true })
  })

  it('tries as an asker, and says by what a user of the same account gets through', async () => {
    const { home, service, workspace } = await openServiceWorld()
    const at = { cwd: workspace, home: home.dir }
    const found = (
      await runInProcess(['doctor', '--json', '--socket', service.socket, '--url', service.url], at)
    ).json() as Found
    expect(found).toMatchObject({ tier: 'T1', as: 'asker' })
    expect(found.checks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'asking', holds: true }),
        expect.objectContaining({ name: 'control', holds: false }),
        expect.objectContaining({ name: 'read', holds: false }),
        expect.objectContaining({ name: 'deciding', holds: true }),
      ]),
    )
  })
})
