import { type JournalVerdict, journalKeys, safeText, verifyJournal } from '@countersign/core'
import { type Home, openCrypto, openGateKey, openHeads, openHomeStore } from '@countersign/node'
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
import { OPENING, openSandbox, type Sandbox } from './sandbox.ts'
import { collectOutcomes, conclusion, introduction, unattendedIntroduction } from './summary.ts'

interface DemoFlags {
  readonly answers?: 'approve' | 'reject'
  readonly keep?: boolean
  readonly linear?: boolean
}

/** Delay between two words of the agent. */
const PACE_MS = 25

/** `countersign demo` (also `npm start`): a chat with a scripted agent, with its own gate and web inbox. */
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
  const sandbox = await openSandbox(isWatched ? '5m' : answers === 'nobody' ? '2s' : '2m', isWatched ? PACE_MS : 0)
  const { conversation } = sandbox
  const { home } = conversation.opened
  try {
    const outcomes = collectOutcomes(conversation)
    const ended = isWatched ? await show(sandbox, flags, io) : await playAlone(sandbox, answers, tell, io)
    await conversation.close()
    if (ended === 'left') {
      tell('Demo ended; held calls did not run.')
      return io.exit(EXIT.withdrawn.code)
    }
    const verdict = await verifyHome(home)
    if (io.json) printJson(io, { calls: outcomes, journal: verdict })
    for (const line of conclusion(outcomes, verdict, io)) tell(line)
    if (verdict.kind === 'damaged') io.exit(EXIT.failed.code)
    if (flags.keep === true)
      tell(`kept; read its journal with \`countersign journal tail --home ${safeText(home.dir)}\``)
  } finally {
    await conversation.close()
    if (flags.keep !== true) sandbox.clear()
  }
}

async function show({ root, conversation }: Sandbox, { linear }: DemoFlags, io: Io): Promise<'played'> {
  const key = localKey(conversation.opened.home, () => {}) // a temporary key, deleted with the demo
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

function playAlone(
  sandbox: Sandbox,
  answers: Answers,
  tell: (line: string) => void,
  io: Io,
): Promise<'played' | 'left'> {
  for (const line of unattendedIntroduction(sandbox.root, answers, io)) tell(line)
  return play(sandbox, answers, tell, io)
}

/** Verifies the journal of a closed gate against the checkpoint that closing it signed. */
async function verifyHome(home: Home): Promise<JournalVerdict> {
  const crypto = openCrypto(home)
  const { store, keys: gates } = await openHomeStore(home, { crypto })
  try {
    const keys = journalKeys({ signer: openGateKey(home), gates })
    return await verifyJournal(store, { crypto, kept: await openHeads(home).kept(), ...keys })
  } finally {
    await store.close()
  }
}
