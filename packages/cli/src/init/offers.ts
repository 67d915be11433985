import { safeText } from '@countersign/core'
import type { Source } from '@countersign/hosts'
import { findBubblewrap, INSTALL_BUBBLEWRAP } from '@countersign/node'
import { homeFlag } from '../home/inbox-address.ts'
import { countRules, importRules } from '../policy/import-rules.ts'
import { type Io, say } from '../terminal/io.ts'
import { sayText } from '../terminal/layout.ts'
import { checkCodexTrust } from './codex-trust.ts'
import type { Offering } from './offering.ts'
import { proveAgents } from './prove-agents.ts'
import { tellFailed } from './tell-failed.ts'
import { findServiceManager, installService } from './user-service.ts'

/** Offers what completes the setup: trust, sandbox, service, rules, phone. Each has a default, so no answer is needed. */
export async function offerMore(offering: Offering, io: Io): Promise<void> {
  const { gated, home } = offering
  if (gated.length === 0) return
  await checkCodexTrust(offering, io)
  tellSandbox(offering, io)
  await offerService(offering, io)
  await offerRules(offering, io)
  say(
    io,
    `On your phone: see "On the phone" in docs/guides/inbox.md; start with \`countersign serve${homeFlag(home)}\``,
  )
  await proveAgents(offering, io)
}

function tellSandbox({ options }: Offering, io: Io): void {
  if (options.machine.platform !== 'linux') return
  const missing = `Sandbox: not available, so more commands wait for you. To get one, ${INSTALL_BUBBLEWRAP}`
  const isThere = findBubblewrap() !== undefined
  sayText(io, safeText(isThere ? 'Sandbox: bubblewrap is installed; `countersign doctor` tests it' : missing))
}

async function offerService({ flags, options, questions, home }: Offering, io: Io): Promise<void> {
  const manager = findServiceManager(options.machine)
  if (manager === null) {
    if (flags.service === true)
      say(io, 'Service: this account has neither systemd nor launchd; run `countersign serve` yourself')
    return
  }
  const wanted =
    flags.service === true ||
    (await questions?.isYes(
      `Run the service at every login (${manager.name})? Hooks answer faster, and the inbox is always available.`,
    ))
  if (wanted !== true) {
    say(io, 'Service: not installed; to install it, run `countersign init --service`')
    return
  }
  try {
    await installService(manager, options, home)
    say(io, `Service: starts at every login (${manager.name})`)
  } catch (error) {
    tellFailed(error, 'the service can’t be installed; run `countersign serve` yourself', io)
  }
}

const SOURCES: Partial<Readonly<Record<string, Source>>> = {
  'claude-code': 'claude-code',
  codex: 'codex',
  'gemini-cli': 'gemini',
  vscode: 'vscode',
}

/** Offers to import the agents' own rules. The import shows them and asks separately. */
async function offerRules({ gated, flags, options, questions, home }: Offering, io: Io): Promise<void> {
  const { project, accountHome } = options.machine
  const wanted: Source[] = []
  for (const { found } of gated) {
    const from = SOURCES[found.agent.name]
    const count = from === undefined ? 0 : await countOrNone(from, project, accountHome)
    if (from === undefined || count === 0) continue
    const line = `countersign policy import --from ${from} --apply${homeFlag(home)}`
    say(io, `Rules: ${found.agent.title} has ${count} of its own; to add them to your policy, run \`${line}\``)
    const isWanted = flags.importRules === true || (await questions?.isYes('Add them now? You will see them first.'))
    if (isWanted === true) wanted.push(from)
  }
  questions?.close()
  for (const from of wanted)
    try {
      await importRules({ from, apply: true }, io)
    } catch (error) {
      tellFailed(error, 'the rules can’t be added; run `countersign policy import`', io)
    }
}

/** Unreadable rules are not offered; `policy import` reports what is wrong with them. */
async function countOrNone(from: Source, project: string, accountHome: string): Promise<number> {
  try {
    return await countRules(from, project, accountHome)
  } catch {
    return 0
  }
}
