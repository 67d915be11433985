import { existsSync } from 'node:fs'
import { CountersignError, publicFields, safeText } from '@countersign/core'
import { beginRecovery, finishRecovery, readApprovers, rulesPath, systemClock } from '@countersign/node'
import { shortId } from '../arguments/ids.ts'
import { accountName, localKey, showRecoveryCodes } from '../home/approver-key.ts'
import { unlock } from '../home/unlock.ts'
import { withJournal } from '../journal/open-journal.ts'
import { recordEntry } from '../journal/record-entry.ts'
import type { Terminal } from '../terminal/controlling-terminal.ts'
import { askHidden } from '../terminal/hidden-input.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { endKey } from './end-key.ts'

const UNCHANGED = 'nothing was changed'

/** `approvers codes`: new recovery codes, on the terminal only. */
export async function codes({ passphraseFd: fd }: { readonly passphraseFd?: string }, io: Io): Promise<void> {
  await onTerminal(io, 'the codes are shown only on a terminal; run this command in one', (terminal) =>
    withJournal(io, async (journal) => {
      const key = localKey(journal.home, () => {})
      const { approver } = await unlock(key, { terminal, fd, otherwise: UNCHANGED })
      await recordEntry(journal, { kind: 'recovery-codes-made', call: null, key: approver.id, by: accountName() })
      showRecoveryCodes(journal.home, approver.id, terminal)
      if (io.json) printJson(io, { shown: true })
    }),
  )
}

/**
 * `approvers recover`: a new local key in the place of a lost one. SECURITY: A2 the code is read from the terminal itself,
 * which a program without one cannot answer.
 */
export async function recover(io: Io): Promise<void> {
  await onTerminal(io, 'the recovery code is typed on a terminal; run this command in one', (terminal) =>
    withJournal(io, async (journal) => {
      const { home } = journal
      const by = accountName()
      const typed = await askHidden(terminal, 'recovery code (not shown): ', (text) => text)
      if (typed === null || typed.trim() === '') throw refusal('no recovery code entered')
      const answer = beginRecovery(home, typed, { name: by, now: systemClock.now() })
      switch (answer.kind) {
        case 'none':
          throw refusal('this home has no recovery codes; a missing key is created by your next decision')
        case 'wait':
          throw refusal(`too many wrong recovery codes; try again at ${new Date(answer.until).toISOString()}`)
        case 'wrong':
          await recordEntry(journal, { kind: 'recovery-refused', call: null, by, left: answer.left })
          throw refusal(`the recovery code is wrong or used; attempts left before a wait: ${answer.left}`)
        case 'begun':
      }
      const { replaces, key, left } = answer.recovery
      const lost = readApprovers(home).find(({ id }) => id === replaces)
      await recordEntry(
        journal,
        { kind: 'key-recovered', call: null, key, replaces, left, by },
        lost && { replaced: { name: lost.name, ...publicFields(lost) } },
      )
      finishRecovery(home, answer.recovery)
      const ended = await endKey(home, replaces, io)
      if (io.json) return printJson(io, { key, replaces, left, revoked: ended.revoked, signedOut: ended.signedOut })
      print(io, [`replaced ${shortId(replaces)} with the new key ${shortId(key)}`, ...ended.words].join(', and '))
      say(io, `recovery codes left: ${left}; \`countersign approvers codes\` makes new ones`)
      say(io, 'tier T1: any program running as you could use the key; protect it with `countersign approvers seal`')
      if (existsSync(rulesPath(home)))
        say(
          io,
          safeText('rules you set at the desk were signed by the old key; sign them with `countersign policy sign`'),
        )
    }),
  )
}

async function onTerminal(io: Io, otherwise: string, work: (terminal: Terminal) => Promise<void>): Promise<void> {
  const terminal = io.terminal()
  if (terminal === null) throw new CountersignError('CS_NO_INTERFACE', otherwise)
  try {
    await work(terminal)
  } finally {
    terminal.close()
  }
}

function refusal(what: string): CountersignError {
  return new CountersignError('CS_SIGN_IN', `${what}; ${UNCHANGED}`)
}
