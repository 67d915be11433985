import { finding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { byRows } from '../assessor/verb-table.ts'

/** Flags and words by which a server's program only checks or tells about itself. */
const CHECKS =
  /^(?:-t|-T|-v|-V|-c|-S|-M|-l|-L|-h|configtest|check|check-config|fmt|validate|adapt|list-modules|environ|version|fullstatus|status|-tT|--check|--test|--configtest|--validate|-vv|--config-check)$/
const STARTS = /^(?:run|start|-d|-D|-f|serve|server|file-server|--config.*|reverse-proxy)$/

/** Programs of servers: checking a setting reads, a signal or a start changes what is served. */
export const assessServerProgram: Assess = ({ part, program }) => {
  const words = part.args.map(({ value }) => value)
  const stops = words.some(
    (word) => word === null || /^(?:-s|-k|stop|restart|reload|graceful|graceful-stop|quit|-sf|-st)$/.test(word),
  )
  if (stops) return finding('high', 'system.server', `${program} stops or changes a running server`, 'yes')
  if (words.some((word) => word !== null && CHECKS.test(word)))
    return finding('none', 'system.server', `${program} only checks its settings`)
  return words.length === 0 || words.some((word) => word !== null && STARTS.test(word))
    ? finding('medium', 'network.listen', `${program} starts a server`, 'yes')
    : finding('medium', 'system.server', `${program} works on a server`)
}

/** Tools beside a metrics or log server, a cluster or a name server: told by their verbs. */
export const assessServerVerbs = byRows({
  family: 'system',
  otherwise: 'high',
  shape: 'compound',
  valued:
    '-h --host -p --port -u -U --alertmanager.url --config -c -s -f --file -k --addr --stanza -m -n --token --org -o --bucket -b',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'check, check-config, check rules, check config, test, test rules, query, query instant, query range, alert, alert query, silence query, config show, config routes, cluster show, labels, series, instant-query, ' +
        'status, info, ring, tablestats, compactionstats, gossipinfo, netstats, describecluster, getendpoints, list, list-backup, list-server, show, show-server, ls, df, osd tree, osd df, osd stat, health, -s, mon stat, pg stat, quorum_status, ' +
        'version, print, config, setup list, bucket list, ping, stats, querylog, diff, topology, dsn, history, backup-list, wal-show, st',
    ],
    ['low', 'yes', 'keeps data apart', 'backup, snapshot, flush, sync, archive-push, backup-push, verify, tsdb'],
    [
      'medium',
      'partly',
      'changes data or silences an alarm',
      'silence add, silence update, silence expire, write, reload, import, create, restore-test, config generate, lb, reconfig',
    ],
    [
      'high',
      'partly',
      'changes a server or a cluster',
      'restore, switchover, failover, reinit, restart, pause, resume, drain, repair, cleanup, decommission, rebuild, stop, start, halt, freeze, thaw, osd out, osd in, osd set, osd crush, resource move, resource disable, node standby, stanza-create, backup-fetch, wal-fetch, promote, tune',
    ],
    [
      'critical',
      'no',
      'destroys data of a cluster',
      'removenode, assassinate, osd destroy, osd purge, osd pool delete, osd pool rm, fs rm, stanza-delete, expire, delete, delete-everything, bucket delete, cluster destroy, retain, volume delete, cleartables, purge, rmpool',
      'many',
    ],
  ],
})

/** Directory services: searching reads, the rest changes accounts. */
export const assessDirectory: Assess = ({ program }) =>
  /^(?:ldapsearch|ldapwhoami|ldapcompare|klist|wbinfo|smbstatus|showmount|nfsstat)$/.test(program)
    ? finding('none', 'system.directory', `${program} only reads`)
    : finding('high', 'system.directory', `${program} changes accounts or shares that others use`, 'partly')
