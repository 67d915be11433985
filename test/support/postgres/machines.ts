import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openGate, openHome, type ServiceStatus } from '@countersign/node'
import { expect, onTestFinished } from 'vitest'
import { runInProcess } from '../command/run-in-process.ts'
import { type Ended, endOf, spawnBash, startBash, startCli } from '../command/spawn-cli.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { until } from '../until.ts'

/** The code by which machines of tests join. */
export const JOIN_CODE = 'k7mnp-qr2st-uvwx3-yz456'

export type Machine = ReturnType<typeof makeMachine>

/** A machine: a home of its own, and a folder to work in. */
export function makeMachine(policy: string) {
  const cwd = temporaryFolder()
  const home = join(cwd, 'home')
  writeFileSync(openHome(home).policy, policy, { mode: 0o600 })
  const workspace = join(cwd, 'project')
  mkdirSync(workspace)
  const own = (line: string) => line.replaceAll('countersign', `countersign --home ${home}`)
  return {
    home,
    workspace,
    run: (...words: readonly string[]) => runInProcess(words, { cwd, home }),
    /** A line in bash, in which `countersign` has this home. */
    bash: (line: string) => spawnBash(own(line), cwd, cwd),
    start: (line: string) => startBash(own(line), cwd, cwd),
    async open() {
      const opened = await openGate({ home, workspace })
      onTestFinished(() => opened.gate.close().catch(() => {}))
      return opened
    },
    /** Starts `countersign serve` in its own process; resolves once it answers. */
    async serve(...flags: readonly string[]) {
      const child = startCli(['serve', '--home', home, '--json', '--port', '0', ...flags], workspace)
      onTestFinished(() => void child.kill('SIGKILL'))
      const ended = endOf(child)
      const status = await new Promise<ServiceStatus>((resolve, reject) => {
        child.stdout?.once('data', (line: string) => resolve(JSON.parse(line) as ServiceStatus))
        void ended.then(({ stderr }) => reject(new Error(stderr)))
      })
      return { child, status, ended }
    },
  }
}

/** The first machine on a new store. */
export async function firstMachine(address: string, policy: string) {
  const one = makeMachine(policy)
  await one.run('store', 'migrate', address)
  expect((await one.run('store', 'use', address)).stdout).toContain('now uses this store')
  return { address, one }
}

/** Another machine joins as two people would do it, with the code passed by file descriptors. */
export async function joinMachine(one: Machine, address: string, policy: string): Promise<Machine> {
  const two = makeMachine(policy)
  const joining = endOf(two.start(`countersign gates join '${address}' --code-fd 3 3<<< ${JOIN_CODE}`))
  let admitted: Ended | undefined
  await until('the admission', async () => {
    admitted = await one.bash(`countersign gates admit --code-fd 3 3<<< ${JOIN_CODE.toUpperCase()}`)
    return admitted.code === 0
  })
  expect(admitted?.stdout).toMatch(/^admitted \S+ \([0-9a-f]{8}\)/)
  expect(await joining).toMatchObject({ code: 0, stdout: expect.stringMatching(/^joined the journal countersign\//) })
  return two
}
