import { userInfo } from 'node:os'
import { safeText } from '@countersign/core'
import { forgetTools } from '@countersign/mcp'
import { withJournal } from '../../journal/open-journal.ts'
import { recordEntry } from '../../journal/record-entry.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { type Io, printJson, say } from '../../terminal/io.ts'
import { isTyped } from '../../terminal/typed-confirmation.ts'

/**
 * Forgets single tools, which only tightens; or a whole server, whose next listing is then pinned without review. The latter
 * needs a person on a terminal.
 */
export function forget(label: string, names: readonly string[], io: Io): Promise<void> {
  return withJournal(io, async (journal) => {
    const { home, crypto } = journal
    if (names.length === 0) {
      const question = `The next tools that ${safeText(label)} lists will be pinned without review. To forget it, type its name: `
      const otherwise = 'forgetting a whole server needs a terminal; run this in one'
      if (!(await isTyped(label, question, io, otherwise))) {
        io.exit(EXIT.failed.code)
        return say(io, 'nothing was forgotten')
      }
    }
    const by = userInfo().username
    await recordEntry(journal, { kind: 'tool-forgotten', call: null, server: label, tools: names, by })
    const had = forgetTools(home, label, names.length === 0 ? null : names, crypto)
    if (io.json) return printJson(io, { server: label, forgotten: had })
    const what = names.length === 0 ? 'every tool' : names.length === 1 ? '1 tool' : `${names.length} tools`
    say(io, had ? `forgot ${what} of ${safeText(label)}` : 'nothing to forget')
  })
}
