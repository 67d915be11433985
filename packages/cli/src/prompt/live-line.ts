import { displayWidth, type SafeText, safeText, wrapText } from '@countersign/core'
import type { Paint, PromptLine } from '@countersign/terminal/card'
import type { Terminal } from '../terminal/controlling-terminal.ts'

/** The last line on the terminal: redrawn in place, or printed again on plain terminals when it changes. */
export interface LiveLine {
  show(line: PromptLine): void
  /** Prints permanent lines above it. */
  above(lines: readonly string[]): void
  /** Replaces it with a final line, or removes it. */
  end(line: string): void
}

export function createLiveLine(terminal: Terminal, paint: Paint): LiveLine {
  return terminal.plain ? printedLine(terminal) : drawnLine(terminal, paint)
}

const CLEAR = '\r\x1b[2K'

function drawnLine(terminal: Terminal, paint: Paint): LiveLine {
  let shown = ''
  return {
    show({ ask, field, left }) {
      const room = Math.max(10, terminal.columns - 1)
      const words = clip(ask as SafeText, room - left.length - 4)
      const text = field === null ? '' : ` ${tail(safeText(field), Math.max(1, room - left.length - words.length - 6))}`
      const time = paint(left, left.startsWith('!') ? 'red' : 'dim')
      const line = `${paint('❯', 'cyan')} ${time}  ${paint(words, 'bold')}${text}`
      if (line === shown) return
      shown = line
      terminal.write(`${CLEAR}${line}`)
    },
    above(lines) {
      terminal.write(`${shown === '' ? '' : CLEAR}${lines.map((line) => `${line}\n`).join('')}${shown}`)
    },
    end(line) {
      terminal.write(line === '' ? CLEAR : `${CLEAR}${line}\n`)
    },
  }
}

/** Cuts a text to the screen width: a wrapped line could not be redrawn. */
function clip(text: SafeText, columns: number): string {
  return wrapText(text, Math.max(4, columns))[0] ?? text
}

/** The end of a text that does not fit. */
function tail(text: SafeText, columns: number): string {
  if (displayWidth(text) <= columns) return text
  return `…${Array.from(text)
    .slice(-Math.max(1, columns - 1))
    .join('')}`
}

/** For plain terminals: prints the time left at the start and near the end. */
function printedLine(terminal: Terminal): LiveLine {
  let said = ''
  let typed: string | null = null
  let warned = false

  function newline(): void {
    if (typed !== null) terminal.write('\n')
    typed = null
  }

  function echo(field: string): void {
    const before = typed ?? ''
    let same = 0
    while (same < before.length && before[same] === field[same]) same += 1
    for (const one of Array.from(before.slice(same)).reverse())
      terminal.write('\b \b'.repeat(displayWidth(safeText(one))))
    terminal.write(safeText(field.slice(same)))
    typed = field
  }

  return {
    show({ ask, passing, field, left }) {
      if (ask !== said && !passing) {
        newline()
        terminal.write(field === null ? `> ${ask}${said === '' ? ` (${left})` : ''}\n` : `> ${ask} `)
        said = ask
        if (field !== null) typed = ''
      }
      if (left.startsWith('!') && !warned) {
        warned = true
        terminal.write(`${typed === null ? '' : '\n'}${left}\n`)
        if (typed !== null) terminal.write(`> ${ask} ${safeText(typed)}`)
      }
      if (field !== null) echo(field)
    },
    above(lines) {
      newline()
      said = said === '' ? '' : ' '
      for (const line of lines) terminal.write(`${line}\n`)
    },
    end(line) {
      newline()
      if (line !== '') terminal.write(`${line}\n`)
    },
  }
}
