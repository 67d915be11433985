import { safeText } from '@countersign/core'
import { Option } from 'commander'
import { addExamples } from '../examples.ts'
import { EXIT } from '../exit-codes.ts'
import { type Io, print, printJson } from '../io.ts'
import type { Subcommand } from '../subcommand.ts'
import type { Answers } from './answer.ts'
import { play } from './play.ts'
import { openStage } from './stage.ts'
import { conclusion, introduction } from './summary.ts'
import { verifyHome } from './verify-home.ts'

interface DemoFlags {
  readonly answers?: 'approve' | 'reject'
  readonly keep?: boolean
}

/** `countersign demo`, which is `npm start`: a scripted agent meets the real gate. */
export const command: Subcommand = {
  name: 'demo',
  summary: 'watch the gate hold a scripted agent',
  define(command, io) {
    addExamples(command, [
      ['countersign demo', 'you decide what the agent may do'],
      ['countersign demo --answers reject', 'the same, unattended'],
    ])
    command
      .addOption(new Option('--answers <decision>', 'decide every held call this way').choices(['approve', 'reject']))
      .option('--keep', 'leave the temporary folder, to look at its journal')
      .action((flags: DemoFlags) => demo(flags, io))
  },
}

async function demo(flags: DemoFlags, io: Io): Promise<void> {
  const answers: Answers = flags.answers ?? (hasTerminal(io) ? 'person' : 'nobody')
  const tell = io.json ? (): void => {} : (line: string): void => print(io, line)
  const stage = await openStage(answers === 'nobody' ? '3s' : '2m')
  const { gate, home } = stage.opened
  try {
    for (const line of introduction(stage.root, answers, io)) tell(line)
    const played = await play(stage, answers, tell, io).finally(() => gate.close())
    if (played === 'left') {
      tell('You left the demonstration; what was held did not run.')
      return io.exit(EXIT.withdrawn.code)
    }
    const verdict = await verifyHome(home)
    if (io.json) printJson(io, { calls: played, journal: verdict })
    for (const line of conclusion(played, verdict, io)) tell(line)
    if (verdict.kind === 'damaged') io.exit(EXIT.failed.code)
    if (flags.keep === true) tell(`kept: look with \`countersign journal tail --home ${safeText(home.dir)}\``)
  } finally {
    if (flags.keep !== true) stage.clear()
  }
}

function hasTerminal(io: Io): boolean {
  const terminal = io.terminal()
  terminal?.close()
  return terminal !== null
}
