import { CountersignError, safeText } from '@countersign/core'
import {
  type Command,
  openHome,
  openSandbox,
  openTargets,
  openWorkspace,
  placesOf,
  runContained,
} from '@countersign/node'
import { Option } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { commandOf, execCall, NOT_FOUND } from '../exec/command-call.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, say } from '../terminal/io.ts'
import { addBoundsFlags, type BoundsFlags, boundsOf } from './bounds-flags.ts'
import { runTicket } from './run-ticket.ts'

interface ContainFlags extends BoundsFlags {
  readonly workspace?: string
  readonly service?: boolean
  readonly ticket?: string
}

/** The longest time that a timer can wait. */
const NO_LIMITS = { timeoutMs: 2 ** 31 - 1, outputBytes: Number.MAX_SAFE_INTEGER } as const
const PARENT_MS = 500

/** `countersign contain`: the sandbox as a command. It never asks for approval and records nothing. */
export const command: Subcommand = {
  name: 'contain',
  summary: 'run a command in the sandbox',
  define(command, io) {
    addExamples(command, [
      ['countersign contain -- npm test', 'can write only to this folder, and has no network'],
      ["countersign contain --read-only -- 'grep -r TODO . | sort'", 'changes nothing'],
      ['countersign contain --write ../shared -- make', 'can also write to another folder'],
    ])
    command.argument('<command...>', 'the command; a single word is a shell command line')
    addBoundsFlags(command)
      .option('--workspace <dir>', 'folder it works in (default: current folder)')
      // For `mcp --contain`: a server has no time limit, and ends with the process that started it.
      .addOption(new Option('--service').hideHelp())
      // Written by coding agents' hooks before a command that runs without approval.
      .addOption(new Option('--ticket <ticket>').hideHelp())
      .usage('[options] -- <command...>')
      .passThroughOptions()
      .action((words: readonly string[], flags: ContainFlags) =>
        flags.ticket === undefined ? contain(words, flags, io) : runTicket(flags.ticket, words, io),
      )
  },
}

async function contain(words: readonly string[], flags: ContainFlags, io: Io): Promise<void> {
  const places = placesOf(openHome(io.home), openWorkspace(flags.workspace ?? io.cwd))
  const found = await findCommand(words, io)
  if (found === null) return
  // INVARIANT: L11, starting is not enough: only a sandbox that passed the escape tests runs anything.
  const status = await openSandbox(places).status()
  if (status.kind !== 'works') throw new CountersignError('CS_SANDBOX', `${safeText(status.why)}; ${status.fix}`)
  const ended = await runContained(found, {
    cwd: io.cwd,
    env: io.env,
    stdio: 'inherit',
    bounds: boundsOf(flags, io.cwd),
    places,
    ...(flags.service === true ? { limits: NO_LIMITS, signal: parentGone() } : {}),
  })
  io.exit(ended.how === 'not-started' ? EXIT.error.code : ended.exitCode)
  if (ended.how === 'not-started') say(io, `countersign: ${safeText(ended.problem ?? '')} [CS_SANDBOX]`)
  else if (ended.sandbox.line !== null) say(io, `countersign: ${ended.sandbox.line}`)
}

/** Aborts when the parent process is gone, however it ended. */
function parentGone(): AbortSignal {
  const gone = new AbortController()
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) gone.abort()
  }, PARENT_MS).unref()
  return gone.signal
}

/** A missing program is reported with a shell's exit code. */
async function findCommand(words: readonly string[], io: Io): Promise<Command | null> {
  try {
    const { args } = await execCall(words, io.cwd, openTargets())
    return commandOf(args as Parameters<typeof commandOf>[0])
  } catch (error) {
    if (!(error instanceof CountersignError) || error.code !== 'CS_TARGET') throw error
    say(io, `countersign: ${error.message} [${error.code}]`)
    io.exit(NOT_FOUND)
    return null
  }
}
