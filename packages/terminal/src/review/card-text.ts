import { maskView, type OpenedView, safeText } from '@countersign/core'
import { type CardLook, drawCard } from '../card/card.ts'
import type { CardPower, CardState } from '../card/card-state.ts'
import { detailLines, digestLines } from '../card/details.ts'
import { editRows } from '../card/preview/files.ts'
import { mustBeRead, type PromptFacts } from '../card/prompt/choice.ts'
import { helpLines } from '../card/prompt/line.ts'
import { jsonLines } from '../card/text/json-lines.ts'
import { createRows } from '../card/text/rows.ts'

/** The rows of a card, and how many must be read before approving. */
export interface CardText {
  readonly rows: readonly string[]
  readonly needed: number
  readonly secrets: number
}

type Shown = Pick<CardState, 'revealed' | 'details' | 'edited'>

/** The full text of a card. INVARIANT: L5 drawn from the verified view; only secrets are masked, until `v`. */
export function cardText(opened: OpenedView, shown: Shown, look: CardLook & { readonly tight?: boolean }): CardText {
  const masked = maskView(opened)
  const seen = shown.revealed ? opened : masked
  const edit = createRows(look.columns, look.paint)
  if (shown.edited !== null) editRows(opened.body.call.args, shown.edited, shown.revealed, edit)
  const card = drawCard(seen, { ...look, header: false })
  const isRead = mustBeRead(opened)
  // SECURITY: A14 folded text counts as read only after the details.
  const isWhole = opened.body.supervision !== 'manual' && !(isRead && card.folded > 0)
  const details =
    isWhole && !shown.details ? [] : detailLines(seen, { ...look, covered: !shown.revealed && masked.secrets > 0 })
  // In a small window the rows between the parts go first; text of the call is never on a row of its own without a mark.
  const spaced = (lines: readonly string[]) => (look.tight === true ? lines.filter((line) => line !== '') : lines)
  const own = spaced([...edit.lines, ...card.lines])
  const rows = [...own, ...spaced(details)]
  const needed = !isRead ? 0 : isWhole ? own.length : rows.length
  return { rows, needed, secrets: masked.secrets }
}

/** The arguments as JSON. */
export function rawText(opened: OpenedView, { revealed, edited }: Shown, look: CardLook): readonly string[] {
  const rows = createRows(look.columns, look.paint)
  const args = edited ?? (revealed ? opened : maskView(opened)).body.call.args
  rows.text(safeText('arguments as JSON (Esc to go back)'), { styles: ['bold'] })
  rows.gap()
  rows.block(jsonLines(args))
  return [...rows.lines, ...digestLines(opened, look)]
}

const POWER_HELP: Readonly<Record<CardPower, string>> = {
  edit: 'e        edit the text, or the arguments, in your editor; E always edits all arguments as JSON',
  copy: 'c        copy the command, or the arguments',
  queue: 'j, k     next and previous call',
  full: 'f        full screen on and off',
  batch: 'b        decide similar low-risk calls together',
  undo: 'u        undo the file changes of the last approved call',
  rate: 'w, p     the last question was worth asking, or pointless; recorded, and changes no rule',
  pause: 's        stop: hold every call of every agent and suspend grants; s again resumes',
  resume: 's        resume: calls run again as your policy and grants allow; asks first',
  quit: 'q        quit; held calls stay held',
  filter: '/        filter the queue: words, and agent: risk: tool: in: before a word',
  leave: 'Esc      leave the full screen',
}

/** Help for all keys. */
export function helpText(facts: PromptFacts, powers: ReadonlySet<CardPower>, look: CardLook): readonly string[] {
  const rows = createRows(look.columns, look.paint)
  const own = helpLines(facts).map((line) =>
    line.startsWith('Ctrl-C') && powers.has('quit') ? 'Ctrl-C   quit; held calls stay held' : line,
  )
  const more = (Object.keys(POWER_HELP) as CardPower[]).filter((power) => powers.has(power))
  const lines = [
    'keys (Esc to go back)',
    '',
    ...own,
    'Space    scroll down; arrows, PgUp, PgDn, Home and End also scroll',
    'x        show the arguments as JSON, and the digests',
    ...more.map((power) => POWER_HELP[power]),
  ]
  for (const line of lines)
    if (line === '') rows.gap()
    else rows.text(safeText(line))
  return rows.lines
}
