import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { changeRules, openApprover, openGate, openHome } from '@countersign/node'

/**
 * Changes the rules twice: `first` is applied whole, and before the nth change of a file made by `second` the process is
 * killed. Prints `applied` if it lived.
 */
const [root = '', n = ''] = process.argv.slice(2)
const home = openHome(`${root}/home`)
const approver = openApprover(home, { name: 'ana' })
const { desk, gate } = await openGate({ home: home.dir, workspace: `${root}/project` })

async function set(tool: string): Promise<void> {
  const proposal = await desk.rules().propose({ kind: 'set', conditions: { tool }, supervision: 'deny' })
  await changeRules(desk, { proposal }, { approver, surface: 'test' })
}

await set('first')
let left = Number(n)
const CHANGING = [
  'openSync',
  'writeFileSync',
  'writeSync',
  'fsyncSync',
  'renameSync',
  'unlinkSync',
  'linkSync',
] as const
for (const name of CHANGING) {
  const original = fs[name] as (...args: unknown[]) => unknown
  Object.assign(fs, {
    [name](...args: unknown[]) {
      left -= 1
      if (left === 0) process.kill(process.pid, 'SIGKILL')
      return original(...args)
    },
  })
}
syncBuiltinESMExports()
await set('second')
await gate.close()
console.log('applied')
