import type { ClockDifference } from '@countersign/core'
import type { ServerState } from '@countersign/postgres'

interface Finding {
  readonly words: string
  /** Absent where nothing is wrong. */
  readonly fix?: string
}

/** How far this machine's clock and the server's differ. */
export function clockWords({ kind, offsetMs }: ClockDifference): Finding {
  if (kind === 'close') return { words: 'the clocks of this machine and the server agree' }
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(1)
  const words = `this machine’s clock is ${seconds} s ${offsetMs > 0 ? 'behind' : 'ahead of'} the server’s`
  return {
    words: kind === 'differs' ? words : `${words}: no call is held or decided here`,
    fix: 'set the wrong one, with a time service such as chrony',
  }
}

/** What a failover of this server would lose, and how to change that. */
export function replicationWords({ replication, standbys }: ServerState): Finding {
  const count = standbys === 1 ? '1 standby' : `${standbys} standbys`
  switch (replication) {
    case 'none':
      return { words: 'no standby server' }
    case 'synchronous':
      return { words: `synchronous replication, ${count}: a failover loses nothing that was confirmed` }
    case 'asynchronous':
      return {
        words: `asynchronous replication, ${count}: a failover can lose confirmed decisions and journal entries`,
        fix: 'set `synchronous_standby_names` on the server',
      }
  }
}
