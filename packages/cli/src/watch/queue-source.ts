import { spawn } from 'node:child_process'
import { type Decision, type OpenedView, type SafeText, safeText } from '@countersign/core'
import { decide } from '@countersign/node'
import type { DeskSource } from '@countersign/terminal'
import { addRule, proposeRule } from '../decision/add-rule.ts'
import type { OpenDesk } from '../decision/desk.ts'
import { setPause } from '../decision/set-pause.ts'
import { accountName, type LocalKey } from '../home/approver-key.ts'
import type { Io } from '../terminal/io.ts'
import { clearEditFolders, editArguments } from './edit-arguments.ts'
import { followQueue } from './follow-queue.ts'

/** The desk as a source for the queue screen. */
export function openSource(open: OpenDesk, key: LocalKey, io: Io): DeskSource {
  const { desk, ports } = open
  const { crypto, clock } = ports
  /** Decisions made on this screen: their receipts do not name a surface. */
  const own = new Map<string, Decision>()
  let look = (): void => {}
  let tell = (_: SafeText): void => {}
  /** What became of rules, by their call: told again after its receipt, which clears the line. */
  const rulesOf = new Map<string, SafeText>()
  clearEditFolders(open.home)
  return {
    clock,
    sealed: key.sealed,
    async decide({ view }: OpenedView, decision, passphrase, rule) {
      await key.recorded
      const approver = key.open(passphrase)
      own.set(view.id, decision)
      const receipt = await decide(desk, view, decision, { approver, surface: 'terminal', crypto })
      if (!receipt.accepted) own.delete(view.id)
      else if (rule !== undefined) {
        const { words } = await addRule(desk, rule, { approver, surface: 'terminal' })
        rulesOf.set(view.id, words)
        tell(words)
      }
      look()
      return receipt
    },
    subscribe(listen) {
      const following = followQueue(open, own, (event) => {
        listen(event)
        const words = event.kind === 'receipt' ? rulesOf.get(event.receipt.callId) : undefined
        if (words !== undefined) listen({ kind: 'problem', message: words })
      })
      look = following.look
      tell = (message) => listen({ kind: 'problem', message })
      return following.stop
    },
    proposeRule: ({ view }, offer) => proposeRule(desk, view.id, offer),
    wouldMatch: (scope) => desk.wouldMatch(scope),
    edit: (args, whole) => editArguments(args, open.home, io.env, whole),
    // OSC 52 takes Base64, so the text cannot inject control sequences.
    copy: (text) => void io.stdout.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`),
    grants: () => desk.grants().list(),
    revoke: (id) => desk.grants().revoke(id, accountName()),
    rate: (callId, answer) => desk.feedback(callId, answer, 'terminal'),
    async setPause(to) {
      const words = await setPause(desk, to, key)
      look()
      return words
    },
    undo: async (callId) => safeText(await startUndo(callId, open)),
  }
}

const LONGEST_LINE = 300

/**
 * Requests an undo in a separate process without a terminal; it is held like any call and appears in the queue.
 * INVARIANT: L8 this process decides and never asks.
 */
function startUndo(callId: string, { home }: OpenDesk): Promise<string> {
  const [program = ''] = process.argv.slice(1)
  const argv = [...process.execArgv, program, 'undo', callId, ...(home.chosen === 'given' ? ['--home', home.dir] : [])]
  const child = spawn(process.execPath, argv, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      const line = text.split('\n').find((one) => one.startsWith('countersign: '))
      if (line === undefined) return
      const words = line.slice('countersign: '.length, LONGEST_LINE)
      resolve(words.startsWith('held as') ? 'undo requested: the call is in the queue' : words)
    })
    child.on('close', (code) => resolve(code === 0 ? 'undone' : 'not undone'))
  })
}
