import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import type { Tier } from '@countersign/node'
import { createPaint } from '@countersign/terminal/card'
import { Option } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { existingHome } from '../home/existing-home.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson } from '../terminal/io.ts'
import { dataColumns, hangText } from '../terminal/layout.ts'
import { diagnoseAsAsker } from './agent-checks.ts'
import type { Diagnosis } from './check.ts'
import { diagnoseAsOwner } from './owner-checks.ts'
import { diagnoseAsBoth } from './root-checks.ts'

interface DoctorFlags {
  readonly socket?: string
  readonly url?: string
  readonly as?: string
  readonly workspace?: string
  readonly atLeast?: string
  readonly hosts?: true
  readonly only?: readonly string[]
  readonly accountHome?: string
}

const TIERS: readonly string[] = ['T0', 'T1', 'T2', 'T3']
/** Checks that must pass at every tier. */
const WORKING: ReadonlySet<string> = new Set(['store', 'policy'])
const MEANS: Readonly<Record<Tier, string>> = {
  T0: 'the gate runs in the agent’s process: protects against the model, not against other code in that process',
  T1: 'same user, separate process: protects against other users, browsers and accidents, not against a shell of this user',
  T2: 'the gate belongs to another user: agents can’t approve, list calls, enroll keys, change the policy or read the journal',
  T3: 'T2, and high-risk calls need a passkey: also protects against a stolen key or session',
}

/** `countersign doctor`: tests the trust tier, and shows what the next one needs. */
export const command: Subcommand = {
  name: 'doctor',
  summary: 'test how well this setup is protected',
  define(command, io) {
    addExamples(command, [
      ['countersign doctor', 'as the approver'],
      [
        'countersign doctor --home /srv/gate --socket /run/gate.sock',
        'as the user your agents run as: tries to bypass the gate',
      ],
      [
        'countersign doctor --home /srv/gate --socket /run/gate.sock --as agent',
        'as root: tests as both users; the only way to confirm T3',
      ],
      ['countersign doctor --at-least T1', 'exit with 1 if the tier is lower'],
      ['countersign doctor --hosts', 'start your coding agents and check that the gate holds their calls'],
    ])
    command
      .option('--socket <path>', 'test as an agent, over this socket; needs `--home`')
      .option('--url <url>', 'with `--socket`: also test the inbox at this URL')
      .option('--workspace <dir>', 'with `--socket`: a folder that `countersign serve --workspace` allows')
      .option('--as <user>', 'with `--socket`, as root: test as this user and as the owner of the gate')
      .addOption(new Option('--at-least <tier>', 'fail if the tier is lower than this').choices(TIERS))
      .option('--hosts', 'test the coding agents on this machine, with a stand-in model and without an account')
      .option('--only <agents>', 'with `--hosts`: only these, separated by commas', (text: string) => text.split(','))
      .option(
        '--account-home <dir>',
        'with `--hosts`: the home folder with the agents’ settings (default: the account’s)',
      )
      .action(async (flags: DoctorFlags) => {
        if (flags.hosts === undefined) return diagnose(flags, io)
        const { diagnoseHosts } = await import('./host-checks.ts')
        return diagnoseHosts(flags, io)
      })
  },
}

async function diagnose(flags: DoctorFlags, io: Io): Promise<void> {
  const { socket, as, atLeast } = flags
  if (as !== undefined && socket === undefined)
    throw new CountersignError(
      'CS_USAGE',
      '`--as` needs `--socket`, the path of the agents’ socket; see `countersign status`',
    )
  const found =
    socket === undefined ? await diagnoseAsOwner(existingHome(io), io) : await asAsker({ ...flags, socket }, io)
  if (atLeast !== undefined && TIERS.indexOf(found.tier) < TIERS.indexOf(atLeast)) io.exit(EXIT.failed.code)
  if (found.checks.some(({ name, holds }) => WORKING.has(name) && holds === false)) io.exit(EXIT.failed.code)
  if (io.json) return printJson(io, found)
  const paint = createPaint(io.color)
  const columns = dataColumns(io)
  for (const { holds, words, fix } of found.checks) {
    const mark = holds === undefined ? '·' : holds ? '✓' : '✗'
    for (const row of hangText(safeText(`${mark} ${words}`), columns, 2)) print(io, row)
    if (fix !== undefined) for (const row of hangText(safeText(`  → ${fix}`), columns, 4)) print(io, paint(row, 'dim'))
  }
  print(io)
  for (const row of hangText(safeText(`${found.tier}: ${MEANS[found.tier]}`), columns, 4)) print(io, paint(row, 'bold'))
  for (const words of found.missing) for (const row of hangText(safeText(`for ${words}`), columns, 4)) print(io, row)
}

function asAsker(
  { socket, url, as, workspace }: DoctorFlags & { readonly socket: string },
  io: Io,
): Promise<Diagnosis> {
  if (io.home === undefined)
    throw new CountersignError(
      'CS_USAGE',
      '`--socket` needs `--home`, the home of the gate; run `countersign doctor` as its owner to see the full command',
    )
  const path = resolve(io.cwd, socket)
  const target = { home: resolve(io.cwd, io.home), socket: path }
  if (statSync(path, { throwIfNoEntry: false })?.isSocket() === false)
    throw new CountersignError(
      'CS_USAGE',
      `\`${safeText(path)}\` is not a socket; \`countersign status\` shows the path`,
    )
  const whole = {
    ...target,
    ...(url === undefined ? {} : { url }),
    ...(workspace === undefined ? {} : { workspace: resolve(io.cwd, workspace) }),
  }
  return as === undefined ? diagnoseAsAsker(whole, io) : diagnoseAsBoth(as, whole, io)
}
