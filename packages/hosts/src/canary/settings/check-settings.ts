import { asCountersignError } from '@countersign/core'
import { readHostSetup } from '../../sessions/host-setup.ts'
import { untrustedCodexHooks } from '../../settings/codex-trust.ts'
import type { FoundAgent } from '../../settings/detect-agents.ts'
import { offSwitches } from '../../settings/hosts/off-switches.ts'
import { isChange, type PlanOptions, planSetup } from '../../settings/plan-setup.ts'
import { offVariables } from './off-variables.ts'

/** What was found in a person's settings of one agent. */
export interface SettingsCheck {
  /** Whether `init` set the agent up at all. */
  readonly isSetUp: boolean
  /** Problems that keep the hook from running, each with its fix; empty if there are none. */
  readonly problems: readonly string[]
}

/** Checks that the hooks are installed and unchanged, and that no setting or variable turns hooks off. Changes nothing. */
export async function checkSettings(found: FoundAgent, options: PlanOptions): Promise<SettingsCheck> {
  const { name } = found.agent
  try {
    if (readHostSetup(options.home, name) === undefined)
      return { isSetUp: false, problems: ['not behind the gate; run `countersign init`'] }
    const problems = [
      ...hookProblems(found, options),
      ...offSwitches(name, options.machine),
      ...offVariables(name, options.machine.env),
      ...(name === 'codex' ? await trustProblems(found, options) : []),
    ]
    return { isSetUp: true, problems }
  } catch (error) {
    const { message } = asCountersignError(
      error,
      'CS_CLIENT_CONFIG',
      'its settings can’t be read; run `countersign init`',
    )
    return { isSetUp: true, problems: [message] }
  }
}

/** In the account's settings, or in this project's. */
function hookProblems(found: FoundAgent, options: PlanOptions): readonly string[] {
  const user = planSetup(found, { ...options, scope: 'user' })
  const project = planSetup(found, { ...options, scope: 'project' })
  if ([user, project].some((plan) => plan.problem === null && !plan.files.some(isChange))) return []
  const { problem, files } = user
  if (problem !== null) return [problem.why]
  return files
    .filter(isChange)
    .map(({ path, file }) =>
      file === null
        ? `\`${path}\` is missing; run \`countersign init\``
        : `the hooks in \`${path}\` are missing or were changed; run \`countersign init\``,
    )
}

async function trustProblems({ program }: FoundAgent, { machine }: PlanOptions): Promise<readonly string[]> {
  if (program === null) return []
  const untrusted = await untrustedCodexHooks(program, machine)
  if (untrusted === null) return ['Codex does not list the hooks; check `/hooks` in Codex']
  return untrusted.length === 0
    ? []
    : ['Codex does not trust the hooks, so it skips them; trust them with `/hooks` in Codex']
}
