/**
 * A process that runs two calls, and is killed by SIGKILL before or after the n-th port call.
 * Run as: node crash-child.mjs <root> <n> <before|after>, bundled from this file
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createGate, openView, type Ports, signDecision } from '@countersign/core'
import { openApprover, openHome, openPorts, placesOf } from '@countersign/node'
import { intercept } from '../intercept.ts'

const [root = '', nth = '0', when = 'before'] = process.argv.slice(2)
const workspace = join(root, 'project')
mkdirSync(workspace, { recursive: true })
const home = openHome(join(root, 'home'))
const places = placesOf(home, workspace)
const approver = openApprover(home, { name: 'ana' })
let calls = 0

function die(): void {
  process.kill(process.pid, 'SIGKILL')
  for (;;); // SIGKILL is pending: nothing more may happen
}

function crashing<T extends object>(port: T): T {
  return intercept(port, (method, work) => {
    if (method === 'version') return work()
    calls += 1
    const mine = calls === Number(nth)
    if (mine && when === 'before') die()
    return mine ? Promise.resolve(work()).then(die) : work()
  })
}

const real = await openPorts(home, places, {
  managed: { folder: join(root, 'managed'), owner: process.getuid?.() ?? 0 },
})
const ports: Ports = {
  ...real,
  store: crashing(real.store),
  targets: crashing(real.targets),
  approvers: crashing(real.approvers),
  policyFiles: crashing(real.policyFiles),
  heads: crashing(real.heads),
  backups: crashing(real.backups),
}
const { gate, desk } = await createGate(ports, { places, session: 'session' })

const mark = (what: string) => () => appendFileSync(join(root, 'marks'), `${what}\n`)
await gate.run({ id: 'free', tool: 'read_file', args: { path: join(workspace, 'a') } }, mark('free'))
const held = gate.run({ id: 'asked', tool: 'send_report', args: {}, description: { kind: 'send' } }, mark('asked'))
for await (const view of desk.held()) {
  appendFileSync(join(root, 'approved'), `${view.id}\n`)
  const signed = signDecision(openView(view, ports.crypto), { kind: 'approve' }, approver.signer, {
    surface: 'child',
    at: Date.now(),
  })
  await desk.decide(view.id, signed)
  break
}
await held
const ticket = await gate.submit({ id: 'later', tool: 'send_report', args: { n: 2 }, description: { kind: 'send' } })
await gate.withdraw(ticket)
await gate.close()
process.stdout.write(`calls ${calls}\n`)
process.exit(0)
