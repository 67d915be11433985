import { spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { COMMAND_ENV } from '@countersign/testing/command/command'
import { type Ended, endOf } from '@countersign/testing/command/spawn-cli'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The report of `npm pack --json` on one package. */
interface Packed {
  readonly name: string
  readonly version: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

interface Manifest {
  readonly version: string
  readonly description?: string
  readonly keywords?: readonly string[]
  readonly license?: string
  readonly engines?: { readonly node?: string }
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly sideEffects?: unknown
}

const ROOT = join(import.meta.dirname, '../..')
const LIBRARIES = [
  'adapters',
  'agent',
  'core',
  'hosts',
  'mcp',
  'node',
  'notify',
  'page',
  'react',
  'server',
  'telemetry',
  'terminal',
]
const PUBLISHED = ['cli', ...LIBRARIES]

const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-packed-')))
const at = (...path: readonly string[]): string => join(root, ...path)
const packed = new Map<string, Packed>()

/** Packages are packed from `dist`, which is up to date only in the test command. */
const isBuilt = process.env['COUNTERSIGN_BUILT'] === '1'

describe.runIf(isBuilt)('packages made by npm pack', () => {
  beforeAll(async () => {
    for (const folder of ['tarballs', 'prefix', 'project', 'library', 'home']) mkdirSync(at(folder), { mode: 0o700 })
    const workspaces = PUBLISHED.flatMap((name) => ['-w', `packages/${name}`])
    const { stdout } = await npm(
      ['pack', '--json', '--ignore-scripts', '--pack-destination', at('tarballs'), ...workspaces],
      ROOT,
    )
    const report: readonly Packed[] | Readonly<Record<string, Packed>> = JSON.parse(stdout)
    for (const one of Object.values(report)) packed.set(one.name, one)
  })

  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it.each(PUBLISHED)('%s has its metadata, README, license and every file it names', (name) => {
    const manifest = manifestOf(join(ROOT, 'packages', name))
    expect(manifest).toMatchObject({ license: 'Apache-2.0', engines: { node: '>=22.18' } })
    expect(manifest.description).toMatch(/\w\.$/)
    expect(manifest.keywords?.length).toBeGreaterThan(5)
    const files = packedOf(name).files.map(({ path }) => path)
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json', ...namedFiles(manifest)]))
    expect(files.filter((path) => /\.test\.|\.fixture\.|\.rows\.|\.map$|tsbuildinfo$/.test(path))).toEqual([])
  })

  it.each(LIBRARIES)('%s depends on exact versions of our other packages', (name) => {
    const { version, dependencies = {} } = manifestOf(join(ROOT, 'packages', name))
    const ours = Object.entries(dependencies).filter(([dependency]) => dependency.startsWith('@countersign/'))
    expect(ours.map(([, range]) => range)).toEqual(ours.map(() => version))
  })

  it('the command runs from an empty global prefix, with nothing else installed', async () => {
    const installed = await npm(['install', '--global', '--prefix', at('prefix'), tarball('cli')], root)
    expect(installed).toMatchObject({ stderr: '', code: 0 })
    expect(readdirSync(at('prefix/lib/node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['countersign'])
    expect(readFileSync(at('prefix/lib/node_modules/countersign/dist/third-party-licenses.txt'), 'utf8')).toContain(
      'commander',
    )
    const command = at('prefix/bin/countersign')
    const home = ['--home', at('home')]
    const [version, risk, exec, demo] = await Promise.all([
      run(command, ['--version'], root),
      run(command, ['risk', 'ls'], root),
      run(command, [...home, 'exec', '--no-input', '--', 'true'], root),
      run(command, ['demo', '--answers', 'reject'], root),
    ])
    expect(version).toEqual({ stdout: `${manifestOf(join(ROOT, 'packages/cli')).version}\n`, stderr: '', code: 0 })
    expect(risk).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('NONE') })
    expect(exec).toMatchObject({ stderr: '', code: 0 })
    expect(demo).toMatchObject({ code: 0, stdout: expect.stringContaining('✔ journal verified') })
  })

  it('the command runs from a project folder', async () => {
    writeFileSync(at('project/package.json'), '{ "private": true }\n')
    expect(await npm(['install', tarball('cli')], at('project'))).toMatchObject({ stderr: '', code: 0 })
    const command = at('project/node_modules/.bin/countersign')
    expect(await run(command, ['risk', 'ls', '--json'], at('project'))).toMatchObject({ code: 0, stderr: '' })
  })

  it('the libraries run and include their types', async () => {
    linkThirdParty(at('library'))
    writeFileSync(at('library/package.json'), '{ "private": true, "type": "module" }\n')
    // npm would run the `prepare` scripts of linked packages.
    const installed = await npm(['install', '--ignore-scripts', ...LIBRARIES.map(tarball)], at('library'))
    expect(installed).toMatchObject({ stderr: '', code: 0 })
    writeFileSync(at('library/program.js'), PROGRAM)
    expect(await run(process.execPath, ['program.js'], at('library'))).toMatchObject({
      stdout: 'completed read notes.txt\n',
      code: 0,
    })
    for (const name of ['node', 'react']) linkPackage(`@types/${name}`, at('library'))
    writeFileSync(at('library/types.ts'), TYPES)
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const flags = '--noEmit --strict --skipLibCheck --module nodenext --target es2024 --lib es2024,dom --types node'
    const checked = await run(process.execPath, [compiler, ...flags.split(' '), 'types.ts'], at('library'))
    expect(checked).toEqual({ stdout: '', stderr: '', code: 0 })
  })
})

const PROGRAM = `import { openGate } from '@countersign/node'
const { gate } = await openGate({ home: 'gate' })
const read = gate.wrap({ name: 'read_file', run: async ({ path }) => 'read ' + path })
const result = await read({ path: 'notes.txt' })
console.log(result.kind, result.value)
await gate.close()
await Promise.all(['agent', 'core', 'mcp', 'page', 'page/dialog', 'react', 'server', 'terminal', 'terminal/card', 'terminal/chat'].map((name) => import('@countersign/' + name)))
`

const TYPES = `import { createAgent } from '@countersign/agent'
import { readIntent } from '@countersign/core'
import { startRelay } from '@countersign/mcp'
import { openGate } from '@countersign/node'
import { openPageGate } from '@countersign/page'
import { mountApprovals } from '@countersign/page/dialog'
import { ApprovalDialog } from '@countersign/react'
import { startService } from '@countersign/server'
import { runQueue } from '@countersign/terminal'
import { cardLines } from '@countersign/terminal/card'
import { rowLines } from '@countersign/terminal/chat'
const { gate } = await openGate({ home: 'gate' })
const read = gate.wrap({ name: 'read_file', run: async ({ path }: { path: string }) => path.length })
const result = await read({ path: 'notes.txt' })
if (result.kind === 'completed') result.value satisfies number
// @ts-expect-error a path is a string
await read({ path: 1 })
// @ts-expect-error a text is a string: the declaration is there, and is not \`any\`
readIntent(1)
export { ApprovalDialog, cardLines, createAgent, mountApprovals, openPageGate, rowLines, runQueue, startRelay, startService }
`

/** The repository's copies of third-party packages, which npm then finds installed without a registry. */
function linkThirdParty(folder: string): void {
  const names = LIBRARIES.flatMap((name) => Object.keys(manifestOf(join(ROOT, 'packages', name)).dependencies ?? {}))
  for (const name of new Set([...names, 'react', 'react-dom']))
    if (!name.startsWith('@countersign/')) linkPackage(name, folder)
}

function linkPackage(name: string, folder: string): void {
  const path = join(folder, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', name), path)
}

/** Files that a package's manifest names, except sources that only this repository has. */
function namedFiles({ bin = {}, exports = {} }: Manifest): readonly string[] {
  const exported = Object.values(exports).flatMap((target) =>
    typeof target === 'string'
      ? [target]
      : Object.entries(target).flatMap(([condition, path]) => (condition === 'countersign-source' ? [] : [path])),
  )
  return [...Object.values(bin), ...exported].map((path) => path.replace(/^\.\//, ''))
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function packedOf(name: string): Packed {
  const found = packed.get(name === 'cli' ? 'countersign' : `@countersign/${name}`)
  if (found === undefined) throw new Error(`npm pack made no tarball of ${name}`)
  return found
}

function tarball(name: string): string {
  return at('tarballs', packedOf(name).filename)
}

function npm(argv: readonly string[], cwd: string): Promise<Ended> {
  return run('npm', [...argv, '--offline', '--no-audit', '--no-fund', '--cache', at('cache')], cwd)
}

/** Runs a program with this Node first in PATH, and without the settings of an npm that runs the tests. */
function run(program: string, argv: readonly string[], cwd: string): Promise<Ended> {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`
  const own = Object.entries(COMMAND_ENV).filter(([name]) => !name.toLowerCase().startsWith('npm_'))
  const env = { ...Object.fromEntries(own), PATH, npm_config_loglevel: 'error' }
  return endOf(spawn(program, argv, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }))
}
