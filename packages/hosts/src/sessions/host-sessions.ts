import { createHash } from 'node:crypto'
import { sep } from 'node:path'
import { CountersignError } from '@countersign/core'
import { type AgentSession, endAgentSession, type Home, openWorkspace, takeAgentSession } from '@countersign/node'
import type { HostName } from '../contract/host-name.ts'

/** What a hook knows about its process. */
export interface HookProcess {
  /** The coding agent's process. */
  readonly pid: number
  /** The hook's own process, as an owner of calls. */
  readonly waiter?: string
  /** The folder the agent was started in. */
  readonly cwd: string
  /** The agent works only below one of these folders; empty for any folder of a project. */
  readonly within: readonly string[]
  /** Whether it was given the token that `init` wrote. SECURITY: A10 without it, its labels can't reach sessions created with it. */
  readonly hasToken: boolean
  /** Whether the agent may ask in its own prompt: `init` chose so, and somebody may sit there. */
  readonly agentPrompt: boolean
}

/** The sessions of one coding agent on this machine. Its own session ids are labels: two agents can use the same one. */
export interface HostSessions {
  /** The session with this label, begun if this is its first event. `folder` is where it starts, if the event says so. */
  of(label: string, folder: string | null): Promise<AgentSession>
  /** Forgets a session. */
  end(label: string): void
}

/** The sessions of an agent, kept in the home. */
export function openHostSessions(host: HostName, home: Home, hook: HookProcess): HostSessions {
  const trust = hook.hasToken ? 'token' : 'no token'
  const keyOf = (label: string): string =>
    createHash('sha256').update(`${host}\n${hook.pid}\n${trust}\n${label}`).digest('hex')
  return {
    of: (label, folder) =>
      takeAgentSession(home, keyOf(label), { host, pid: hook.pid, workspace: workspaceOf(folder ?? hook.cwd, hook) }),
    end: (label) => endAgentSession(home, keyOf(label)),
  }
}

/** SECURITY: A10 the workspace is where the agent was started, never a folder that one of its calls names. */
function workspaceOf(folder: string, { within }: HookProcess): string {
  const workspace = openWorkspace(folder)
  const isAllowed = within.length === 0 || within.some((one) => `${workspace}${sep}`.startsWith(withEnd(one)))
  if (isAllowed) return workspace
  throw new CountersignError(
    'CS_WORKSPACE',
    `\`${workspace}\` is not one of the folders that this agent may work in; add it with \`countersign init --in\``,
  )
}

function withEnd(folder: string): string {
  return folder.endsWith(sep) ? folder : `${folder}${sep}`
}
