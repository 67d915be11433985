import { DEAD_HOOKS, type Fate, type Fates, type KnownHost, knownFate } from './dead-hook-table.ts'
import { type HostName, PROGRAMS } from './programs.ts'

const COMMAND_HOSTS = ['claude-code', 'codex', 'gemini-cli', 'copilot'] as const satisfies HostName[]
const CELL: Readonly<Record<Fate, string>> = { runs: '**runs**', refuses: 'refuses', waits: 'waits' }

/** The tables of docs/reference/dead-gates.md, as measured. */
export function deadGatesTables(): readonly string[] {
  return [
    tableOf(COMMAND_HOSTS, asInitWrites),
    tableOf(COMMAND_HOSTS, (known) => known.bare),
    tableOf(['opencode'], (known) => known.bare),
  ]
}

/** In the newest version. */
function tableOf(hosts: readonly HostName[], fatesOf: (known: KnownHost) => Fates | undefined): string {
  const columns = hosts.map((host) => {
    const [newest = ''] = PROGRAMS[host].versions
    const known = DEAD_HOOKS.hosts[host].find(({ versions }) => versions.includes(newest))
    return { title: `${PROGRAMS[host].title} ${newest}`, fates: known === undefined ? undefined : fatesOf(known) }
  })
  const rows = Object.entries(DEAD_HOOKS.failures).flatMap(([failure, words]) => {
    const cells = columns.map(({ fates }) => (fates === undefined ? undefined : knownFate(fates, failure)))
    const known = cells.filter((cell) => cell !== undefined)
    return known.length === 0 ? [] : [[words, ...cells.map((cell) => (cell === undefined ? '–' : CELL[cell]))]]
  })
  const lines = [['the hook …', ...columns.map(({ title }) => title)], columns.map(() => '---').concat('---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** `init` writes the guarded line and the agent's own setting: a call is refused if either of them refuses it. */
function asInitWrites({ guarded, fail_closed: failClosed }: KnownHost): Fates | undefined {
  if (guarded === undefined || failClosed === undefined) return guarded
  const refused = new Set([...guarded.refuses, ...failClosed.refuses])
  const rest = (fate: 'runs' | 'waits') => guarded[fate].filter((failure) => !refused.has(failure))
  return { runs: rest('runs'), refuses: [...refused], waits: rest('waits') }
}
