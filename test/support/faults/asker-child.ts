/**
 * An asking process with several lanes, which asks until it is killed by SIGKILL at the n-th moment of its calls' lives:
 * before or after a commit, or while a tool runs. Its tools write a line each into `marks`.
 * Run as: node asker-child.mjs <home> <name> <lanes> <n>, bundled from this file
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createGate, type Ports } from '@countersign/core'
import { openHome, openPorts, placesOf } from '@countersign/node'
import { overlay } from '../intercept.ts'

const [dir = '', name = '', lanes = '1', nth = '0'] = process.argv.slice(2)
const home = openHome(dir)
const root = join(dir, '..')
const places = placesOf(home, join(root, 'project'))
let left = Number(nth)

function moment(): void {
  left -= 1
  if (left !== 0) return
  process.kill(process.pid, 'SIGKILL')
  for (;;); // SIGKILL is pending: nothing more may happen
}

const real = await openPorts(home, places, {
  managed: { folder: join(root, 'managed'), owner: process.getuid?.() ?? 0 },
})
const ports: Ports = {
  ...real,
  store: overlay(real.store, {
    commit: async (change, beside) => {
      moment()
      const committed = await real.store.commit(change, beside)
      moment()
      return committed
    },
  }),
}
const { gate } = await createGate(ports, { places, session: 'session' })

const mark = (id: string) => async () => {
  appendFileSync(join(root, 'marks'), `${id}\n`)
  moment()
  await pause(1)
}

async function lane(of: number): Promise<never> {
  for (let at = 0; ; at += 1) {
    const id = `${name}-${of}-${at}`
    const kind = ['free', 'asked', 'submitted'][(of + at) % 3]
    const call = { id: `${kind}-${id}`, tool: kind === 'free' ? 'free_thing' : 'asked_thing', args: { at } }
    if (kind !== 'submitted') await gate.run(call, mark(call.id))
    else await submitted(call)
  }
}

async function submitted(call: { readonly id: string; readonly tool: string; readonly args: object }): Promise<void> {
  try {
    const permit = await gate.wait(await gate.submit(call))
    if (permit.kind === 'refusal') return
    await mark(call.id)()
    await gate.settle(permit, 'completed')
  } catch {
    // The store failed: the call stays for whoever collects it, and here nobody does.
  }
}

await Promise.all(Array.from({ length: Number(lanes) }, (_, of) => lane(of)))
