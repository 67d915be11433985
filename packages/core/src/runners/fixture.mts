// A project in memory for the tests in this folder. The extension keeps it out of the build.
import { hash } from 'node:crypto'
import { decompose } from '../command/decompose.ts'
import type { Repositories } from '../ports/repositories.ts'
import type { TargetEntry, TargetFacts, TargetText } from '../ports/targets.ts'
import { frozen, PLACES } from '../risk/fixture.mts'
import { rateRisk } from '../risk/rate-risk.ts'
import type { RiskReport } from '../risk/report/report.ts'
import type { ReaderPorts } from './reading/project-reader.ts'
import type { SeenThrough } from './reading/seen-through.ts'
import { seeThrough } from './see-through.ts'

/** Files by their path in the workspace, others by their whole path: text, or what is there instead. */
export type Project = Readonly<Record<string, string | { readonly leads: string } | 'fifo:' | 'binary:'>>

const ROOT = PLACES.workspace

/** Repositories that git tells nothing about. */
export const NOTHING_TOLD: Repositories = {
  pending: async () => undefined,
  between: async () => undefined,
  tracked: async () => undefined,
  links: async () => ({ repositories: [], links: [] }),
}

/** The ports of a project; `onRead` may change the world while it is read. */
export function projectPorts(project: Project, onRead: (path: string) => void = () => {}): ReaderPorts {
  const at = (real: string) => project[real.startsWith(`${ROOT}/`) ? real.slice(ROOT.length + 1) : real]
  const resolve = (path: string, cwd: string): string => {
    const names: string[] = []
    for (const name of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
      if (name === '..') names.pop()
      else if (name !== '' && name !== '.') names.push(name)
    }
    const real = `/${names.join('/')}`
    const entry = at(real)
    return typeof entry === 'object' ? resolve(entry.leads, real.slice(0, real.lastIndexOf('/'))) : real
  }
  const facts = async (path: string): Promise<TargetFacts> => {
    const entry = at(path)
    if (typeof entry === 'string')
      return { type: entry === 'fifo:' ? 'other' : 'file', bytes: Buffer.byteLength(entry), mode: 0o755 }
    const isFolder = Object.keys(project).some((name) => `${ROOT}/${name}`.startsWith(`${path}/`))
    return { type: isFolder ? 'directory' : 'absent', bytes: 0, mode: 0 }
  }
  return {
    clock: { monotonic: () => 0 },
    crypto: { sha256: (data) => hash('sha256', data, 'hex') },
    targets: {
      resolve,
      facts,
      readEntry: async (path, most): Promise<TargetText> => {
        onRead(path)
        const entry = at(path)
        const { type, bytes } = await facts(path)
        if (typeof entry === 'object') return { type: 'link' }
        if (type !== 'file') return { type }
        const isText = typeof entry === 'string' && entry !== 'binary:' && bytes <= most
        return isText ? { type, bytes, text: entry } : { type, bytes }
      },
      list: (path): readonly TargetEntry[] => {
        const entries = new Map<string, TargetEntry['type']>()
        for (const [name, entry] of Object.entries(project)) {
          const full = `${ROOT}/${name}`
          if (!full.startsWith(`${path}/`)) continue
          const [first = '', ...below] = full.slice(path.length + 1).split('/')
          const type = typeof entry === 'object' ? 'link' : entry === 'fifo:' ? 'other' : 'file'
          entries.set(first, below.length > 0 ? 'directory' : type)
        }
        return [...entries].map(([name, type]) => ({ name, type }))
      },
    },
    repositories: {
      ...NOTHING_TOLD,
      // In these projects an index is a list of the repositories that it names.
      links: async (folder) => {
        const index = at(`${folder}/index`)
        const links = Object.entries(project).flatMap(([name, entry]) => {
          const full = name.startsWith('/') ? name : `${ROOT}/${name}`
          return typeof entry === 'object' && full.startsWith(`${folder}/`) ? [full] : []
        })
        return { repositories: typeof index === 'string' ? index.split('\n').filter(Boolean) : [], links }
      },
    },
  }
}

/** What a command of a project runs: `file:line text` of each command found, why it is not whole, and its risk. */
export async function look(
  command: string,
  project: Project,
  ports = projectPorts(project),
): Promise<{
  readonly runs: readonly string[]
  readonly opaque: readonly string[]
  readonly seen: SeenThrough | undefined
  readonly risk: RiskReport
}> {
  const call = frozen({ tool: 'bash', args: { command }, description: { kind: 'execute', command } })
  const through = await seeThrough(decompose(command), call.cwd, PLACES, ports)
  const found = through?.command ?? decompose(command)
  return {
    runs: found.parts.flatMap(({ origin, text }) => (origin ? [`${origin.file}:${origin.line} ${text}`] : [])),
    opaque: found.parts.flatMap(({ inside }) => inside?.opaque ?? []),
    seen: through?.seen,
    risk: rateRisk(call, found, {
      places: PLACES,
      resolved: new Map(),
      ...(through === null ? {} : { seen: through.seen }),
    }),
  }
}

/** A package.json with these scripts, one per line from line 2. */
export function manifest(scripts: Readonly<Record<string, string>>, more: object = {}): string {
  const lines = Object.entries(scripts).map(([name, text]) => `${JSON.stringify(name)}: ${JSON.stringify(text)}`)
  const rest = Object.entries(more).map(([key, value]) => `, ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
  return `{"scripts": {\n${lines.join(',\n')}\n}${rest.join('')}}`
}
