import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HookEvent } from './probe.ts'
import { type HostName, PROGRAMS } from './programs.ts'
import { FAILS, IN_SUB_AGENT } from './tours.ts'
import type { World } from './world.ts'

/** Events by file name: the event, its tool, and what is special about it. */
export type Recording = Readonly<Record<string, unknown>>

const FOLDER = join(import.meta.dirname, '../events')

/** What differs from run to run, and what a recording has instead. */
const CHANGING: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-01T00:00:00.000Z'],
  [/\b\d{4}\/\d\d\/\d\d\/rollout-[\dT-]{20}/g, '2026/01/01/rollout-2026-01-01T00-00-00-'],
  [/session-[\dT-]{17}[0-9a-f]{8}/g, 'session-2026-01-01T00-00-00000000'],
  [/\b1[78]\d{11}\b/g, '1767225600000'],
  [/("\w*[dD]uration_?[mM]s":)\d+/g, '$110'],
  [/(Process Group PGID: )\d+/g, '$11000'],
  [/("nickname\\*":\\*")\w+/g, '$1Ada'],
  [/("slug":")[\w-]+/g, '$1calm-river'],
]
/** Ids keep their identity: the first of a kind becomes 1, the second 2. */
const IDS: readonly (readonly [pattern: RegExp, prefix: string, digits: number])[] = [
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '00000000-0000-4000-8000-', 12],
  [/\bses_\w{20,}\b/g, 'ses_', 26],
  [/\bmsg_\w{20,}\b/g, 'msg_', 26],
  [/\bprt_\w{20,}\b/g, 'prt_', 26],
  [/\bevt_\w{20,}\b/g, 'evt_', 26],
  [/\ba[0-9a-f]{16}\b/g, 'a', 16],
]

/** The events of one session, by file name, with the same paths, ids and times in every recording. */
export function recordingOf(events: readonly HookEvent[], world: World): Recording {
  const files: Record<string, string> = {}
  for (const { name, event } of events) files[fileName(name, event)] ??= JSON.stringify(event)
  return normalised(files, world)
}

function normalised(files: Readonly<Record<string, string>>, { home, project }: World): Recording {
  const slug = (path: string) => path.replace(/[^\w]/g, '-')
  // One event a line, so that an id gets the same number in all of them.
  let text = Object.values(files).join('\n')
  for (const [from, to] of [
    [project, '/home/you/project'],
    [project.slice(1), 'home/you/project'],
    [slug(project), '-home-you-project'],
    [home, '/home/you'],
  ] as const)
    text = text.replaceAll(from, to)
  for (const [pattern, replacement] of CHANGING) text = text.replace(pattern, replacement)
  for (const [pattern, prefix, digits] of IDS) {
    const seen = [...new Set(text.match(pattern))]
    text = text.replace(pattern, (id) => `${prefix}${`${seen.indexOf(id) + 1}`.padStart(digits, '0')}`)
  }
  const lines = text.split('\n')
  return Object.fromEntries(Object.keys(files).map((file, at) => [file, JSON.parse(lines[at] ?? 'null')]))
}

function fileName(name: string, event: object): string {
  const text = JSON.stringify(event)
  const tool = /"(?:tool_name|toolName|tool)":"([^"]+)"/.exec(text)?.[1]
  const special = text.includes(IN_SUB_AGENT) || /"(agent_id|agentId|parentID)":/.test(text) ? ['sub-agent'] : []
  const failing = /after|post/i.test(name) && (text.includes(FAILS) || text.includes('missing.txt')) ? ['failing'] : []
  return [name, ...(tool === undefined ? [] : [tool]), ...special, ...failing].join('-')
}

const isNewest = (host: HostName, version: string): boolean => PROGRAMS[host].versions[0] === version
const folderOf = (host: HostName, version: string): string =>
  isNewest(host, version) ? join(FOLDER, host) : join(FOLDER, host, version)

/** The events of a version: those of the newest, and for an older one whatever it sends differently. */
export function recordedEvents(host: HostName, version: string): Recording {
  const own = readRecording(folderOf(host, version))
  if (isNewest(host, version)) return own
  const { absent = [], ...different } = own as { readonly absent?: readonly string[] } & Recording
  const newest = Object.entries(readRecording(join(FOLDER, host)))
  return { ...Object.fromEntries(newest.filter(([file]) => !absent.includes(file))), ...different }
}

function readRecording(folder: string): Recording {
  if (!existsSync(folder)) return {}
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  return Object.fromEntries(files.map((file) => [file.slice(0, -'.json'.length), read(file)]))
}

/** The newest version is recorded whole; run it first. */
export function writeRecording(host: HostName, version: string, recording: Recording): void {
  const newest = readRecording(join(FOLDER, host))
  const absent = Object.keys(newest).filter((file) => !(file in recording))
  const isSame = (file: string): boolean =>
    file in newest && shapeOf(recording[file]).join() === shapeOf(newest[file]).join()
  const different = Object.fromEntries(Object.entries(recording).filter(([file]) => !isSame(file)))
  const files = isNewest(host, version) ? recording : { ...different, ...(absent.length === 0 ? {} : { absent }) }
  const folder = folderOf(host, version)
  rmSync(folder, { recursive: true, force: true })
  for (const [file, event] of Object.entries(files)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${file}.json`), `${JSON.stringify(event, null, 2)}\n`)
  }
}

/** The keys of every event and the types of their values. */
export function shapesOf(recording: Recording): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(recording).map(([file, event]) => [file, shapeOf(event)]))
}

function shapeOf(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${path}: ${Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value}`]
  return Object.entries(value)
    .flatMap(([key, inner]) => shapeOf(inner, path === '' ? key : `${path}.${key}`))
    .sort()
}
