import { resolve } from 'node:path'
import { CountersignError } from '@countersign/core'
import { type AgentPlan, type FoundAgent, loadSettings, type PlanOptions } from '@countersign/hosts'
import { loadWrapping } from '@countersign/mcp'
import { type Home, openHome, systemClock } from '@countersign/node'
import { type InitFlags, onlyHosts } from '../agents/init-flags.ts'
import { installationOf, planOptions } from '../agents/plan-options.ts'
import { homeFlag } from '../home/inbox-address.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, printJson, say } from '../terminal/io.ts'
import { offerMore } from './offers.ts'
import { openQuestions, type Questions } from './questions.ts'
import { agentData, showAgent } from './show-changes.ts'
import { tellFailed } from './tell-failed.ts'

const { AGENTS, applySetup, detectAgents, isChange, planSetup } = await loadSettings()
const { unstableReason } = await loadWrapping()

/** Finds the agents, shows what changes, asks once, and writes. */
export async function runInit(flags: InitFlags, io: Io): Promise<void> {
  const home = openHome(io.home === undefined ? undefined : resolve(io.cwd, io.home))
  const options = planOptions(flags, home, io)
  const found = await agentsOf(flags, options)
  const plans = found.map((one) => planSetup(one, options))
  if (!io.json) for (const plan of plans) showAgent(plan, io)
  if (plans.some(({ problem }) => problem?.kind === 'refused' || (problem !== null && flags.only !== undefined)))
    io.exit(EXIT.failed.code)
  const changing = plans.filter(changes)
  if (changing.length > 0 || flags.service === true) requireStablePath(flags, io)
  const questions = flags.yes === true || flags.dryRun === true || io.json ? null : openQuestions(io)
  try {
    const agreed = changing.length > 0 && (await isAgreed(changing, flags, questions))
    const written = agreed ? changing.filter((plan) => isApplied(plan, home, io)) : []
    if (io.json) printJson(io, { agents: plans.map((plan) => agentData(plan, written.includes(plan))) })
    else tell(plans, changing, written, flags, home, io)
    if (flags.dryRun === true) return
    if (changing.length > 0 && !agreed) {
      io.exit(EXIT.failed.code)
      return
    }
    const gated = plans.filter((plan) => plan.problem === null && (!changes(plan) || written.includes(plan)))
    await offerMore({ gated, flags, options, questions, home }, io)
  } finally {
    questions?.close()
  }
}

/** Refuses to write a path that may disappear: then every tool call of every agent would be refused. */
function requireStablePath({ allowUnstablePath, dryRun }: InitFlags, io: Io): void {
  const { unstable } = installationOf(io)
  if (unstable === null || allowUnstablePath === true || dryRun === true) return
  throw new CountersignError(
    'CS_CLIENT_CONFIG',
    `${unstableReason(unstable)}; install it with \`npm install -g countersign\`, then run that one (for development: \`--allow-unstable-path\`)`,
  )
}

/** The agents that were found, and those named with `--only`. */
async function agentsOf(flags: InitFlags, { machine }: PlanOptions): Promise<readonly FoundAgent[]> {
  const only = onlyHosts(flags)
  const found = await detectAgents(machine)
  if (only === null) {
    if (found.length > 0) return found
    const names = AGENTS.map(({ name }) => name).join(', ')
    throw new CountersignError('CS_USAGE', `no coding agent was found; name one with \`--only\`: ${names}`)
  }
  return AGENTS.filter(({ name }) => only.includes(name)).map(
    (agent) => found.find((one) => one.agent === agent) ?? { agent, program: null, version: null, inProject: false },
  )
}

function changes({ problem, files, changesSetup }: AgentPlan): boolean {
  return problem === null && (changesSetup || files.some(isChange))
}

async function isAgreed(plans: readonly AgentPlan[], flags: InitFlags, questions: Questions | null): Promise<boolean> {
  if (flags.dryRun === true) return false
  if (flags.yes === true) return true
  const titles = plans.map(({ found }) => found.agent.title).join(', ')
  return questions !== null && (await questions.isYes(`Put ${titles} behind the gate?`))
}

/** Writes the files of one agent; a failure is reported and does not stop the others. */
function isApplied(plan: AgentPlan, home: Home, io: Io): boolean {
  try {
    applySetup(plan, home, systemClock.now())
    return true
  } catch (error) {
    tellFailed(error, `the settings of ${plan.found.agent.title} can’t be written`, io)
    return false
  }
}

function tell(
  plans: readonly AgentPlan[],
  changing: readonly AgentPlan[],
  written: readonly AgentPlan[],
  { dryRun }: InitFlags,
  home: Home,
  io: Io,
): void {
  const titles = (some: readonly AgentPlan[]) => some.map(({ found }) => found.agent.title).join(', ')
  if (written.length > 0) {
    const undo = `countersign init --undo${homeFlag(home)}`
    say(io, `behind the gate: ${titles(written)}. Restart agents that are running. To undo: \`${undo}\``)
  } else if (dryRun === true) say(io, 'nothing was changed (--dry-run)')
  else if (changing.length === 0) {
    const gated = plans.filter(({ problem }) => problem === null)
    say(io, gated.length === 0 ? 'nothing was changed' : `nothing to change: ${titles(gated)}`)
  } else {
    const hint = io.isTty.stdin && io.isTty.stderr ? '' : '; check the changes above, then pass `--yes`'
    say(io, `nothing was changed${hint}`)
  }
}
