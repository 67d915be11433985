import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, vi } from 'vitest'
import { openHome } from '../home/home.ts'
import { findEnclosingCall, INSIDE } from './enclosing-call.ts'
import { processStat } from './proc-stat.ts'
import { recordCommand } from './running-commands.ts'

const home = () => openHome(temporaryFolder())
const started = processStat(process.pid)?.started ?? ''

describe('the gated call around a process', () => {
  it('is named by the variable', () => {
    expect(findEnclosingCall(null, { [INSIDE]: 'c1' })).toEqual({ call: 'c1', how: 'variable' })
  })

  it('is null for a process of a person', () => {
    expect(findEnclosingCall(home(), {})).toBeNull()
  })
})

/** A start after that of every process, so that none of them counts as left behind. */
const LATER = '9007199254740991'

describe.runIf(process.platform === 'linux')('the record of a gated command', () => {
  /** A record of this process, changed. */
  function recorded(change: object, file = `${process.pid}-aa`) {
    const at = home()
    const folder = join(at.run, 'commands')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    recordCommand(at, 'c1').started(process.pid)
    const [made = ''] = readdirSync(folder)
    const record = JSON.parse(readFileSync(join(folder, made), 'utf8')) as object
    writeFileSync(join(folder, made), JSON.stringify({ ...record, ...change }), { mode: 0o600 })
    return { at, names: () => readdirSync(folder), path: join(folder, file) }
  }

  it('encloses its process', () => {
    expect(findEnclosingCall(recorded({}).at, {})).toEqual({ call: 'c1', how: 'ancestor' })
  })

  it.each([
    ['of another process with the same number', { started: LATER, owner: { pid: process.pid, started: LATER } }],
    ['of a boot before this one', { boot: 'ffffffff' }],
  ])('is removed if it is %s', async (_, change) => {
    const { at, names } = recorded(change)
    // A look during which other processes of this machine end settles nothing.
    await vi.waitFor(() => {
      expect(findEnclosingCall(at, {})).toBeNull()
      expect(names()).toEqual([])
    }, 20_000)
  })

  it('also encloses what the command left behind', () => {
    const left = [{ pid: process.pid, started }]
    const gone = { pid: 2 ** 22 + 1, started: '1', owner: { pid: 2 ** 22 + 1, started: '1' } }
    expect(findEnclosingCall(recorded({ ...gone, left }).at, {})).toEqual({ call: 'c1', how: 'left-behind' })
  })

  it('refuses what it cannot read', () => {
    const { at, path } = recorded({})
    writeFileSync(path, '{', { mode: 0o600 })
    expect(() => findEnclosingCall(at, {})).toThrow(expect.objectContaining({ code: 'CS_HOME' }))
  })

  it('is kept only while its command runs', () => {
    const at = home()
    const record = recordCommand(at, 'c1')
    expect(readdirSync(join(at.run, 'commands'))).toHaveLength(1)
    record.ended()
    expect(readdirSync(join(at.run, 'commands'))).toEqual([])
  })
})
