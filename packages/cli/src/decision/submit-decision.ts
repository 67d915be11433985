import {
  type Decision,
  type ErrorCode,
  markOf,
  maskView,
  type OpenedView,
  type Receipt,
  safeText,
} from '@countersign/core'
import { decide, type LocalApprover } from '@countersign/node'
import { createPaint, decidedLine, detailLines, drawCard, mustBeRead } from '@countersign/terminal/card'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { becameOf, becameWords, hasEffect } from './became.ts'
import type { OpenDesk } from './desk.ts'
import { grantedWords } from './grant-flags.ts'

/** Prints the full card before a decision, with folded text in the details and secrets masked unless `isRevealed`. */
export function showCard(opened: OpenedView, io: Io, isRevealed = false): void {
  const look = { columns: io.isTty.stderr ? io.columns : 100, paint: createPaint(io.errorColor) }
  const masked = maskView(opened)
  const shown = isRevealed ? opened : masked
  const card = drawCard(shown, look)
  // SECURITY: A14 what is folded on the card is printed with the details.
  const isFolded = card.folded > 0 && mustBeRead(opened)
  const details = isFolded ? detailLines(shown, { ...look, covered: !isRevealed && masked.secrets > 0 }) : []
  for (const line of [...card.lines, ...details]) say(io, line)
  say(io)
}

/** Added to errors when the key cannot be unlocked. */
export const STILL_HELD = 'no decision was made, the call is still held'

/** Signs a decision with the local key and submits it. */
export function submitDecision(
  opened: OpenedView,
  decision: Decision,
  approver: LocalApprover,
  { desk, ports }: Pick<OpenDesk, 'desk' | 'ports'>,
): Promise<Receipt> {
  return decide(desk, opened.view, decision, { approver, surface: 'cli', crypto: ports.crypto })
}

/** Prints the receipt of a decision and what became of the call. Without an effect, it sets the exit code. */
export async function printReceipt(
  receipt: Receipt,
  decision: Decision,
  { view }: OpenedView,
  open: OpenDesk,
  io: Io,
): Promise<void> {
  const isApproved = receipt.accepted && decision.kind === 'approve'
  const became = isApproved ? await becameOf(view.id, open) : null
  if (!receipt.accepted || !hasEffect(became)) io.exit(EXIT.failed.code)
  const words = receipt.accepted && hasEffect(became) ? grantedWords(view.offers, decision) : null
  const outcome = became?.kind === 'over' ? { outcome: became.outcome } : {}
  if (io.json) printJson(io, { ...receipt, ...outcome, ...(words === null ? {} : { grant: words }) })
  else if (receipt.accepted) {
    print(io, `${acceptedLine(receipt, decision, io)} · ${safeText(markOf(view))}`)
    if (words !== null) print(io, `  also allowed from now on: ${safeText(words)}`)
    if (became !== null) print(io, `  ${becameWords(became)}`)
  } else say(io, `countersign: the decision was not accepted: ${safeText(receipt.message)} [${lateCode(receipt)}]`)
}

function acceptedLine({ by, at }: Receipt, { kind, reason }: Decision, io: Io): string {
  return decidedLine({ kind, by: by ?? 'you', at, reason }, createPaint(io.color))
}

function lateCode({ state }: Receipt): ErrorCode {
  return state === 'held' ? 'CS_DECISION_MISMATCH' : 'CS_DECISION_LATE'
}
