import { CountersignError, safeText } from '@countersign/core'
import { createPaint } from '@countersign/terminal/card'
import { Option } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { type OpenDesk, withDesk } from '../decision/desk.ts'
import { localKey } from '../home/approver-key.ts'
import { refuseInside } from '../home/nested-call-guard.ts'
import { createNotifier, NOTIFY_WAYS, type NotifyWay, notifying } from '../notify/notify.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, say } from '../terminal/io.ts'
import { hasScreen, loadTerminal } from '../terminal/screen.ts'
import { openSource } from './queue-source.ts'

interface WatchFlags {
  readonly notify: NotifyWay
  readonly linear?: boolean
}

/** `countersign watch`: the queue of the store on this terminal, whoever asks. */
export const command: Subcommand = {
  name: 'watch',
  summary: 'see and decide what is held, as it comes',
  define(command, io) {
    addExamples(command, [
      ['countersign watch', 'the queue, one call after the other'],
      ['countersign watch --linear', 'text in lines, without frames: for a screen reader'],
    ])
    command
      .option('--linear', 'text in lines, without frames: for a screen reader')
      .addOption(
        new Option('--notify <how>', 'how you are called when a call is held').choices(NOTIFY_WAYS).default('bell'),
      )
      .action(async (flags: WatchFlags) => {
        if (!hasScreen(io)) return refuse(io)
        refuseInside(io)
        await withDesk(io, (_, open) => watch(flags, open, io))
      })
  },
}

function refuse(io: Io): void {
  const { message, code } = new CountersignError(
    'CS_NO_INTERFACE',
    'watch needs a terminal to show the queue on; list it with `countersign held`, or open `countersign inbox`',
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
    title: safeText(`waiting for calls of ${open.home.dir}`),
    stdout: io.stdout,
    linear: isLinear,
  })
  // What was decided stays readable after the screen is given back.
  for (const receipt of receipts) print(io, receiptText(receipt, io.columns, createPaint(io.color)))
}
