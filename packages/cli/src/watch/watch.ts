import { CountersignError, safeText } from '@countersign/core'
import { createPaint } from '@countersign/terminal/card'
import { Option } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { type OpenDesk, withDesk } from '../decision/desk.ts'
import { localKey } from '../home/approver-key.ts'
import { createNotifier, NOTIFY_WAYS, type NotifyWay, notifying } from '../notify/terminal-notifier.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, say } from '../terminal/io.ts'
import { hasScreen, loadTerminal } from '../terminal/screen.ts'
import { openSource } from './queue-source.ts'

interface WatchFlags {
  readonly notify: NotifyWay
  readonly linear?: boolean
}

/** `countersign watch`: reviews held calls of the home in this terminal. */
export const command: Subcommand = {
  name: 'watch',
  summary: 'review held calls as they arrive',
  define(command, io) {
    addExamples(command, [
      ['countersign watch', 'review held calls one by one'],
      ['countersign watch --linear', 'plain lines for screen readers'],
    ])
    command
      .option('--linear', 'plain lines for screen readers')
      .addOption(new Option('--notify <how>', 'how to notify you of held calls').choices(NOTIFY_WAYS).default('bell'))
      .action(async (flags: WatchFlags) => {
        if (!hasScreen(io)) return refuse(io)
        await withDesk(io, (_, open) => watch(flags, open, io))
      })
  },
}

function refuse(io: Io): void {
  const { message, code } = new CountersignError(
    'CS_NO_INTERFACE',
    'watch needs a terminal; use `countersign held`, or open the inbox with `countersign inbox`',
  )
  say(io, `countersign: ${message} [${code}]`)
  io.exit(EXIT.unasked.code)
}

async function watch({ linear, notify }: WatchFlags, open: OpenDesk, io: Io): Promise<void> {
  const key = localKey(open.home, (line) => say(io, line))
  const isLinear = linear === true || io.env['INK_SCREEN_READER'] === 'true'
  const { receiptText, runQueue } = await loadTerminal()
  const receipts = await runQueue({
    source: notifying(openSource(open, key, io), createNotifier(notify, io)),
    color: io.color,
    title: safeText(`waiting for calls in ${open.home.dir}`),
    stdout: io.stdout,
    linear: isLinear,
  })
  // Print the receipts again after the alternate screen closes.
  for (const receipt of receipts) print(io, receiptText(receipt, io.columns, createPaint(io.color)))
}
