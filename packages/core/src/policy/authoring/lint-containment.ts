import { CONTAINED } from '../../knowledge/compiled/commands.ts'
import { CONTAINMENT } from '../../knowledge/containment.ts'
import { type ContactRow, HOST_SET_NAMES, hostSet } from '../../knowledge/network.ts'
import { contactRow } from '../../risk/hosts/command-hosts.ts'
import type { HostUse } from '../../risk/report/report.ts'
import { type PolicyProblem, quote } from '../model/policy-problem.ts'
import type { CommandTest, Conditions, PathTest, Rule } from '../model/rule.ts'

/** Whether `network:` of the policy names a host. */
type NamesHost = (use: HostUse) => boolean

/** Rules whose commands would run in the sandbox and need more than it gives them. */
export function lintContainment(rule: Rule, namesHost: NamesHost): readonly PolicyProblem[] {
  const unused = unusedBounds(rule)
  if (unused !== null) return [problem(rule, unused)]
  if (!runsUnasked(rule) || rule.contain === false) return []
  const tests = positive(rule.when)
  const commands = tests.flatMap(({ command }) => command ?? [])
  const needed = commands.flatMap((command) => missingFor(command, rule, namesHost))
  const isCommand = commands.length > 0 || rule.when.kind?.includes('execute') === true
  return [...needed, ...(isCommand ? hiddenFolders(tests, rule) : [])].map((message) => problem(rule, message))
}

/** Rules that let commands run outside the sandbox with nobody asked. */
export function noteOutside(rule: Rule): readonly PolicyProblem[] {
  if (!runsUnasked(rule) || rule.contain !== false) return []
  return [
    problem(rule, `${quote(rule.id)} runs commands outside the sandbox without approval, up to ${rule.upTo} risk`),
  ]
}

function unusedBounds({ id, contain, supervision, floor }: Rule): string | null {
  if (contain === undefined) return null
  if (supervision === 'deny') return `${quote(id)}: \`contain\` has no effect on a deny`
  if (floor) return `${quote(id)}: \`contain\` has no effect on a floor`
  return contain === false && (supervision === 'confirm' || supervision === 'manual')
    ? `${quote(id)}: \`contain: false\` has no effect: approved commands run outside the sandbox anyway`
    : null
}

function runsUnasked({ supervision, floor, layer }: Rule): boolean {
  return !floor && layer !== 'managed' && (supervision === 'automatic' || supervision === 'notify')
}

/** The conditions that hold for a matching call. */
function positive(when: Conditions): readonly Conditions[] {
  return [when, ...[...(when.any ?? []), ...(when.all ?? [])].flatMap(positive)]
}

function missingFor({ program = [], verb = [] }: CommandTest, rule: Rule, namesHost: NamesHost): readonly string[] {
  const outside = program.find((name) => CONTAINED.outside.has(name))
  if (outside !== undefined) return [needsOutside(outside, rule)]
  if (positive(rule.when).some(({ network, url }) => network !== undefined || url !== undefined)) return []
  for (const name of program) {
    const row = contactRow(name)
    const use = row === undefined ? null : usedBy(row, verb)
    const message = row === undefined || use === null ? null : missingHosts(name, row, use, rule, namesHost)
    if (message !== null) return [message]
  }
  return []
}

function needsOutside(program: string, { id, layer }: Rule): string {
  const fix =
    layer === 'user' ? 'set `confirm`, or add `contain: false` to run it outside without approval' : 'set `confirm`'
  return `${quote(id)} runs ${quote(program)} in the sandbox, where it can’t work; ${fix}`
}

interface Used {
  readonly use: HostUse['use']
  /** The first verb of the rule that contacts a host; null if every use of the program does. */
  readonly verb: string | null
}

/** How the commands of a rule use hosts; null if they may well use none. */
function usedBy({ reads = [], sends = [], use = 'read', certain }: ContactRow, verbs: readonly string[]) {
  if (certain === false) return null
  if (reads.length === 0 && sends.length === 0) return { use, verb: null } as const
  const sent = verbs.find((verb) => sends.includes(verb))
  const read = verbs.find((verb) => reads.includes(verb))
  if (sent !== undefined) return { use: 'send', verb: sent } as const
  return read === undefined ? null : ({ use: 'read', verb: read } as const)
}

function missingHosts(program: string, row: ContactRow, used: Used, rule: Rule, namesHost: NamesHost): string | null {
  const name = used.verb === null ? program : `${program} ${used.verb}`
  const hosts = row.hosts ?? []
  const credentials = CONTAINMENT.credentials[program] === undefined ? null : program
  const needs = `${quote(rule.id)} runs ${quote(name)} in the sandbox, which has no network`
  if (hosts.length > 0 && used.use === 'read') {
    if (hosts.every((host) => namesHost({ host, port: 443, use: 'read', certain: false }))) return null
    return `${quote(rule.id)} asks on first contact with ${quote(hosts[0] ?? '')}; add \`network: ${setOf(hosts)}\` to the file`
  }
  if (hosts.length > 0) {
    const more = credentials === null ? '' : ` and \`contain: { credentials: ${credentials} }\``
    return `${needs}; add the condition \`network: ${listed(hosts)}\`${more}`
  }
  // The host is in the program's settings, not in the command.
  if (row.takes === undefined || (row.takes === 'repository' && used.verb !== 'clone')) {
    const { network = [], write = [] } = rule.contain || {}
    // A repository may also be a folder.
    const isGiven = network.length > 0 || (row.takes === 'repository' && write.length > 0)
    const example = `contain: { network: github.com, credentials: ${program} }`
    return isGiven ? null : `${needs}; add the hosts it needs, such as \`${example}\``
  }
  return `${needs}; add the hosts it needs as a condition, such as \`network: example.com\``
}

/** The set with all of these hosts, or the hosts. */
function setOf(hosts: readonly string[]): string {
  return HOST_SET_NAMES.find((name) => hosts.every((host) => hostSet(name)?.includes(host))) ?? listed(hosts)
}

function listed(items: readonly string[]): string {
  return items.length === 1 ? (items[0] ?? '') : `[${items.join(', ')}]`
}

/** Folders that a rule for commands names, and that the sandbox does not show. */
function hiddenFolders(tests: readonly Conditions[], { id, contain }: Rule): readonly string[] {
  const given = contain === undefined || contain === false ? [] : [...contain.read, ...contain.write]
  const folder = tests
    .flatMap(({ path }) => (path === undefined ? [] : namedFolders(path)))
    .find((one) => !given.some((parent) => isBelow(one, parent)))
  if (folder === undefined) return []
  return [
    `${quote(id)} allows commands in ${quote(folder)}, which the sandbox does not show; add \`contain: { read: ${folder} }\`, or \`write\``,
  ]
}

function namedFolders({ inside = [], glob = [] }: PathTest): readonly string[] {
  const literal = glob.map((one) => one.replace(/\/?[^/]*[*?[{].*$/, ''))
  return [...inside, ...literal].filter(
    (folder) => /^(?:\/.|~\/|\$\{home\})/.test(folder) && !VISIBLE.some((parent) => isBelow(folder, parent)),
  )
}

const VISIBLE = [...CONTAINMENT.visibleFiles.system, ...CONTAINMENT.visibleFiles.linked, '/tmp', '/dev', '/proc']

function isBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}

function problem({ file, line }: Rule, message: string): PolicyProblem {
  return { file, line, column: 1, message }
}
