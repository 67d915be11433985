import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openGate, openHome, readStoreSetting } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { spawnCli, startCli } from '@countersign/testing/command/spawn-cli'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { startPostgres, usePostgres } from '@countersign/testing/postgres/server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const POLICY = 'version: 1\nrules:\n  - { tool: jot, supervision: automatic }\n'

describe.skipIf(missingPostgres())('countersign store', () => {
  const server = usePostgres()

  function place() {
    const cwd = temporaryFolder()
    const home = join(cwd, 'home')
    const { policy } = openHome(home)
    writeFileSync(policy, POLICY, { mode: 0o600 })
    const run = (...words: readonly string[]) => runInProcess(words, { cwd, home })
    return { cwd, home, run, address: server.freshAddress() }
  }

  it('creates the tables, sets the home, and every command uses them', async () => {
    const { cwd, home, run, address } = place()
    expect((await run('store', 'check')).stdout).toContain('store.db (SQLite)')
    expect(await run('store', 'use', address)).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('countersign store migrate'),
    })
    expect((await run('store', 'migrate', address)).stdout).toContain('created the tables')
    expect((await run('store', 'migrate', address)).stdout).toContain('up to date')
    expect((await run('store', 'use', address)).stdout).toContain('now uses this store')
    expect(readStoreSetting(openHome(home))).toBe(address)
    const { gate } = await openGate({ home, workspace: cwd })
    expect((await gate.run({ tool: 'jot', args: {} }, () => 'ran')).kind).toBe('completed')
    await gate.close()
    expect((await run('journal', 'verify')).code).toBe(0)
    expect((await run('history')).stdout).toContain('jot')
    const checked = JSON.parse((await run('store', 'check', '--json')).stdout)
    expect(checked).toMatchObject({ version: 2, entries: expect.any(Number) })
    expect(checked.entries).toBeGreaterThan(2)
    expect(checked.server).toMatchObject({ replication: 'none', standbys: 0 })
    expect((await run('store', 'check')).stdout).toContain('no standby server')
    const { checks } = JSON.parse((await run('doctor', '--json')).stdout)
    expect(checks).toContainEqual({ name: 'replication', holds: true, words: 'no standby server' })
    expect(checks).toContainEqual(expect.objectContaining({ name: 'clock', holds: true }))
    expect(checked.clock).toMatchObject({ kind: 'close', jumpedMs: 0 })
  })

  it('keeps the store of a home that has a journal', async () => {
    const { cwd, home, run, address } = place()
    await run('store', 'migrate', address)
    const { gate } = await openGate({ home, workspace: cwd })
    await gate.run({ tool: 'jot', args: {} }, () => 'ran')
    await gate.close()
    expect((await run('store', 'use', address)).stderr).toContain('run `countersign store copy`')
    expect((await run('serve', '--port', '0', '--store', address)).stderr).toContain('run `countersign store copy`')
    expect(readStoreSetting(openHome(home))).toBeNull()
  })

  it('takes another address of the same store, and none of another store', async () => {
    const { cwd, home, run, address } = place()
    await run('store', 'migrate', address)
    await run('store', 'use', address)
    const { gate } = await openGate({ home, workspace: cwd })
    await gate.run({ tool: 'jot', args: {} }, () => 'ran')
    await gate.close()
    const failover = `${address}&target_session_attrs=read-write`
    expect(await run('store', 'use', failover)).toMatchObject({ code: 0, stdout: expect.stringContaining('now uses') })
    expect(readStoreSetting(openHome(home))).toBe(failover)
    expect((await run('journal', 'verify')).code).toBe(0)

    const other = server.freshAddress()
    await run('store', 'migrate', other)
    expect((await run('store', 'use', other)).stderr).toContain('run `countersign store copy`')
    const copy = await startPostgres({ standbyOf: server })
    onTestFinished(() => copy.stop())
    const elsewhere = address.replaceAll(encodeURIComponent(server.folder), encodeURIComponent(copy.folder))
    expect(elsewhere).not.toBe(address)
    expect((await run('store', 'use', elsewhere)).code).toBe(125)
    expect(readStoreSetting(openHome(home))).toBe(failover)
  })

  it('tells what to do about a wrong address', async () => {
    const { run } = place()
    expect((await run('store', 'check', 'postgres://gate@/x')).stderr).toContain('it needs a host')
    expect((await run('store', 'migrate')).stderr).toContain('pass an address')
    expect((await run('store', 'use', 'mysql://x')).stderr).toContain('it must look like')
  })

  it('warns where a failover can lose what was confirmed', async () => {
    const { run, address } = place()
    await run('store', 'migrate', address)
    await run('store', 'use', address)
    const standby = await startPostgres({ standbyOf: server })
    onTestFinished(() => standby.stop())
    const warned = () =>
      run('store', 'check').then(({ stderr }) => stderr.includes('asynchronous replication, 1 standby'))
    await until('the standby', warned)
    const { checks } = JSON.parse((await run('doctor', '--json')).stdout)
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'replication', holds: false, fix: expect.stringContaining('synchronous') }),
    )
  })

  it('is where a service keeps its calls', async () => {
    const { cwd, home, run, address } = place()
    await run('store', 'migrate', address)
    const service = startCli(['serve', '--home', home, '--port', '0', '--store', address], cwd)
    onTestFinished(() => void service.kill('SIGKILL'))
    const status = () => run('status', '--json').then(({ code }) => code === 0)
    await until('the service', () => service.exitCode !== null || status())
    expect(readStoreSetting(openHome(home))).toBe(address)
    expect((await run('store', 'use', `${address}_other`)).stderr).toContain('run `countersign stop` first')
    const { gate } = await openGate({ home, workspace: cwd })
    expect((await gate.run({ tool: 'jot', args: {} }, () => 'ran')).kind).toBe('completed')
    await gate.close()
    const ended = once(service, 'exit')
    expect((await run('stop')).code).toBe(0)
    expect(await ended).toEqual([0, null])
    expect(JSON.parse((await run('store', 'check', '--json')).stdout).entries).toBeGreaterThan(0)
  })

  it('works in the bundled command', async () => {
    const { cwd, home, address } = place()
    const migrated = await spawnCli(['store', 'migrate', '--home', home, address], cwd)
    expect(migrated).toMatchObject({ code: 0, stdout: expect.stringContaining('created the tables') })
    expect(await spawnCli(['store', 'use', '--home', home, address], cwd)).toMatchObject({ code: 0 })
    expect(await spawnCli(['held', '--home', home], cwd)).toMatchObject({ code: 0 })
  })
})
