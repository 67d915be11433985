import { userInfo } from 'node:os'
import { safeText } from '@countersign/core'
import { forgetTools } from '@countersign/mcp'
import { refuseInside } from '../../home/nested-call-guard.ts'
import { withJournal } from '../../journal/open-journal.ts'
import { recordEntry } from '../../journal/record-entry.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { type Io, printJson, say } from '../../terminal/io.ts'
import { isTyped } from '../../terminal/typed-confirmation.ts'

/**
 * Forgets tools, which only tightens, or a whole server, which does not: what it lists next is pinned without a look.
 * So that needs a person on a terminal.
 */
export function forget(label: string, names: readonly string[], io: Io): Promise<void> {
  refuseInside(io)
  return withJournal(io, async (journal) => {
    const { home, crypto } = journal
    if (names.length === 0) {
      const question = `Whatever ${safeText(label)} lists next is pinned as it is. To forget it, type its name: `
      const otherwise = 'a whole server is forgotten on a terminal only; run this in one'
      if (!(await isTyped(label, question, io, otherwise))) {
        io.exit(EXIT.failed.code)
        return say(io, 'nothing was forgotten')
      }
    }
    const by = userInfo().username
    await recordEntry(journal, { kind: 'tool-forgotten', call: null, server: label, tools: names, by })
    const had = forgetTools(home, label, names.length === 0 ? null : names, crypto)
    if (io.json) return printJson(io, { server: label, forgotten: had })
    say(
      io,
      had
        ? `forgot ${names.length === 0 ? 'every tool' : 'them'} of ${safeText(label)}`
        : 'there was nothing to forget',
    )
  })
}
