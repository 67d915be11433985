import { finding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'

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

/** Directory services: searching reads, the rest changes accounts. */
export const assessDirectory: Assess = ({ program }) =>
  /^(?:ldapsearch|ldapwhoami|ldapcompare|klist|wbinfo|smbstatus|showmount|nfsstat)$/.test(program)
    ? finding('none', 'system.directory', `${program} only reads`)
    : finding('high', 'system.directory', `${program} changes accounts or shares that others use`, 'partly')
