import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

const POLICY = `version: 1
rules:
  - { id: tests, command: { program: npm, verb: test }, unless: { risk: { at_least: critical } }, supervision: automatic, up_to: high }
  - { id: push, command: { program: git, verb: push }, supervision: deny }
  - { id: writes, kind: write, supervision: confirm, floor: true }
`

function place(policy: string | null = POLICY) {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  const file = join(at.cwd, '.countersign', 'policy.yaml')
  mkdirSync(join(at.cwd, '.countersign'), { recursive: true })
  mkdirSync(at.home, { mode: 0o700 })
  if (policy !== null) writeFileSync(file, policy)
  const run = (line: string, more = {}) => runInProcess(line.split(' '), { ...at, ...more })
  return {
    ...at,
    file,
    run,
    digest: async () => ((await run('trust --json')).json() as { digest: string }).digest,
    /** The rule that allows the tests to run, whether or not a sandbox works here. */
    verdict: async () => {
      const { units } = (await run('policy explain --json -- npm test')).json() as {
        units: readonly { decidedBy: { id: string } }[]
      }
      return units[0]?.decidedBy.id
    },
  }
}

describe('countersign trust', () => {
  it('shows every rule that would loosen, in full, and the rules that already apply', async () => {
    const { run, digest } = place()
    const { stdout } = await run('trust')
    expect(stdout).toContain('If trusted, 1 rule can loosen your preset:')
    expect(stdout).toContain('  automatic, up to risk high: tests (.countersign/policy.yaml:3)')
    expect(stdout).toContain('    when {"command":{"program":["npm"],"verb":["test"]}}')
    expect(stdout).toContain('    unless {"risk":{"at_least":"critical"}}')
    expect(stdout).toContain('2 rules can only tighten, and already apply.')
    expect(stdout).toContain(await digest())
  })

  it('shows the programs that would run', async () => {
    const { run } = place(`${POLICY}checkers: { ticket: { run: [~/bin/ticket, --strict] } }\n`)
    const { stdout } = await run('trust')
    expect(stdout).toContain('If trusted, these checker programs run as you:')
    expect(stdout).toContain('  ticket: ~/bin/ticket --strict (.countersign/policy.yaml:6)')
  })

  it('trusts nothing without a terminal and without the hash', async () => {
    const { run, verdict } = place()
    const { stderr, code } = await run('trust')
    expect(stderr).toContain('[CS_NO_INTERFACE]')
    expect(code).toBe(125)
    expect(await verdict()).not.toBe('tests')
  })

  it('trusts if a person types the start of the hash', async () => {
    const { run, digest, verdict } = place()
    const { stderr } = await run('trust', { columns: 80, input: `${(await digest()).slice(0, 8)}\n` })
    expect(stderr).toContain('trusted; any change needs to be trusted again')
    expect(await verdict()).toBe('tests')
  })

  it.each(['\n', 'y\n', 'yes\n', ''])('does not trust if the answer is %j', async (input) => {
    const { run, verdict } = place()
    const { stderr } = await run('trust', { columns: 80, input })
    expect(stderr).toContain('not trusted')
    expect(await verdict()).not.toBe('tests')
  })

  it('trusts by the full hash, and pins exactly that content', async () => {
    const { run, digest, verdict, file } = place()
    const hash = await digest()
    expect((await run(`trust --yes ${hash.slice(0, 8)}`)).stderr).toContain('[CS_STALE]')
    expect((await run(`trust --yes ${hash} --json`)).json()).toMatchObject({ trusted: true, digest: hash })
    expect(await verdict()).toBe('tests')
    expect((await run('trust --yes x')).stderr).toBe('already trusted\n')
    writeFileSync(file, `${POLICY}# one more line\n`)
    expect(await verdict()).not.toBe('tests')
    expect((await run(`trust --yes ${hash}`)).stderr).toContain('[CS_STALE]')
    expect((await run('trust --list --json')).json()).toMatchObject([{ digest: hash, state: 'changed' }])
  })

  it('revokes trust, also of a deleted project', async () => {
    const { run, digest, verdict, cwd, home } = place()
    await run(`trust --yes ${await digest()}`)
    expect((await run('trust --untrust')).stderr).toContain('no longer trusted')
    expect(await verdict()).not.toBe('tests')
    expect((await run('trust --untrust --json')).json()).toMatchObject({ untrusted: false })
    await run(`trust --yes ${await digest()}`)
    rmSync(cwd, { recursive: true })
    expect((await run('trust --list', { cwd: home })).stdout).toMatch(/gone/)
    expect((await run(`trust --untrust ${cwd}`, { cwd: home })).stderr).toContain('no longer trusted')
    expect((await run('trust --list', { cwd: home })).stderr).toBe('no trusted projects\n')
  })

  it('records both in the journal, with the hash', async () => {
    const { run, digest } = place()
    const hash = await digest()
    await run(`trust --yes ${hash}`)
    await run('trust --untrust')
    const entries = (await run('journal tail --json')).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(entries).toMatchObject([
      { kind: 'trusted', digest: hash },
      { kind: 'untrusted', digest: hash },
    ])
    expect((await run('journal verify --json')).json()).toMatchObject({ kind: 'intact', keptTo: 2 })
  })

  it('refuses a policy with problems, and a missing one', async () => {
    const broken = place('version: 1\nrules:\n  - { tol: x }\n')
    const { stdout, code } = await broken.run(`trust --yes ${'0'.repeat(64)}`)
    expect(stdout).toContain('policy.yaml:3:')
    expect(code).toBe(1)
    expect((await place(null).run('trust')).stderr).toContain('nothing to trust')
  })

  it('escapes a policy that contains terminal sequences', async () => {
    const { run } = place('version: 1\nrules:\n  - { tool: "a\\eb\\rc", supervision: automatic }\n')
    const { stdout } = await run('trust')
    expect(stdout).not.toMatch(/[\x1b\r]/)
  })

  it('accepts one action at a time', async () => {
    expect((await place().run('trust --list --untrust')).stderr).toContain('use only one of')
  })

  it('does not change a project’s own files', async () => {
    const { run, digest, file } = place()
    await run(`trust --yes ${await digest()}`)
    expect(readFileSync(file, 'utf8')).toBe(POLICY)
  })
})
