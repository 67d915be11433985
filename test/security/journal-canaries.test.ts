import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call, Decision, HeldCallView } from '@countersign/core'
import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, describe, expect, it } from 'vitest'

/**
 * A32: a secret on a command line is readable nowhere in the home: not in the journal, the history, a row, a grant or a
 * log. The sealed column is encrypted. Each command has its own canary; `\n` in the file is a new line.
 */
const COMMANDS = readFileSync(join(import.meta.dirname, 'corpus/journal-canaries.txt'), 'utf8')
  .trimEnd()
  .split('\n')

/** Calls that are not command lines. */
const CALLS: readonly ((canary: string) => Call)[] = [
  (canary) => ({ tool: 'spawn', args: { argv: ['mysql', `-p${canary}`, 'db'] }, description: { kind: 'execute' } }),
  (canary) => ({ tool: 'spawn', args: { command: 'sshpass', args: ['-p', canary, 'ssh', 'h'] } }),
  (canary) => ({ tool: 'spawn', args: { cmd: ['docker', 'login', '-u', 'b', '-p', canary] } }),
  (canary) => ({ tool: { name: 'run', server: 'box' }, args: { script: `vault login ${canary}\n` }, source: 'mcp' }),
  (canary) => ({ tool: { name: 'exec', server: 'box' }, args: { lines: [`zip -P ${canary} a b`] }, source: 'mcp' }),
  (canary) => ({ tool: { name: 'setenv', server: 'box' }, args: { env: [{ name: 'DB_PASSWORD', value: canary }] } }),
  (canary) => ({ tool: { name: 'connect', server: 'db' }, args: { user: 'bob', pwd: canary }, source: 'mcp' }),
  (canary) => ({ tool: { name: 'request', server: 'web' }, args: { headers: { 'X-Auth': canary } }, source: 'mcp' }),
  (canary) => ({ tool: 'fetch_url', args: { url: `https://example.com/?sig=${canary}` } }),
  (canary) => ({ tool: 'fetch_url', args: { url: `https://${canary}@example.com/` } }),
  (canary) => ({ tool: 'note', args: { text: 'x' }, said: `I will run sshpass -p ${canary} ssh host now.` }),
  (canary) => ({ tool: 'write_file', args: { path: `${canary}.txt`, content: `password=${canary}` } }),
]

const canaryOf = (at: number): string => `qv${at}Tz8LmRw4`

let world: World
afterEach(() => world?.close())

/** Every file of the home but backups, which keep files under their own names. */
function homeBytes(folder: string): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/backups'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, text: readFileSync(file, 'latin1') }))
}

const commandCall = (command: string): Call => ({
  tool: 'execute_command',
  args: { command },
  description: { kind: 'execute', command },
})

const ALL: readonly Call[] = [
  ...COMMANDS.map((line, at) => commandCall(line.replaceAll('\\n', '\n').replaceAll('CANARY', canaryOf(at)))),
  ...CALLS.map((make, at) => make(canaryOf(COMMANDS.length + at))),
]

type Answer = 'approve' | 'grant' | 'reject'

/** Asks for a call and answers the person's question, if there is one. */
async function askAndDecide(call: Call, how: Answer, at: number): Promise<void> {
  const id = `c${at}`
  const line = JSON.stringify(call.args)
  let ended = false
  const running = world.gate
    .run({ ...call, id }, () => {
      throw new Error(`failed: ${line}`)
    })
    .finally(() => {
      ended = true
    })
  while (!ended) {
    const view = (await world.desk.list()).find((one) => one.id === id)
    if (view === undefined) {
      await new Promise((resolve) => setImmediate(resolve))
      continue
    }
    const decided = await world.decide(view, decisionFor(view, how, line))
    if (!decided.accepted) await world.decide(view, { kind: 'reject', reason: `do not run ${line}` })
    break
  }
  await running
}

function decisionFor(view: HeldCallView, how: Answer, line: string): Decision {
  if (how === 'reject') return { kind: 'reject', reason: `do not run ${line}` }
  const offer = view.offers.find(({ scope }) => scope.kind === 'pattern') ?? view.offers[0]
  const [lifetime] = offer?.lifetimes ?? []
  if (how === 'approve' || offer === undefined || lifetime === undefined) return { kind: 'approve' }
  return { kind: 'approve', reason: `fine: ${line}`, grant: { scope: offer.scope, lifetime } }
}

describe('A32: secrets on command lines are readable nowhere', () => {
  it('has at least 200 canaries', () => {
    expect(ALL.length).toBeGreaterThan(200)
    expect(COMMANDS.every((line) => line.includes('CANARY'))).toBe(true)
  })

  it.each(['approve', 'grant', 'reject'] as const)(
    'in the home and the history, with `%s`',
    async (how) => {
      world = await openWorld({ policy: 'version: 1\npreset: permissive\n' })
      for (const [at, call] of ALL.entries()) await askAndDecide(call, how, at)
      const history = JSON.stringify(await world.desk.history({ limit: 10_000 }))
      const entries = (await world.entries()).map((entry) => JSON.stringify(entry))
      await world.gate.close()
      const home = homeBytes(world.home.dir)
      const leaks = ALL.flatMap((call, at) => {
        const canary = canaryOf(at)
        const where = [
          ...home.filter(({ text }) => text.includes(canary)).map(({ file }) => file.slice(world.home.dir.length)),
          ...(history.includes(canary) ? ['history'] : []),
        ]
        const shown = entries.find((entry) => entry.includes(canary))
        return where.length === 0 ? [] : [{ args: call.args, where, shown: shown?.slice(0, 1500) }]
      })
      expect(leaks).toEqual([])
    },
    60_000,
  )
})
