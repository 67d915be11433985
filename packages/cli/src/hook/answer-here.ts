import { statSync } from 'node:fs'
import { join } from 'node:path'
import { asCountersignError, CountersignError, ERRORS, type ErrorCode } from '@countersign/core'
import { answerHook, contractOf, type HookRequest, isHostName, type Printed, refuseEvent } from '@countersign/hosts'
import { type Home, openGate, openHome } from '@countersign/node'
import type { HookLine } from './hook-client.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Answers a hook in this process, when no service runs. A signal, or the end of the agent, withdraws the call. */
export async function answerHere(
  request: HookRequest,
  home: string | undefined,
  agentGone: AbortSignal,
): Promise<Printed> {
  if (!isHostName(request.host)) throw unknownHost(request.host)
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  for (const signal of SIGNALS) process.on(signal, leave)
  agentGone.addEventListener('abort', leave)
  const world = {
    home: openHome(home),
    join: async ({ id, owner, workspace }: Parameters<Parameters<typeof answerHook>[1]['join']>[0]) => {
      const opened = await openGate({ session: 'none', tier: 'T1', workspace, ...(home === undefined ? {} : { home }) })
      const joined = opened.joinSession(id, owner)
      return {
        host: joined.host,
        async leave(isOver = false) {
          joined.leave()
          // Closing signs the journal, which takes longer than everything else. The process exits now; what it leaves open is consistent.
          if (isOver || isCheckpointDue(opened.home)) await opened.gate.close()
        },
      }
    },
  }
  return answerHook(request, world, gone.signal)
}

const MS_PER_CHECKPOINT = 60_000

/** Whether the last signature of the journal is older than a running gate would allow. */
function isCheckpointDue({ heads }: Home): boolean {
  const last = statSync(join(heads, 'checkpoints.jsonl'), { throwIfNoEntry: false })
  return last === undefined || Math.abs(Date.now() - last.mtimeMs) > MS_PER_CHECKPOINT
}

/** The refusal of an event that could not be answered. */
export function refuseHere({ host, event }: HookLine, error: unknown): Printed {
  if (!isHostName(host)) return { stdout: '', stderr: `NOT EXECUTED: ${unknownHost(host).message}\n`, exitCode: 2 }
  return refuseEvent(contractOf(host), event, asCoded(error))
}

/** An error with one of our codes is ours, wherever it was made. */
function asCoded(error: unknown): CountersignError {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Partial<CountersignError>
  if (typeof message === 'string' && code !== undefined && Object.hasOwn(ERRORS, code))
    return new CountersignError(code as ErrorCode, message)
  return asCountersignError(error, 'CS_INTERNAL', 'internal error; run `countersign doctor`')
}

function unknownHost(host: string): CountersignError {
  return new CountersignError(
    'CS_USAGE',
    `\`${host}\` is not an agent that Countersign knows; run \`countersign init\``,
  )
}
