import {
  CountersignError,
  proposalDiff,
  proposalWords,
  type RulesEdit,
  type RulesProposal,
  safeText,
} from '@countersign/core'
import { changeRules } from '@countersign/node'
import { withDesk } from '../decision/desk.ts'
import { localKey } from '../home/approver-key.ts'
import { refuseInside } from '../home/nested-call-guard.ts'
import { unlock } from '../home/unlock.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { isTyped } from '../terminal/typed-confirmation.ts'

export interface ChangeFlags {
  readonly reason?: string
  readonly passphraseFd?: string
}

const NOTHING_CHANGED = 'nothing was changed'

/** Shows a change of the rules, asks, signs it with the local key, and applies it. */
export async function changePolicy(edit: RulesEdit, flags: ChangeFlags, io: Io): Promise<void> {
  refuseInside(io)
  await withDesk(io, async (desk, { home }) => {
    const proposal = await desk.rules().propose(edit)
    const { change, act, failing, code } = proposal
    if (!io.json) show(proposal, io)
    if (act.passkey)
      throw new CountersignError(
        'CS_DECISION_PASSKEY',
        `only a passkey can approve some of these calls; ${NOTHING_CHANGED}`,
      )
    if (failing.length > 0 && (edit.kind === 'set' || edit.kind === 'add'))
      throw new CountersignError(
        'CS_POLICY_INVALID',
        `tests of your policy would fail; change them first, ${NOTHING_CHANGED}`,
      )
    if (act.typed && !flags.reason?.trim())
      throw new CountersignError('CS_DECISION_CODE', 'this loosens calls under manual supervision; give a `--reason`')
    // INVARIANT: L8, only what tightens is applied without a question.
    if (act.loosens && !(await isAgreed(act.typed ? code : 'yes', io))) return say(io, NOTHING_CHANGED)
    const terminal = io.terminal()
    try {
      const key = localKey(home, (line) => say(io, line), terminal)
      const approver = await unlock(key, { terminal, fd: flags.passphraseFd, otherwise: NOTHING_CHANGED })
      const { reason } = flags
      await changeRules(
        desk,
        { proposal, code, ...(reason === undefined ? {} : { reason }) },
        { approver, surface: 'cli' },
      )
    } finally {
      terminal?.close()
    }
    if (io.json) return printJson(io, { change: change.seq, what: change.what })
    print(io, `change ${change.seq} applied: ${safeText(change.what)}`)
  })
}

function isAgreed(word: string, io: Io): Promise<boolean> {
  const otherwise = `no terminal to ask on; ${NOTHING_CHANGED}`
  return isTyped(word, `This loosens your policy. To apply it, type ${word} (anything else cancels): `, io, otherwise)
}

function show(proposal: RulesProposal, io: Io): void {
  for (const line of [...proposalDiff(proposal), ...proposalWords(proposal)]) say(io, safeText(line))
}
