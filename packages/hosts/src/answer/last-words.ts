import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { HostContract } from '../contract/host-contract.ts'
import type { BeforeTool } from '../contract/host-event.ts'
import type { AroundCall } from './host-call.ts'

/** INVARIANT: L10, the end of a conversation that is read. */
const MOST_BYTES = 256 * 1024

const NONE: Pick<AroundCall, 'said' | 'reasoning'> = { said: null, reasoning: null }

/** What the agent said before the call, from its conversation file; null if the file can't be read. */
export async function lastWords(
  { transcript }: BeforeTool,
  contract: HostContract,
): Promise<Pick<AroundCall, 'said' | 'reasoning'>> {
  if (transcript === null) return NONE
  try {
    return contract.lastWords(await endOf(transcript))
  } catch {
    return NONE
  }
}

async function endOf(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) return ''
    const start = Math.max(0, stats.size - MOST_BYTES)
    const buffer = Buffer.alloc(stats.size - start)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
