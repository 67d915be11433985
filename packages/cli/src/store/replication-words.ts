import type { ServerState } from '@countersign/postgres'

/** What a failover of this server would lose, and how to change that. */
export function replicationWords({ replication, standbys }: ServerState): {
  readonly words: string
  readonly fix?: string
} {
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
