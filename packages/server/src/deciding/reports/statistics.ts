import type { PastCall } from '@countersign/core'

const HOUR_MS = 3_600_000
const MOST_TIMES = 2_000

interface Hour {
  at: number
  approved: number
  rejected: number
  expired: number
  automatic: number
}

interface ToolCount {
  tool: string
  held: number
  approved: number
  rejected: number
  expired: number
  times: number[]
}

/** Decisions per hour, times to decide, and how often each tool is rejected or left to expire. */
export function statisticsOf(calls: readonly PastCall[]) {
  const hours = new Map<number, Hour>()
  const tools = new Map<string, ToolCount>()
  const times: number[] = []
  for (const call of calls) {
    const kind = kindOf(call)
    const hour = hourOf(hours, call.decision?.at ?? call.closedAt ?? call.openedAt)
    const tool = toolOf(tools, call.tool)
    if (call.requestDigest !== null) tool.held += 1
    if (kind === undefined) continue
    hour[kind] += 1
    if (kind !== 'automatic') tool[kind] += 1
    if (call.decision === null) continue
    const took = Math.max(0, call.decision.at - call.openedAt)
    times.push(took)
    tool.times.push(took)
  }
  return {
    hours: [...hours.values()].sort((a, b) => a.at - b.at),
    times: times.slice(0, MOST_TIMES),
    tools: [...tools.values()]
      .map(({ times, ...tool }) => ({ ...tool, medianMs: medianOf(times) }))
      .sort((a, b) => b.held - a.held),
  }
}

function kindOf({ decision, outcome, requestDigest }: PastCall): keyof Omit<Hour, 'at'> | undefined {
  if (decision !== null) return decision.kind === 'approve' ? 'approved' : 'rejected'
  if (outcome === 'expired') return 'expired'
  return requestDigest === null && outcome !== 'denied' ? 'automatic' : undefined
}

function hourOf(hours: Map<number, Hour>, moment: number): Hour {
  const at = Math.floor(moment / HOUR_MS) * HOUR_MS
  const hour = hours.get(at) ?? { at, approved: 0, rejected: 0, expired: 0, automatic: 0 }
  hours.set(at, hour)
  return hour
}

function toolOf(tools: Map<string, ToolCount>, name: string): ToolCount {
  const tool = tools.get(name) ?? { tool: name, held: 0, approved: 0, rejected: 0, expired: 0, times: [] }
  tools.set(name, tool)
  return tool
}

function medianOf(times: readonly number[]): number | null {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? null
}
