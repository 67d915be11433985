import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHome } from '@countersign/node'
import { endOf, spawnBash, spawnCli, startCli } from '@countersign/testing/command/spawn-cli'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { startPostgres } from '@countersign/testing/postgres/server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

const STORE = 'postgresql.conf'
const UNITS = ['countersign.service', 'countersign-health.service', 'countersign-health.timer'] as const
const textOf = (unit: string) => readFileSync(join(import.meta.dirname, unit), 'utf8')

/** The settings of a unit: `Section.Key` and its value. */
function settingsOf(unit: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>()
  let section = ''
  for (const line of textOf(unit).split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const name = /^\[(\w+)\]$/.exec(line)?.[1]
    const [, key, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (name !== undefined) section = name
    else if (key !== undefined) settings.set(`${section}.${key}`, value)
    else throw new Error(`${unit}: not a setting: ${line}`)
  }
  return settings
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

/** Starts the service as written, in these folders; resolves to what it prints first, or fails with it. */
async function startService(state: string, run: string, folder: string) {
  const line = settingsOf('countersign.service').get('Service.ExecStart') ?? ''
  const words = line
    .split(' ')
    .slice(1)
    .map((word) => word.replace('${STATE_DIRECTORY}', state).replace('${RUNTIME_DIRECTORY}', run))
    .map((word, at, all) => (all[at - 1] === '--port' ? '0' : word))
    .map((word) => (word === 'agents' ? String(process.getgid?.()) : word))
  const child = startCli([...words, '--json'], folder)
  const ended = endOf(child)
  onTestFinished(() => void child.kill('SIGKILL'))
  const first = new Promise<string>((resolve) => child.stdout?.once('data', (data: string) => resolve(data)))
  const early = ended.then(({ stderr }) => stderr)
  return { child, ended, first: await Promise.race([first, early]) }
}

describe('the systemd units', () => {
  it('give the service a user of its own, one place to write, and no way to more', () => {
    const service = settingsOf('countersign.service')
    expect(Object.fromEntries(service)).toMatchObject({
      'Service.User': 'countersign',
      'Service.NoNewPrivileges': 'true',
      'Service.CapabilityBoundingSet': '',
      'Service.ProtectSystem': 'strict',
      'Service.StateDirectory': 'countersign',
      'Service.StateDirectoryMode': '0700',
      'Service.Restart': 'on-failure',
    })
    expect([...service.keys()].filter((key) => /ReadWritePaths|BindPaths/.test(key))).toEqual([])
    expect(settingsOf('countersign-health.service').get('Service.ExecStart')).toContain('http://127.0.0.1:4180/health')
    expect(service.get('Service.ExecStart')).toContain('--port 4180')
    expect(settingsOf('countersign-health.timer').get('Timer.OnUnitInactiveSec')).toBe('1min')
  })

  it('start the service as written, in folders that systemd would make', async () => {
    const folder = temporaryFolder()
    const [state, run] = ['state', 'run'].map((name) => join(folder, name)) as [string, string]
    mkdirSync(state, { mode: 0o700 })
    mkdirSync(run, { mode: 0o755 })
    const { child, ended, first } = await startService(state, run, folder)
    expect(JSON.parse(first)).toMatchObject({ socket: join(run, 'asking.sock') })
    expect((await spawnCli(['status', '--home', state], folder)).code).toBe(0)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  it.skipIf(missingPostgres())('keep the store on PostgreSQL, with its address as a credential', async () => {
    const server = await startPostgres()
    onTestFinished(() => server.stop())
    const folder = temporaryFolder()
    const [state, run, credentials] = ['state', 'run', 'credentials'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    for (const made of [state, run, credentials]) mkdirSync(made, { mode: 0o700 })
    const address = server.freshAddress()
    writeFileSync(join(credentials, 'store-address'), `${address}\n`, { mode: 0o400 })
    const settings = settingsOf(STORE)
    expect(settings.get('Service.LoadCredential')).toBe('store-address:/etc/countersign/store-address')
    expect(textOf(STORE)).not.toMatch(/^Environment/m)
    const places = `STATE_DIRECTORY='${state}' CREDENTIALS_DIRECTORY='${credentials}'`
    const prepare = () =>
      spawnBash(`${places} ${settings.get('Service.ExecStartPre')?.replace('/bin/sh', 'sh')}`, folder, folder)
    expect(await prepare()).toMatchObject({ code: 125, stderr: expect.stringContaining('countersign store migrate') })
    await spawnBash(`countersign --home '${state}' store migrate - < '${credentials}/store-address'`, folder, folder)
    for (let start = 0; start < 2; start += 1) {
      expect(await prepare()).toMatchObject({ code: 0 })
      const { child, ended, first } = await startService(state, run, folder)
      expect(JSON.parse(first)).toMatchObject({ held: 0, problem: null })
      child.kill('SIGTERM')
      expect((await ended).code).toBe(0)
    }
    const { storeSetting } = openHome(state)
    expect(readFileSync(storeSetting, 'utf8')).toContain(address)
    expect(statSync(storeSetting).mode & 0o777).toBe(0o600)
  })

  it.runIf(hasSystemd)('pass systemd’s own check', () => {
    const folder = temporaryFolder()
    const program = join(folder, 'countersign')
    writeFileSync(program, '#!/bin/sh\n')
    chmodSync(program, 0o755)
    for (const unit of UNITS)
      writeFileSync(
        join(folder, unit),
        textOf(unit).replaceAll('/opt/countersign/bin/countersign', program).replaceAll('/usr/bin/curl', program),
      )
    const dropIn = join(folder, 'countersign.service.d')
    mkdirSync(dropIn)
    writeFileSync(join(dropIn, STORE), textOf(STORE))
    const checked = spawnSync('systemd-analyze', ['verify', '--man=no', ...UNITS.map((unit) => join(folder, unit))], {
      encoding: 'utf8',
    })
    expect(checked.stderr.split('\n').filter((line) => line.includes('countersign'))).toEqual([])
    expect(checked.status).toBe(0)
  })

  it.runIf(hasSystemd)('leave little open by systemd’s own measure', () => {
    const unit = join(import.meta.dirname, 'countersign.service')
    const said = execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', unit], {
      encoding: 'utf8',
    })
    expect(said).toMatch(/Overall exposure level for countersign\.service: [0-2]\.\d OK/)
  })
})
