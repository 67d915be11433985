import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { enrol, INSIDE, openApprover, openHome, resealApprover } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

interface Found {
  readonly tier: string
  readonly checks: readonly {
    readonly name: string
    readonly holds?: boolean
    readonly words: string
    readonly fix?: string
  }[]
  readonly missing: readonly string[]
}

function newHome() {
  const cwd = temporaryFolder()
  const home = join(cwd, 'home')
  mkdirSync(home, { mode: 0o700 })
  return { cwd, home }
}

describe('countersign doctor', () => {
  it('proves at most T1 for the account that decides, and reports what is missing', async () => {
    const at = newHome()
    const found = (await runInProcess(['doctor', '--json'], at)).json() as Found
    expect(found).toMatchObject({ tier: 'T1', as: 'owner' })
    expect(found.missing).toEqual([
      expect.stringMatching(/^T2: .*--socket <path> --group <group>/),
      expect.stringMatching(
        /^T3: a high-risk call could be approved without a passkey.*; set `defaults: \{ passkey: high \}`/,
      ),
      expect.stringMatching(/^T3: no passkey is enrolled; run `countersign approvers add`/),
    ])
    expect((await runInProcess(['doctor'], at)).stdout).toContain('T1: same user, separate process')
  })

  it('fails if the required tier is not reached', async () => {
    const at = newHome()
    expect((await runInProcess(['doctor', '--at-least', 'T1'], at)).code).toBe(0)
    expect((await runInProcess(['doctor', '--at-least', 'T2'], at)).code).toBe(1)
  })

  it('proves that a passkey is required, and looks for one', async () => {
    const at = newHome()
    writeFileSync(join(at.home, 'policy.yaml'), 'version: 1\ndefaults: { passkey: high }\n', { mode: 0o600 })
    const passkey = async () =>
      ((await runInProcess(['doctor', '--json'], at)).json() as Found).checks.filter(({ name }) =>
        name.startsWith('passkey'),
      )
    expect(await passkey()).toMatchObject([{ holds: true, words: expect.stringMatching(/^tested/) }, { holds: false }])
    enrol(openHome(at.home), {
      id: '6e340b9cffb37a98',
      name: 'ana',
      kind: 'passkey',
      publicKey: 'AA==',
      passkey: { credential: 'x', site: 'localhost', origins: ['http://localhost:4180'] },
    })
    expect(await passkey()).toMatchObject([{ holds: true }, { holds: true, words: 'one passkey is enrolled' }])
    expect((await runInProcess(['held', '--json'], at)).json()).toEqual([])
    expect((await runInProcess(['history', '--json'], at)).json()).toEqual([])
  })

  it('reports a store that does not open or a refused policy, and fails', async () => {
    const refused = newHome()
    writeFileSync(join(refused.home, 'policy.yaml'), 'version: 1\nnonsense: 1\n', { mode: 0o600 })
    const policy = await runInProcess(['doctor'], refused)
    expect(policy.code).toBe(1)
    expect(policy.stdout).toContain('✓ the store opens\n✗ the policy is invalid, every call is held: ')
    expect(policy.stdout).toContain('policy lint')
    const broken = newHome()
    writeFileSync(join(broken.home, 'store.db'), 'no database'.repeat(400), { mode: 0o600 })
    const store = await runInProcess(['doctor'], broken)
    expect(store.code).toBe(1)
    expect(store.stdout).toContain('✗ can’t open the store, no call can run: ')
  })

  it('reports whether the local key is sealed, and what to do', async () => {
    const at = newHome()
    const key = async () =>
      ((await runInProcess(['doctor', '--json'], at)).json() as Found).checks.find(({ name }) => name === 'key')
    expect(await key()).not.toHaveProperty('holds')
    openApprover(openHome(at.home), { name: 'ana' })
    expect(await key()).toMatchObject({ holds: false, fix: 'run `countersign approvers seal`' })
    resealApprover(openHome(at.home), { next: 'correct horse' })
    expect(await key()).toMatchObject({ holds: true })
  })

  it('suggests a fix for every failed check', async () => {
    const { home, service, workspace } = await openServiceWorld()
    const at = { cwd: workspace, home: home.dir }
    for (const flags of [[], ['--socket', service.socket, '--url', service.url]]) {
      const { checks } = (await runInProcess(['doctor', '--json', ...flags], at)).json() as Found
      expect(checks.filter(({ holds, fix }) => holds === false && fix === undefined)).toEqual([])
    }
    const { stdout } = await runInProcess(['doctor'], at)
    expect(stdout).toContain('✗ the local approver key')
    expect(stdout).toContain('  → run `countersign approvers seal`')
  })

  it('tests as an asker, and reports how a process of the same account gets through', async () => {
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

  it('proves nothing about a home that is not the gate’s: absent, empty, or another user’s (A3)', async () => {
    const { service, workspace } = await openServiceWorld()
    const other = await openServiceWorld()
    const [absent, empty, file] = ['absent', 'empty', 'file'].map((name) => join(workspace, name))
    mkdirSync(empty ?? '', { mode: 0o000 })
    writeFileSync(file ?? '', '')
    for (const home of [absent, empty, file, join(absent ?? '', 'deeper'), other.home.dir]) {
      const ran = await runInProcess(['doctor', '--json', '--socket', service.socket, '--at-least', 'T2'], {
        cwd: workspace,
        home: home ?? '',
      })
      expect({ home, code: ran.code }).toEqual({ home, code: 1 })
      const found = ran.json() as Found
      expect(found.tier).toBe('T1')
      expect(found.checks.find(({ name }) => name === 'home')).not.toHaveProperty('holds')
      expect(found.missing).toContainEqual(
        expect.stringMatching(/^T2: the gate that answered does not use the home .*; run/),
      )
    }
  })

  it('counts untested attacks as possible', async () => {
    const { service, workspace } = await openServiceWorld()
    const at = { cwd: workspace, home: join(workspace, 'absent') }
    const { checks, missing } = (
      await runInProcess(['doctor', '--json', '--socket', service.socket, '--url', 'http://127.0.0.1:1'], at)
    ).json() as Found
    const open = checks.filter(({ holds }) => holds === undefined).map(({ name }) => name)
    expect(open).toEqual(expect.arrayContaining(['home', 'read', 'write', 'make', 'control', 'deciding']))
    expect(missing.filter((words) => /could not test .*\(ENOENT\)/.test(words)).length).toBeGreaterThan(8)
  })

  it('reports that a user who owns the socket can replace it', async () => {
    const { home, service, workspace } = await openServiceWorld()
    const found = (
      await runInProcess(['doctor', '--json', '--socket', service.socket], { cwd: workspace, home: home.dir })
    ).json() as Found
    expect(found.missing).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^T2: the agents’ socket can be replaced: this user owns .*asking\.sock; keep it in/),
        expect.stringMatching(/^T2: the home can be replaced: this user owns/),
      ]),
    )
  })

  it('needs the home to test, and prints the full command for the owner', async () => {
    const path = join(temporaryFolder(), 'asking.sock')
    const { home, service, workspace } = await openServiceWorld({ socket: { path, group: process.getgid?.() ?? 0 } })
    const absent = await runInProcess(['doctor', '--socket', service.socket], { cwd: workspace })
    expect(absent.stderr).toMatch(/`--socket` needs `--home`.*\[CS_USAGE\]/)
    const { missing } = (await runInProcess(['doctor', '--json'], { cwd: workspace, home: home.dir })).json() as Found
    expect(missing[0]).toContain(`\`countersign doctor --home ${home.dir} --socket ${path}\` as that user`)
  })

  it('refuses a path that is not a socket, and reports a socket without a service', async () => {
    const at = newHome()
    writeFileSync(join(at.cwd, 'file'), '')
    expect((await runInProcess(['doctor', '--socket', 'file'], at)).stderr).toMatch(/is not a socket.*\[CS_USAGE\]/)
    const { checks } = (await runInProcess(['doctor', '--json', '--socket', 'none.sock'], at)).json() as Found
    expect(checks[0]).toMatchObject({
      name: 'asking',
      holds: false,
      words: expect.stringContaining('can’t reach'),
    })
  })

  it('reports T0 inside a gated call', async () => {
    const at = { ...newHome(), env: { [INSIDE]: '1' } }
    const found = (await runInProcess(['doctor', '--json'], at)).json() as Found
    expect(found).toMatchObject({ tier: 'T0', as: 'owner' })
    expect(found.checks.find(({ name }) => name === 'apart')).toMatchObject({ holds: false })
  })

  it('warns about a terminal that others can type into', async () => {
    const terminal = async (env: Record<string, string>) =>
      ((await runInProcess(['doctor', '--json'], { ...newHome(), env })).json() as Found).checks.find(
        ({ name }) => name === 'terminal',
      )
    expect(await terminal({})).toMatchObject({ holds: true })
    expect(await terminal({ TMUX: '/tmp/x' })).toMatchObject({ holds: false, fix: expect.any(String) })
  })
})
