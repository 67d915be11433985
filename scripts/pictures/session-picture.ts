import { drawPainted, rowPlace, windowPicture } from './terminal-picture.ts'

/** One frame of a session: the rows of the screen with colours, and its duration. */
export interface Moment {
  readonly lines: readonly string[]
  readonly seconds: number
}

/**
 * Frames in an endless loop. A row that occurs in several of them is drawn once; readers who prefer reduced motion see
 * the frame `still`.
 */
export function sessionPicture(
  moments: readonly Moment[],
  look: { readonly columns: number; readonly rows: number; readonly title: string; readonly still: number },
): string {
  const known = new Map<string, string>()
  const total = moments.reduce((sum, { seconds }) => sum + seconds, 0)
  const rules: string[] = []
  let from = 0
  const shown = moments.map(({ lines, seconds }, at) => {
    const [start, end] = [(from / total) * 100, ((from + seconds) / total) * 100].map((part) => part.toFixed(2))
    from += seconds
    const before = at === 0 ? '' : `0%{visibility:hidden}${start}%{visibility:visible}`
    rules.push(`@keyframes k${at}{${before === '' ? '0%{visibility:visible}' : before}${end}%,100%{visibility:hidden}}`)
    rules.push(`@media (prefers-reduced-motion:no-preference){#m${at}{animation:k${at} ${total}s step-end infinite}}`)
    const rows = lines.map((line, row) => (line.trim() === '' ? '' : place(line, row)))
    return `<g class="m" id="m${at}">${rows.join('')}</g>`
  })

  function place(line: string, row: number): string {
    const id = known.get(line) ?? `r${known.size}`
    known.set(line, id)
    return `<use href="#${id}" y="${rowPlace(row)}"/>`
  }

  const still = `@media (prefers-reduced-motion:reduce){#m${look.still}{visibility:visible}}`
  const drawn = [...known].map(([line, id]) => `<g id="${id}">${drawPainted(line).join('')}</g>`)
  return windowPicture(look, [
    `<style>.m{visibility:hidden}${rules.join('')}${still}</style>`,
    `<defs>${drawn.join('\n')}</defs>`,
    ...shown,
  ])
}
