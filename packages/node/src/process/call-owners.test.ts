import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { runNode } from '@countersign/testing/command/run-node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openOwners, ownerBeside } from './call-owners.ts'

const printOwner =
  "import { openOwners } from './packages/node/src/process/call-owners.ts'; console.log(openOwners().self)"
const repository = fileURLToPath(new URL('../../../..', import.meta.url))
const nodeArgs = [
  '--conditions=countersign-source',
  '--no-warnings',
  '--input-type=module',
  '--eval',
  `${printOwner}; setInterval(() => {}, 1e9)`,
]

describe('owners of held calls', () => {
  const owners = openOwners()

  it('are alive in their own process, under each of its names', () => {
    expect(owners.isAlive(owners.self)).toBe(true)
    expect(owners.isAlive(openOwners().self)).toBe(true)
    expect(openOwners().self).not.toBe(owners.self)
  })

  it('are gone after their process ended', { timeout: 60_000 }, async () => {
    expect(owners.isAlive((await runNode(printOwner)).trim())).toBe(false)
  })

  it('are alive while another process runs, and gone once it is killed, even as a zombie', {
    timeout: 60_000,
  }, async () => {
    // The shell starts the owner and becomes a program that never waits for its children.
    const child = spawn('/bin/sh', ['-c', '"$@" & exec sleep 600', 'sh', process.execPath, ...nodeArgs], {
      cwd: repository,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [printed] = await once(child.stdout, 'data')
    const owner = String(printed).trim()
    expect(owners.isAlive(owner)).toBe(true)
    process.kill(Number(owner.split('.')[0]), 'SIGKILL')
    await expect.poll(() => owners.isAlive(owner)).toBe(false)
    expect(child.exitCode).toBeNull()
  })

  it.runIf(process.platform === 'linux')('are gone if their process id was reused', () => {
    const [pid, start, random] = owners.self.split('.')
    expect(owners.isAlive(`${pid}.${start}9.${random}`)).toBe(false)
    expect(owners.isAlive(`1.12345-deadbeef.${random}`)).toBe(false)
  })

  it.each(['', 'nobody', '0.1.ab', '-1.1.ab', '1.2'])(
    'are not reported as gone under an invalid name (`%s`)',
    (name) => {
      expect(owners.isAlive(name)).toBe(true)
    },
  )

  it('of another machine are alive while its lease lives, whatever runs here under their number', () => {
    const living = new Set(['far'])
    const here = openOwners({ machine: 'here', isAlive: (machine) => living.has(machine) })
    expect(here.self).toMatch(/^\d+\..+@here$/)
    expect(here.isAlive(here.self)).toBe(true)
    expect(here.isAlive('4194303.1-gone.ab@here')).toBe(false)
    expect(here.isAlive('4194303.1-gone.ab@far')).toBe(true)
    living.clear()
    expect(here.isAlive(here.self.replace('@here', '@far'))).toBe(false)
    expect(ownerBeside(here, owners.self)).toBe(`${owners.self}@here`)
    expect(ownerBeside(owners, here.self)).toBe(here.self)
    expect(ownerBeside(owners, owners.self)).toBe(owners.self)
  })
})
