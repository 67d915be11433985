import { isThisMachine } from '../../call/address/classify.ts'
import { hostText } from '../../call/address/host-pattern.ts'
import { findVerb } from '../../command/programs/subcommand.ts'
import { CONTAINED } from '../../knowledge/compiled/commands.ts'
import { CONTAINMENT } from '../../knowledge/containment.ts'
import { contactedHosts } from '../../policy/evaluate/first-contact.ts'
import { resolveFolder } from '../../policy/match/folder.ts'
import type { Places } from '../../policy/model/circumstances.ts'
import type { RuleBounds } from '../../policy/model/containment.ts'
import { contactRow } from '../../risk/hosts/command-hosts.ts'
import type { RatedPart } from '../../risk/report/report.ts'

/**
 * What a command that a person approved outside the sandbox needs inside it, so that its repeats work there: the hosts and
 * folders that it reaches, and the credentials it uses there. Null if that is not known, or if it can't work there.
 */
export function neededBounds({ command, hosts }: RatedPart, places: Places): RuleBounds | null {
  const { program } = command
  if (program === null || CONTAINED.outside.has(program) || hosts.some(({ host }) => host === null)) return null
  const remotes = command.inside?.remotes
  const contacted = contactedHosts(hosts)
  if (contacted.length === 0 && remotes === undefined && isContacting(command)) return null
  const bounds = { write: [] as string[], network: [...contacted] }
  for (const remote of remotes ?? []) {
    if (remote.kind === 'folder') {
      const folder = resolveFolder(remote.path, places)
      if (isBelow(folder, places.workspace)) continue
      if (!isOfferable(folder, places)) return null
      bounds.write.push(folder)
    } else if (remote.kind === 'host' && !isThisMachine(remote.host))
      bounds.network.push(hostText(remote.host, remote.port))
    else return null
  }
  const isSending = hosts.some(({ use }) => use === 'send') || remotes?.some(({ kind }) => kind === 'host') === true
  const hasCredentials = isSending && CONTAINMENT.credentials[program] !== undefined
  return { ...bounds, read: [], credentials: hasCredentials ? [program] : [] }
}

/** Whether this use of a program contacts a host, by its verb. */
function isContacting(command: RatedPart['command']): boolean {
  const row = contactRow(command.program ?? '')
  if (row === undefined || row.certain === false) return false
  const { reads = [], sends = [] } = row
  if (reads.length === 0 && sends.length === 0) return true
  const found = findVerb(command)
  return found.kind === 'verb' && (reads.includes(found.verb) || sends.includes(found.verb))
}

/** SECURITY: A15 folders that hold the workspace, the gate, credentials or settings are never offered. */
function isOfferable(folder: string, { workspace, home, gate }: Places): boolean {
  const isTop = folder.lastIndexOf('/') === 0
  const isHidden = folder.split('/').some((name) => name.startsWith('.'))
  const holdsAny = [workspace, home, gate].some((one) => isBelow(one, folder))
  return !isTop && !isHidden && !holdsAny && !isBelow(folder, gate)
}

function isBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}
