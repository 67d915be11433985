import { safeText } from '@countersign/core'
import type { CatalogueNote } from '@countersign/mcp'
import type { Home } from '@countersign/node'
import { homeFlag } from '../../home/inbox-address.ts'
import { type Io, say } from '../../terminal/io.ts'

/** L10: past these, one line says that there are more. */
const MOST_LINES = 10

/** Tells the person, on stderr, which tools are in quarantine and what to run: the journal alone is read by nobody in time. */
export function tellQuarantined(label: string, home: Home, io: Io): (note: CatalogueNote) => void {
  const where = `${label}${homeFlag(home)}`
  let told = 0
  return (note) => {
    if (note.kind === 'unwritten')
      return say(io, `countersign: tools of ${label} stay in quarantine: ${safeText(note.why)} [CS_PINS]`)
    if ((note.kind !== 'quarantined' && note.kind !== 'odd-text') || told > MOST_LINES) return
    told += 1
    if (told > MOST_LINES)
      return say(
        io,
        `countersign: there is more to say of the tools of ${label}: see \`countersign mcp tools ${where}\``,
      )
    if (note.kind === 'odd-text')
      return say(
        io,
        `countersign: the definition of ${safeText(`${label}/${note.tool}`)} has characters that hide or pose as others: see \`countersign mcp tools ${where}\``,
      )
    const isShown = note.reason === 'broken' || note.reason === 'twice'
    const next = isShown
      ? `see \`countersign mcp tools ${where}\``
      : `look at it with \`countersign mcp accept ${where}\``
    // How the others are started is for the journal.
    const why = note.reason === 'server' ? note.why.replace(/: .*$/s, '') : note.why
    say(io, `countersign: ${safeText(`${label}/${note.tool}`)} is in quarantine: ${safeText(why)}; ${next}`)
  }
}
