import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endOf, spawnCli, startCli } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CONTAINERFILE = readFileSync(join(import.meta.dirname, 'Containerfile'), 'utf8')

const INSTRUCTIONS = CONTAINERFILE.split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    return { name, rest }
  })

/** What every instruction of one kind has after its name. */
const all = (name: string) => INSTRUCTIONS.filter((one) => one.name === name).map(({ rest }) => rest)

const words = (name: string) =>
  JSON.parse(
    all(name)
      .at(-1)
      ?.replace(/^.*?\[/, '[') ?? '[]',
  ) as readonly string[]

/** Runs a RUN step in a folder that stands for the root of the image. */
function runStep(step: string, root: string): void {
  const local = step
    .replaceAll(/(?<= )\/(var|run)\//g, `${root}/$1/`)
    .replaceAll(/\b(groupadd|useradd) /g, `$1 --prefix '${root}' `)
  const done = spawnSync('sh', ['-euc', local], { encoding: 'utf8', cwd: root })
  expect({ step: local, status: done.status, stderr: done.status === 0 ? '' : done.stderr }).toMatchObject({
    status: 0,
  })
}

describe('the Containerfile', () => {
  it('ends as a user that is not root, with its home and the socket on volumes', () => {
    expect(
      INSTRUCTIONS.every(({ name }) =>
        /^(?:FROM|ARG|RUN|USER|ENV|WORKDIR|VOLUME|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD)$/.test(name),
      ),
    ).toBe(true)
    expect(all('FROM')).toEqual(['docker.io/library/node:24-bookworm-slim'])
    expect(all('USER')).toEqual(['10001:10001'])
    expect(INSTRUCTIONS.findIndex(({ name }) => name === 'USER')).toBeGreaterThan(
      INSTRUCTIONS.findLastIndex(({ name }) => name === 'RUN'),
    )
    expect(words('VOLUME')).toEqual(['/var/lib/countersign', '/run/countersign'])
  })

  it.runIf(process.getuid?.() === 0)('makes the user and its folders', () => {
    const root = temporaryFolder()
    for (const name of ['etc', 'var/lib', 'run']) mkdirSync(join(root, name), { recursive: true })
    for (const name of ['passwd', 'group', 'shadow', 'gshadow']) writeFileSync(join(root, 'etc', name), '')
    for (const step of all('RUN').filter((one) => !one.startsWith('npm '))) runStep(step, root)
    expect(readFileSync(join(root, 'etc', 'passwd'), 'utf8')).toMatch(/^countersign:x:10001:10001:/)
    const modes = ['var/lib/countersign', 'run/countersign'].map((name) => statSync(join(root, name)))
    expect(modes.map(({ uid, mode }) => [uid, (mode & 0o777).toString(8)])).toEqual([
      [10_001, '700'],
      [10_001, '755'],
    ])
  })

  it.runIf(process.env['COUNTERSIGN_BUILT'] === '1')('installs the command from its package', () => {
    const root = temporaryFolder()
    const [step = ''] = all('RUN').filter((one) => one.startsWith('npm install'))
    execFileSync('npm', ['pack', '--silent', '--pack-destination', root, join(ROOT, 'packages/cli')], { cwd: root })
    const [tarball = ''] = readdirSync(root).filter((name) => name.endsWith('.tgz'))
    const install = (step.split(' && ')[0] ?? '')
      .replace('"countersign@${VERSION}"', `./${tarball}`)
      .replace('npm install', `npm install --prefix '${root}' --offline --no-audit --no-fund`)
    runStep(install, root)
    const path = `${join(process.execPath, '..')}:${process.env['PATH']}`
    const said = execFileSync(join(root, 'bin', 'countersign'), ['--version'], {
      encoding: 'utf8',
      env: { ...process.env, PATH: path },
    })
    expect(said).toMatch(/^\d+\.\d+\.\d+/)
  })

  it('starts the service as written', async () => {
    const root = temporaryFolder()
    const command = [...words('ENTRYPOINT'), ...words('CMD')]
    for (const name of ['var/lib/countersign', 'run/countersign'])
      mkdirSync(join(root, name), { recursive: true, mode: 0o700 })
    const local = command
      .slice(1)
      .map((word) => (word.startsWith('/') ? join(root, word) : word === '4180' ? '0' : word))
    const child = startCli([...local, '--json'], root)
    const ended = endOf(child)
    onTestFinished(() => void child.kill('SIGKILL'))
    const first = new Promise<string>((resolve) => child.stdout?.once('data', (data: string) => resolve(data)))
    const status = JSON.parse(await Promise.race([first, ended.then(({ stderr }) => stderr)])) as { socket: string }
    expect(status.socket).toBe(join(root, 'run/countersign/asking.sock'))
    expect((await spawnCli(['status', '--home', join(root, 'var/lib/countersign')], root)).code).toBe(0)
    child.kill(all('STOPSIGNAL')[0] as NodeJS.Signals)
    expect((await ended).code).toBe(0)
  })

  it.each([
    [200, 0],
    [503, 1],
  ])('calls a service healthy if it answers: %i', async (answer, code) => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(answer).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const [, ...check] = words('HEALTHCHECK').map((word) => word.replace('4180', String(port)))
    expect((await endOf(spawn(process.execPath, check, { stdio: ['ignore', 'pipe', 'pipe'] }))).code).toBe(code)
    expect(asked).toEqual(['/health'])
  })
})

interface Compose {
  readonly services: { readonly [name: string]: { readonly [key: string]: unknown } }
  readonly volumes: object
}

describe('the compose file', () => {
  const { services, volumes } = parse(readFileSync(join(import.meta.dirname, 'compose.yaml'), 'utf8')) as Compose
  const { postgres = {}, countersign = {}, proxy = {} } = services

  it('keeps the gate read-only, without capabilities, and its volumes apart', () => {
    expect(countersign).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: ['home:/var/lib/countersign', 'asking:/run/countersign'],
    })
    expect(Object.keys(volumes)).toEqual(['home', 'asking', 'postgres', 'certificates'])
    expect([postgres, countersign, proxy].flatMap((one) => one['ports'] ?? [])).toEqual([])
    expect(proxy['network_mode']).toBe('service:countersign')
  })

  // test/postgres/compose.test.ts runs its entry point on a real server.
  it('has no password in a command line or variable', () => {
    const text = JSON.stringify(services)
    expect(text).not.toMatch(/postgres:\/\/[^@"]*:(?!%s@)[^@"]*@/)
    expect(postgres['environment']).not.toHaveProperty('POSTGRES_PASSWORD')
    // PGPASSWORD is not read: an agent could set it.
    expect(text).not.toContain('PGPASSWORD')
  })
})
