import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { enrol, openHome } from '@countersign/node'
import { type ServiceOptions, startService } from '@countersign/server'
import { runNode } from '@countersign/testing/command/run-node'
import { spawnCli } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

const NOBODY = 65_534
const DOCTOR = new URL('../../packages/cli/src/doctor/', import.meta.url).href
const AS_NOBODY = `
const { actingAs } = await import('${DOCTOR}root-checks.ts')
const { diagnoseAsAsker } = await import('${DOCTOR}agent-checks.ts')
const [home, socket] = process.argv.slice(-2)
const nobody = { uid: ${NOBODY}, gid: ${NOBODY}, groups: [${NOBODY}] }
console.log(JSON.stringify(await actingAs(nobody, () => diagnoseAsAsker({ home, socket }, { env: {} }))))`
const isRoot = process.getuid?.() === 0

interface Found {
  readonly tier: string
  readonly missing: readonly string[]
}

/** A gate that belongs to root, with askers in nobody's group. */
async function gate(policy: string, more: Partial<ServiceOptions> = {}) {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const home = openHome(join(folder, 'home'))
  const workspace = join(folder, 'project')
  mkdirSync(workspace)
  writeFileSync(home.policy, `version: 1\n${policy}\n`, { mode: 0o600 })
  const socket = join(folder, 'asking.sock')
  const service = await startService({
    home,
    version: '0.1.0',
    port: 0,
    socket: { path: socket, group: NOBODY },
    ...more,
  })
  onTestFinished(() => service.stop())
  async function doctor(...flags: readonly string[]) {
    const argv = ['doctor', '--home', home.dir, '--socket', socket, '--json', ...flags]
    const { stdout, stderr, code } = await spawnCli(argv, workspace)
    return { code, stderr, ...(stdout === '' ? {} : (JSON.parse(stdout) as Found)) }
  }
  /** Only the asker's tests, of any home, as nobody. */
  const asNobody = async (of: string) => JSON.parse(await runNode(AS_NOBODY, [of, socket])) as Found
  return { folder, home, doctor, asNobody }
}

describe.skipIf(!isRoot)(
  `doctor as another user${isRoot ? '' : ': NOT RUN, needs root'}`,
  {
    timeout: 60_000,
  },
  () => {
    it('proves T2, then T3 with a required and enrolled passkey, and never reports a higher tier than proven', async () => {
      const { home, doctor } = await gate('defaults: { passkey: high }')
      expect(await doctor('--as', String(NOBODY))).toMatchObject({
        tier: 'T2',
        as: 'both',
        missing: [expect.stringMatching(/^T3: no passkey is enrolled/)],
      })
      enrol(home, {
        id: '6e340b9cffb37a98',
        name: 'ana',
        kind: 'passkey',
        publicKey: 'AA==',
        passkey: { credential: 'x', site: 'localhost', origins: ['http://localhost:4180'] },
      })
      expect(await doctor('--as', String(NOBODY), '--at-least', 'T3')).toMatchObject({
        code: 0,
        tier: 'T3',
        missing: [],
      })
      expect(await doctor()).toMatchObject({ tier: 'T1', as: 'asker' })
      expect(await doctor('--as', 'root', '--at-least', 'T2')).toMatchObject({ code: 1, tier: 'T1' })
    })

    it('reports T1 if that user has access, and T2 if no policy requires a passkey', async () => {
      const { home, doctor } = await gate('preset: balanced')
      expect(await doctor('--as', String(NOBODY))).toMatchObject({ tier: 'T2' })
      chmodSync(home.dir, 0o755)
      chmodSync(home.policy, 0o644)
      expect(await doctor('--as', String(NOBODY))).toMatchObject({
        tier: 'T1',
        missing: expect.arrayContaining([
          expect.stringMatching(/^T2: this user can read .*policy\.yaml; deny that user access/),
        ]),
      })
    })

    it('reports T1 for a home of another gate, one that user cannot read, or a missing one', async () => {
      const { folder, home: its, asNobody } = await gate('preset: balanced')
      const other = openHome(join(folder, 'other'))
      expect(await asNobody(its.dir)).toMatchObject({ tier: 'T2' })
      for (const home of [other.dir, join(other.dir, 'deeper')])
        expect(await asNobody(home), home).toMatchObject({
          tier: 'T1',
          missing: expect.arrayContaining([expect.stringMatching(/^T2: the gate that answered does not use the home/)]),
        })
      expect(await asNobody(join(folder, 'none'))).toMatchObject({
        tier: 'T1',
        missing: expect.arrayContaining([expect.stringMatching(/could not test .*none.*\(ENOENT\)/)]),
      })
    })

    it.each([
      [
        'its folder is writable by everyone',
        0o777,
        0,
        /^T2: the agents’ socket can be replaced: this user can write in/,
      ],
      [
        'its folder is writable by that user’s group',
        0o775,
        NOBODY,
        /^T2: the agents’ socket can be replaced: this user can write/,
      ],
    ])('reports T1 if that user can replace the socket: %s', async (_, mode, group, words) => {
      const { folder, home, asNobody } = await gate('preset: balanced')
      chownSync(folder, 0, group)
      chmodSync(folder, mode)
      const found = await asNobody(home.dir)
      chmodSync(folder, 0o755)
      expect(found).toMatchObject({
        tier: 'T1',
        missing: expect.arrayContaining([expect.stringMatching(words)]),
      })
    })

    it.each([
      [
        'owns the script',
        (script: string) => chownSync(script, NOBODY, NOBODY),
        /program.*owns .*script\.js|script\.js can be/,
      ],
      ['can write the script', (script: string) => chmodSync(script, 0o666), /can write .*script\.js/],
      [
        'owns a folder of the package',
        (script: string) => chownSync(dirname(script), NOBODY, NOBODY),
        /owns .*package/,
      ],
      ['can write above the package', (script: string) => chmodSync(dirname(dirname(script)), 0o777), /can write in/],
    ])('reports T1 if that user %s that runs the gate', async (_, open, words) => {
      const root = temporaryFolder()
      chmodSync(root, 0o755)
      const script = join(root, 'package', 'script.js')
      mkdirSync(dirname(script))
      writeFileSync(script, '', { mode: 0o644 })
      const { home, asNobody } = await gate('preset: balanced', { program: [process.execPath, join(root, 'package')] })
      expect(await asNobody(home.dir)).toMatchObject({ tier: 'T2' })
      open(script)
      expect(await asNobody(home.dir)).toMatchObject({
        tier: 'T1',
        missing: expect.arrayContaining([expect.stringMatching(words)]),
      })
    })

    it('takes the workspace that the service is limited to', async () => {
      const workspace = temporaryFolder()
      chmodSync(workspace, 0o755)
      const { home, doctor, asNobody } = await gate('preset: balanced', { workspaces: [workspace] })
      expect(await doctor('--as', String(NOBODY))).toMatchObject({ tier: 'T2' })
      expect(await asNobody(home.dir)).toMatchObject({
        tier: 'T1',
        missing: expect.arrayContaining([
          expect.stringMatching(/^T2: the service does not accept \/tmp; .*--workspace/),
        ]),
      })
    })

    it('refuses an unknown user, and `--as` without a socket', async () => {
      const { doctor } = await gate('preset: balanced')
      expect((await doctor('--as', 'nobody-at-all')).stderr).toContain('no user `nobody-at-all`')
      expect((await spawnCli(['doctor', '--as', 'nobody'], '/')).stderr).toContain('`--as` needs `--socket`')
    })
  },
)
