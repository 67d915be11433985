/** Draws `docs/pictures/flow.svg`, the path of one call. Run `npx node scripts/draw-flow.ts` after a change here. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const STEPS = [
  { name: 'call', says: ['freezes the', 'arguments'] },
  { name: 'risk', says: ['rates the', 'possible harm'] },
  { name: 'policy', says: ['applies your', 'rules'] },
  { name: 'safety', says: ['runs your', 'safety checks'] },
  { name: 'approval', says: ['a person decides', 'if required'] },
  { name: 'execute', says: ['checks again,', 'runs once'] },
] as const

/** Below each step: how a call can end there without running. */
const WAYS_OUT = ['invalid call', '', 'denied', 'a check failed', 'rejected, expired', 'a file changed']

const WIDTH = 1060
const HEIGHT = 340
const BOX = { width: 122, height: 84, gap: 24, left: 104, top: 104 }
const COLORS = {
  ground: '#10161d',
  line: '#8fa1b3',
  box: '#1c2733',
  text: '#eef3f8',
  quiet: '#b4c2d0',
  person: '#f2c14e',
  yes: '#7bd88f',
  no: '#ff8f87',
}

/** The picture. It has its own background, so that it looks the same on light and dark pages. */
export function flowPicture(): string {
  const middle = BOX.top + BOX.height / 2
  const right = leftOf(STEPS.length - 1) + BOX.width
  const journal = { top: 262, height: 40 }
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title" font-family="system-ui, 'DejaVu Sans', sans-serif">`,
    '<title id="title">An agent’s call goes through call, risk, policy, safety, approval and execute before the tool runs. A person decides at approval. The journal records every step.</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="12" fill="${COLORS.ground}"/>`,
    words(BOX.left - 14, middle - 4, 'an agent', { color: COLORS.quiet, anchor: 'end', size: 13 }),
    words(BOX.left - 14, middle + 14, 'asks', { color: COLORS.quiet, anchor: 'end', size: 13 }),
    words(right + 14, middle - 4, 'the tool', { color: COLORS.yes, anchor: 'start', size: 13 }),
    words(right + 14, middle + 14, 'runs', { color: COLORS.yes, anchor: 'start', size: 13 }),
    ...STEPS.map((step, at) => box(step, at)),
    ...STEPS.slice(1).map((_, at) => arrow(leftOf(at) + BOX.width, middle, leftOf(at + 1), middle)),
    person(centreOf(4)),
    `<rect x="${BOX.left}" y="${journal.top}" width="${right - BOX.left}" height="${journal.height}" rx="8" fill="${COLORS.box}" stroke="${COLORS.line}"/>`,
    words(WIDTH / 2, journal.top + 25, 'journal: records every step, and each run before it starts', {
      color: COLORS.text,
      size: 15,
    }),
    ...STEPS.map((_, at) => arrow(centreOf(at), BOX.top + BOX.height, centreOf(at), journal.top)),
    refusals(journal.top),
    '</svg>',
  ].join('\n')}\n`
}

function leftOf(at: number): number {
  return BOX.left + at * (BOX.width + BOX.gap)
}

function centreOf(at: number): number {
  return leftOf(at) + BOX.width / 2
}

function box({ name, says }: (typeof STEPS)[number], at: number): string {
  const border = name === 'approval' ? COLORS.person : COLORS.line
  return [
    `<rect x="${leftOf(at)}" y="${BOX.top}" width="${BOX.width}" height="${BOX.height}" rx="8" fill="${COLORS.box}" stroke="${border}"/>`,
    words(centreOf(at), BOX.top + 30, name, { color: COLORS.text, size: 18, weight: 600 }),
    ...says.map((line, row) => words(centreOf(at), BOX.top + 52 + row * 17, line, { color: COLORS.quiet, size: 13 })),
  ].join('\n')
}

/** The approver is drawn outside of the row, since no step can take that role. */
function person(x: number): string {
  return [
    `<circle cx="${x - 58}" cy="32" r="8" fill="${COLORS.person}"/>`,
    `<path d="M${x - 72} 62a14 16 0 0 1 28 0z" fill="${COLORS.person}"/>`,
    words(x - 34, 40, 'a person', { color: COLORS.person, anchor: 'start', size: 14, weight: 600 }),
    words(x - 34, 58, 'approves or rejects', { color: COLORS.quiet, anchor: 'start', size: 13 }),
    arrow(x, 68, x, BOX.top),
  ].join('\n')
}

function refusals(top: number): string {
  const y = top - 34
  return [
    ...WAYS_OUT.map((text, at) => words(centreOf(at) + 10, y, text, { color: COLORS.no, anchor: 'start', size: 13 })),
    words(WIDTH / 2, HEIGHT - 14, 'in red: ways not to run. Whatever fails, the tool does not run.', {
      color: COLORS.no,
      size: 13,
    }),
  ].join('\n')
}

interface Look {
  readonly color: string
  readonly size: number
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly weight?: number
}

function words(x: number, y: number, text: string, look: Look): string {
  const weight = look.weight === undefined ? '' : ` font-weight="${look.weight}"`
  return `<text x="${x}" y="${y}" fill="${look.color}" font-size="${look.size}" text-anchor="${look.anchor ?? 'middle'}"${weight}>${text}</text>`
}

function arrow(x1: number, y1: number, x2: number, y2: number): string {
  const tip = x1 === x2 ? `M${x2 - 5} ${y2 - 9}L${x2 + 5} ${y2 - 9}` : `M${x2 - 9} ${y2 - 5}L${x2 - 9} ${y2 + 5}`
  return `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="${COLORS.line}" stroke-width="1.5"/><path d="${tip}L${x2} ${y2}z" fill="${COLORS.line}"/>`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../docs/pictures/flow.svg', import.meta.url), flowPicture())
}
