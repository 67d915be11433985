import {
  CountersignError,
  countedWords,
  type Decision,
  maskView,
  type OpenedView,
  type Receipt,
  type RulesAnswer,
  safeText,
} from '@countersign/core'
import type { LocalApprover } from '@countersign/node'
import { actFor, type GrantChoice, mustBeRead, pastLines, type Stage, TRIES } from '@countersign/terminal/card'
import { InvalidArgumentError, Option } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { addRule } from '../decision/add-rule.ts'
import { findHeld, type OpenDesk, withDesk } from '../decision/desk.ts'
import { type GrantFlags, grantFor } from '../decision/grant-flags.ts'
import { printReceipt, STILL_HELD, showCard, submitDecision } from '../decision/submit-decision.ts'
import { type LocalKey, localKey, openedKey } from '../home/approver-key.ts'
import { passkeyWords } from '../home/inbox-address.ts'
import { unlock } from '../home/unlock.ts'
import { openPrompt } from '../prompt/run-prompt.ts'
import type { Terminal } from '../terminal/controlling-terminal.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, say } from '../terminal/io.ts'
import { sayText } from '../terminal/layout.ts'
import { agreeOnRule, alwaysFor } from './always.ts'
import { missingConfirmation } from './required-confirmation.ts'

interface ApproveFlags extends GrantFlags {
  readonly reason?: string
  readonly code?: string
  readonly yes?: boolean
  readonly always?: boolean
  readonly reveal?: boolean
  readonly passphraseFd?: string
}

/** Scopes that can be offered. Never a whole server: each of its tools is granted separately. */
const SCOPES = ['exact', 'network', 'pattern', 'fields', 'file', 'folder', 'tool']

/** `countersign approve`: approves a held call from any terminal. */
export const command: Subcommand = {
  name: 'approve',
  summary: 'approve a held call',
  define(command, io) {
    addExamples(command, [
      ['countersign approve 3f2a91c0', 'up to medium risk; above that it asks you to confirm'],
      [
        'countersign approve 3f2a91c0 --code k7mp --reason "agreed with Ana"',
        'manual supervision: the code shown by `countersign held 3f2a91c0`, and a reason',
      ],
      ['countersign approve 3f2a91c0 --grant exact --for 10m', 'also allow the same call for 10 minutes'],
      ['countersign approve 3f2a91c0 --always', 'also add a rule for similar calls, after you confirm it'],
    ])
    command
      .argument('<id>', 'short id of the call, from `countersign held`')
      .option('--reason <text>', 'your reason; required under manual supervision')
      .option('--code <code>', 'the code from `countersign held <id>`')
      .option('--reveal', 'show hidden secrets; required from medium risk')
      .option('-y, --yes', 'confirm a high-risk call now (still needs a terminal)')
      .addOption(
        new Option('--grant <scope>', 'also allow similar calls; `countersign held <id>` lists the choices')
          .choices(SCOPES)
          .argParser(readScope),
      )
      .option('--always', 'also add a rule to your policy: the narrowest, or the one for the scope of `--grant`')
      .option(
        '--for <lifetime>',
        'how long the grant lasts: minutes up to 480m, uses up to 100, or session, where the call offers that kind',
      )
      .option('--passphrase-fd <fd>', 'read the passphrase of a sealed key from this file descriptor')
      .action(async (mark: string, flags: ApproveFlags) => {
        await withDesk(io, (_, open) => approve(mark, flags, open, io))
      })
  },
}

/** A scope, perhaps with the host or folder that tells it from others: `network:example.com`. */
function readScope(name: string): string {
  if (SCOPES.includes(name.split(':', 1)[0] ?? '')) return name
  throw new InvalidArgumentError(`Allowed choices are ${SCOPES.join(', ')}.`)
}

/** INVARIANT: L5 the exact scope of a grant and its past matches are shown before it is given. */
async function showGrant({ grant, words }: GrantChoice, { desk }: OpenDesk, io: Io): Promise<void> {
  sayText(io, safeText(`approving also allows, without asking: ${words}`))
  for (const line of pastLines(await desk.wouldMatch(grant.scope).catch(() => 'unknown' as const)))
    sayText(io, safeText(line))
  say(io)
}

async function approve(mark: string, flags: ApproveFlags, open: OpenDesk, io: Io): Promise<void> {
  const opened = await findHeld(mark, open)
  if (opened.body.passkey === true) throw new CountersignError('CS_DECISION_PASSKEY', await passkeyWords(open.home))
  if (flags.always === true && flags.for !== undefined)
    throw new CountersignError('CS_USAGE', '`--always` adds a rule that stays; use `--for` without it')
  const always = flags.always === true ? alwaysFor(opened, flags.grant) : undefined
  const grant = always === undefined ? grantFor(opened.view.offers, flags) : undefined
  const isRevealed = flags.reveal === true
  showCard(opened, io, isRevealed)
  if (grant !== undefined) await showGrant(grant, open, io)
  const act = actFor(opened.body.supervision, opened.view.risk.level)
  const terminal = io.terminal()
  try {
    const given = { ...flags, yes: flags.yes === true }
    const hidden = mustBeRead(opened) ? maskView(opened).secrets : 0
    const missing = missingConfirmation(act, given, { terminal: terminal !== null, code: opened.code, hidden })
    if (missing.kind === 'refuse') throw new CountersignError('CS_DECISION_CODE', missing.message)
    const decision: Decision = {
      kind: 'approve',
      ...(flags.reason === undefined ? {} : { reason: flags.reason }),
      ...(flags.code === undefined ? {} : { code: flags.code }),
      ...(grant === undefined ? {} : { grant: grant.grant }),
    }
    const said = flags.reason === undefined ? {} : { reason: flags.reason }
    const rule = always === undefined ? undefined : await agreeOnRule(always, opened, said, open, io)
    if (always !== undefined && rule === undefined) {
      say(io, `countersign: ${STILL_HELD} [CS_WITHDRAWN]`)
      return io.exit(1)
    }
    const key = localKey(open.home, (line) => say(io, line), terminal) // created, if missing, before any question
    const unlockFrom = { terminal, fd: flags.passphraseFd, otherwise: STILL_HELD }
    if (missing.kind === 'none' || terminal === null) {
      const approver = await unlock(key, unlockFrom)
      const receipt = await submitDecision(opened, decision, approver, open)
      await printReceipt(receipt, decision, opened, open, io)
      if (receipt.accepted && rule !== undefined) await addAndSay(rule, approver, open, io)
      return
    }
    const isHiding = hidden > 0 && !isRevealed
    if (isHiding) say(io, `${countedWords(hidden, 'secret')} hidden: press v to show, then approve`)
    // With `--passphrase-fd` the key is unlocked before the confirmation; otherwise the prompt asks after it.
    const signing = flags.passphraseFd === undefined ? key : openedKey(await unlock(key, unlockFrom))
    const answered = await askConfirmation(opened, {
      terminal,
      open,
      decision,
      key: signing,
      isRevealed,
      isHiding,
    })
    if (answered !== null) {
      const { receipt, decision: made, approver } = answered
      await printReceipt(receipt, made, opened, open, io)
      if (receipt.accepted && made.kind === 'approve' && rule !== undefined) await addAndSay(rule, approver, open, io)
      return
    }
    say(io, 'countersign: no decision was made; the call is still held [CS_WITHDRAWN]')
    io.exit(1)
  } finally {
    terminal?.close()
  }
}

async function addAndSay(rule: RulesAnswer, approver: LocalApprover, { desk }: OpenDesk, io: Io): Promise<void> {
  const { isAdded, words } = await addRule(desk, rule, { approver, surface: 'cli' })
  if (isAdded && !io.json) return print(io, `  ${words}`)
  say(io, `countersign: ${words}`)
  if (!isAdded) io.exit(EXIT.failed.code)
}

const AGAIN: Stage = { kind: 'again', grant: null }

/** Asks on the terminal for the confirmation that the flags did not provide. Null if the person cancels. */
function askConfirmation(
  opened: OpenedView,
  asked: {
    readonly terminal: Terminal
    readonly open: OpenDesk
    readonly decision: Decision
    readonly key: LocalKey
    /** Secrets are shown from the start. */
    readonly isRevealed: boolean
    /** Secrets must be shown before the confirmation. */
    readonly isHiding: boolean
  },
): Promise<{ readonly receipt: Receipt; readonly decision: Decision; readonly approver: LocalApprover } | null> {
  const { terminal, open, key, isRevealed: revealed } = asked
  const isManual = opened.body.supervision === 'manual'
  return new Promise((resolve, reject) => {
    function giveUp(): void {
      prompt.close('')
      reject(new CountersignError('CS_PASSPHRASE', `wrong passphrase, ${TRIES} times; ${STILL_HELD}`))
    }
    const prompt = openPrompt(
      opened,
      {
        terminal,
        clock: open.ports.clock,
        ...(key.sealed ? { seal: { giveUp } } : {}),
        async decide(typed, passphrase) {
          const decision: Decision = typed.kind === 'reject' ? typed : { ...asked.decision, ...typed }
          await key.recorded
          const approver = key.open(passphrase) // errors go to the prompt, which allows another try
          try {
            const receipt = await submitDecision(opened, decision, approver, open)
            if (receipt.accepted || receipt.state !== 'held') {
              prompt.close('')
              resolve({ receipt, decision, approver })
            }
            return receipt
          } catch (error) {
            prompt.close('')
            reject(error)
            throw error
          }
        },
        withdraw() {
          prompt.close('')
          resolve(null)
        },
      },
      isManual ? { revealed } : { revealed, printed: true, ...(asked.isHiding ? {} : { stage: AGAIN }) },
    )
  })
}
