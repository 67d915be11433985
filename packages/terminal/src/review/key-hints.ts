import { displayWidth, safeText } from '@countersign/core'
import { type CardFacts, type CardPower, type CardState, hasSkipped } from '../card/card-state.ts'
import { actionWords } from '../card/prompt/line.ts'
import { cutText } from '../card/text/format.ts'

const POWER_WORDS: Readonly<Partial<Record<CardPower, string>>> = {
  edit: 'e edit',
  queue: 'j/k queue',
  filter: '/ filter',
  batch: 'b batch',
  undo: 'u undo',
  rate: 'w/p worth asking?',
  full: 'f full',
  copy: 'c copy',
  pause: 's stop all',
  resume: 's resume',
}

const HELP = '? keys'

/** Key hints in a number of rows, most important first; the help lists all of them. */
export function actionLines(facts: CardFacts, state: CardState, columns: number, rows: number): readonly string[] {
  const { stage } = state.prompt
  if (stage.kind !== 'choose' || state.page !== 'card') return padded([wordsOf(stage.kind, state.page)], rows)
  const powers = (Object.keys(POWER_WORDS) as CardPower[]).filter((power) => facts.powers.has(power))
  const words: readonly string[] = [
    ...actionWords({ ...facts, pages: facts.rows > facts.window ? 2 : 1 }).filter((word) => !word.startsWith('?')),
    ...powers.map((power) => POWER_WORDS[power] ?? ''),
  ].toSorted((one, other) => rank(one) - rank(other))
  return padded(layWords(words, HELP, columns, rows), rows)
}

/** Keys that only some cards have come first: people do not look for them otherwise. */
function rank(word: string): number {
  if (word.startsWith('y ') || word.startsWith('n ')) return 0
  return word.startsWith('v ') || word.startsWith('b ') ? 1 : 2
}

/** Lays out words in a number of rows, as many as fit, always ending with `last`. */
export function layWords(words: readonly string[], last: string, columns: number, rows: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const [at, word] of words.entries()) {
    const longer = line === '' ? word : `${line} · ${word}`
    // Leave room for the last word.
    const isLast = lines.length === rows - 1 || at === words.length - 1
    if (width(longer) <= columns - (isLast ? width(last) + 3 : 0)) {
      line = longer
      continue
    }
    if (lines.length === rows - 1) break
    lines.push(line)
    line = word
  }
  return [...lines, line === '' ? last : `${line} · ${last}`]
}

function wordsOf(stage: CardState['prompt']['stage']['kind'], page: CardState['page']): string {
  if (page !== 'card') return 'Esc back'
  switch (stage) {
    case 'again':
      return 'y approve · any other key to go back'
    case 'grant':
      return 'press a key to choose · Esc back'
    case 'code':
    case 'passphrase':
    case 'reason':
      return 'Enter to confirm · Esc back'
    default:
      return ''
  }
}

function padded(lines: readonly string[], rows: number): readonly string[] {
  return [...lines, ...Array.from({ length: rows - lines.length }, (_, at) => ' '.repeat(at + 1))]
}

function width(text: string): number {
  return displayWidth(text as Parameters<typeof displayWidth>[0])
}

/** The scroll hint: rows below the window, and skipped rows. */
export function scrollHint(state: CardState, facts: CardFacts, columns: number): string {
  const { rows, window } = facts
  if (rows <= window) return ''
  const below = rows - Math.min(rows, state.top + window)
  const where = hasSkipped(state, facts)
    ? `▲ read up to row ${state.prompt.read} of ${rows}, Space continues there`
    : below === 0
      ? `end of ${rows} rows, Home for the top`
      : `▼ ${below} of ${rows} rows below, Space to scroll`
  return cutText(safeText(where), columns)
}
