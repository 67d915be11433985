import { HISTORIES, REGENERABLE, SECRET_FILES, SECRET_FOLDERS, STARTUP, VCS } from './well-known-names.ts'

/** What a name in a path says: bits, so that each name is looked up once. */
export const MARK = {
  secretFolder: 1,
  /** Of the last name only. */
  secretFile: 2,
  vcs: 4,
  regenerable: 8,
  startup: 16,
  github: 32,
  workflows: 64,
} as const

const MARKS: ReadonlyMap<string, number> = markNames([
  [SECRET_FOLDERS, MARK.secretFolder],
  [SECRET_FILES, MARK.secretFile],
  [HISTORIES, MARK.secretFile],
  [VCS, MARK.vcs],
  [REGENERABLE, MARK.regenerable],
  [[...STARTUP].filter((name) => !name.endsWith('rc')), MARK.startup],
  [['.github'], MARK.github],
  [['workflows'], MARK.workflows],
])

function markNames(lists: readonly (readonly [Iterable<string>, number])[]): ReadonlyMap<string, number> {
  const marks = new Map<string, number>()
  for (const [names, mark] of lists) for (const name of names) marks.set(name, (marks.get(name) ?? 0) | mark)
  return marks
}

const SLASH = 47
const LENGTHS = 64

/** Which first letters and lengths marked names have: for nearly every name this answers without making it. */
const SHAPES = new Uint8Array(128 * LENGTHS)
for (const name of MARKS.keys()) SHAPES[shapeOf(name, 0, name.length)] = 1

function shapeOf(path: string, start: number, end: number): number {
  const first = path.charCodeAt(start)
  return first > 127 || end - start >= LENGTHS ? 0 : first * LENGTHS + end - start
}

/** What the one name says that stands from `start` to `end`. */
export function markOf(path: string, start: number, end: number): number {
  return start < end && SHAPES[shapeOf(path, start, end)] === 1 ? (MARKS.get(path.slice(start, end)) ?? 0) : 0
}

/** What the names of a path say together, from a position on. */
export function marksIn(path: string, from: number): number {
  let marks = 0
  let start = from
  for (let at = from; at < path.length; at++) {
    if (path.charCodeAt(at) !== SLASH) continue
    marks |= markOf(path, start, at)
    start = at + 1
  }
  return marks | markOf(path, start, path.length)
}
