import {
  CountersignError,
  countedWords,
  type RulesEdit,
  type RulesProposal,
  rulesMessage,
  safeText,
} from '@countersign/core'
import { systemClock } from '@countersign/node'
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

const MOST_SHOWN = 10
const NOTHING_CHANGED = 'nothing was changed'

/** Shows a change of the rules, asks, signs it with the local key, and applies it. */
export async function changeRules(edit: RulesEdit, flags: ChangeFlags, io: Io): Promise<void> {
  refuseInside(io)
  await withDesk(io, async (desk, { home }) => {
    const proposal = await desk.rules().propose(edit)
    const { change, rules, act, failing, code } = proposal
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
      const { approver, signer } = await unlock(key, { terminal, fd: flags.passphraseFd, otherwise: NOTHING_CHANGED })
      const reason = flags.reason?.trim() ? flags.reason : null
      const said = {
        code: act.typed ? code : null,
        reason,
        approver: approver.id,
        surface: 'cli',
        at: systemClock.now(),
      }
      const claim = { ...change, ...said }
      await desk.rules().apply({ ...claim, signature: signer.sign(rulesMessage(claim)) }, rules)
    } finally {
      terminal?.close()
    }
    if (io.json) return printJson(io, { change: change.seq, what: change.what })
    print(io, `change ${change.seq} applied: ${safeText(change.what)}`)
  })
}

function isAgreed(word: string, io: Io): Promise<boolean> {
  const otherwise = `there is no terminal to ask on; ${NOTHING_CHANGED}`
  return isTyped(word, `This loosens your policy. To apply it, type ${word} (anything else cancels): `, io, otherwise)
}

function show({ diff, effects, failing }: RulesProposal, io: Io): void {
  for (const { lines } of diff)
    for (const { kind, text } of lines)
      say(io, safeText(`${kind === 'added' ? '+' : kind === 'removed' ? '-' : ' '} ${text}`))
  const { of, unknown, changed } = effects
  say(
    io,
    `would change ${changed.length} of the last ${countedWords(of, 'call')}${unknown === 0 ? '' : `; ${unknown} could not be judged again`}`,
  )
  for (const one of changed.slice(0, MOST_SHOWN))
    say(io, safeText(`  ${one.before} → ${one.after}: ${one.tool} ${one.about}`))
  if (changed.length > MOST_SHOWN) say(io, `  and ${changed.length - MOST_SHOWN} more`)
  for (const line of failing) say(io, safeText(`  would fail: ${line}`))
}
