import { type JournalVerdict, safeText, verifyJournal } from '@countersign/core'
import { type Home, openCrypto, openGateKey, openHeads, openSqliteStore } from '@countersign/node'
import { Option } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { showChat } from '../chat/show-chat.ts'
import { localKey } from '../home/approver-key.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson } from '../terminal/io.ts'
import { hasScreen } from '../terminal/screen.ts'
import { openInbox } from './inbox.ts'
import { type Answers, play } from './playback.ts'
import { OPENING, openStage, type Stage } from './sandbox.ts'
import { conclusion, introduction, keepPlayed, unattended } from './summary.ts'

interface DemoFlags {
  readonly answers?: 'approve' | 'reject'
  readonly keep?: boolean
  readonly linear?: boolean
}

/** Between two words, so that one can read along. */
const PACE_MS = 25

/** `countersign demo`, which is `npm start`: a chat with a scripted agent, on a gate of its own, with the inbox beside it. */
export const command: Subcommand = {
  name: 'demo',
  summary: 'try it: a scripted agent, and you decide',
  define(command, io) {
    addExamples(command, [
      ['countersign demo', 'you decide which calls run'],
      ['countersign demo --answers reject', 'unattended: reject every held call'],
    ])
    command
      .addOption(new Option('--answers <decision>', 'answer every held call this way').choices(['approve', 'reject']))
      .option('--keep', 'keep the temporary folder and its journal')
      .option('--linear', 'plain lines for screen readers')
      .action((flags: DemoFlags) => demo(flags, io))
  },
}

async function demo(flags: DemoFlags, io: Io): Promise<void> {
  const isWatched = flags.answers === undefined && !io.json && hasScreen(io)
  const answers: Answers = flags.answers ?? 'nobody'
  const tell = io.json ? (): void => {} : (line: string): void => print(io, line)
  const stage = await openStage(isWatched ? '5m' : answers === 'nobody' ? '2s' : '2m', isWatched ? PACE_MS : 0)
  const { conversation } = stage
  const { home } = conversation.opened
  try {
    const played = keepPlayed(conversation)
    const ended = isWatched ? await show(stage, flags, io) : await playAlone(stage, answers, tell, io)
    await conversation.close()
    if (ended === 'left') {
      tell('Demo ended; held calls did not run.')
      return io.exit(EXIT.withdrawn.code)
    }
    const verdict = await verifyHome(home)
    if (io.json) printJson(io, { calls: played, journal: verdict })
    for (const line of conclusion(played, verdict, io)) tell(line)
    if (verdict.kind === 'damaged') io.exit(EXIT.failed.code)
    if (flags.keep === true)
      tell(`kept; read its journal with \`countersign journal tail --home ${safeText(home.dir)}\``)
  } finally {
    await conversation.close()
    if (flags.keep !== true) stage.clear()
  }
}

async function show({ root, conversation }: Stage, { linear }: DemoFlags, io: Io): Promise<'played'> {
  const key = localKey(conversation.opened.home, () => {}) // its key is gone with the demonstration
  const inbox = openInbox(conversation)
  try {
    await showChat(
      {
        conversation,
        key,
        greeting: introduction(root),
        notes: [],
        later: inbox.said,
        notify: 'bell',
        linear: linear === true,
        commands: [inbox.command],
        opening: OPENING,
      },
      io,
    )
    return 'played'
  } finally {
    await inbox.stop()
  }
}

function playAlone(stage: Stage, answers: Answers, tell: (line: string) => void, io: Io): Promise<'played' | 'left'> {
  for (const line of unattended(stage.root, answers, io)) tell(line)
  return play(stage, answers, tell, io)
}

/** Verifies the journal of a home whose gate is closed, against the head that closing it signed. */
async function verifyHome(home: Home): Promise<JournalVerdict> {
  const crypto = openCrypto(home)
  const store = await openSqliteStore(home.store, { crypto })
  try {
    return await verifyJournal(store, {
      crypto,
      kept: await openHeads(home).kept(),
      publicKeys: [openGateKey(home).publicKey],
    })
  } finally {
    await store.close()
  }
}
