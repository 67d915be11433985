import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkDirections } from '../../scripts/architecture/directions.ts'
import { isTest } from '../../scripts/architecture/offence.ts'
import { ROOMS } from '../../scripts/architecture/rooms.ts'
import { sourceTree } from '../../scripts/architecture/source-tree.ts'

const ROOT = join(import.meta.dirname, '../..')
const ARCHITECTURE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')

/** All package folders with source files, such as `packages/core/src/policy/match`. */
const FOLDERS = [
  ...new Set(
    sourceTree(ROOT).flatMap(({ path }) =>
      /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path) && !isTest(path) ? [path.slice(0, path.lastIndexOf('/'))] : [],
    ),
  ),
].sort()

/** The rooms that ARCHITECTURE.md lists for each package. */
function listedRooms(): ReadonlySet<string> {
  const rooms = new Set<string>()
  let root = ''
  for (const line of ARCHITECTURE.split('\n')) {
    root = /^`(packages\/[^/`]+\/src)`$/.exec(line)?.[1] ?? root
    const [, names = ''] = /^\| ((?:`[^`]+`(?:, )?)+) \|/.exec(line) ?? []
    for (const [, name = ''] of names.matchAll(/`([^`]+)`/g)) rooms.add(name === root ? root : `${root}/${name}`)
  }
  return rooms
}

describe('rooms', () => {
  it('all have a line in ARCHITECTURE.md', () => {
    const listed = listedRooms()
    expect(FOLDERS.filter((folder) => folder !== 'packages/core/src' && !listed.has(folder))).toEqual([])
  })

  it('of a split folder all have a place in the import order', () => {
    const missing = Object.entries(ROOMS).flatMap(([folder, order]) => {
      const rooms = FOLDERS.filter((one) => one.startsWith(`${folder}/`)).map(
        (one) => one.slice(folder.length + 1).split('/')[0] ?? '',
      )
      return [...new Set(rooms)].filter((room) => !order.split(' ').includes(room)).map((room) => `${folder}/${room}`)
    })
    expect(missing).toEqual([])
  })

  it('import only rooms before them', () => {
    const file = (path: string, text: string) => ({ path, text })
    const offences = checkDirections([
      file('packages/core/src/policy/match/path.ts', "import { a } from '../evaluate/evaluate.ts'"),
      file('packages/core/src/policy/evaluate/evaluate.ts', "import type { b } from '../match/path.ts'"),
      file('packages/core/src/policy/new-room/x.ts', "import { c } from '../model/rule.ts'"),
    ])
    expect(offences.map(({ message }) => message)).toEqual([
      'in packages/core/src/policy, match may not import evaluate',
      'packages/core/src/policy/new-room has no place in scripts/architecture/rooms.ts',
    ])
  })
})
