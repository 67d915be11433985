import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from '@countersign/testing/command/run-node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { openHome } from '../home/home.ts'
import { openHeads } from './checkpoint-file.ts'

const newHome = () => openHome(join(temporaryFolder(), 'home'))
const note = (size: number) => `countersign/test\n${size}\nroot=\n\n— gate signature=\n`

describe('stored checkpoints', () => {
  it('are read back unchanged, newest last, also after reopening', async () => {
    const home = newHome()
    const heads = openHeads(home)
    expect(await heads.kept()).toEqual([])
    for (const size of [1, 2, 3]) await heads.keep(note(size))
    expect(await openHeads(home).kept()).toEqual([note(1), note(2), note(3)])
    expect(statSync(join(home.heads, 'checkpoints.jsonl')).mode & 0o777).toBe(0o600)
  })

  it('survive a writer that died in the middle of a line', async () => {
    const home = newHome()
    const heads = openHeads(home)
    await heads.keep(note(1))
    appendFileSync(join(home.heads, 'checkpoints.jsonl'), '"countersign/te\u00e9')
    expect(await heads.kept()).toEqual([note(1)])
    await heads.keep(note(2))
    expect(await heads.kept()).toEqual([note(1), note(2)])
  })

  it('report a damaged line by number', async () => {
    const home = newHome()
    const heads = openHeads(home)
    for (const size of [1, 2]) await heads.keep(note(size))
    const path = join(home.heads, 'checkpoints.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"countersign', 'countersign'))
    const damaged = expect.objectContaining({
      code: 'CS_JOURNAL_DAMAGED',
      message: expect.stringContaining(`${path}:1`),
    })
    await expect(heads.kept()).rejects.toThrow(damaged)
    await expect(heads.keep(note(3))).rejects.toThrow(damaged)
  })

  it('are thinned out, keeping the first and the newest, within a limit', async () => {
    const home = newHome()
    const heads = openHeads(home)
    await heads.keep(note(0))
    const path = join(home.heads, 'checkpoints.jsonl')
    writeFileSync(path, Array.from({ length: 4_096 }, (_, size) => `${JSON.stringify(note(size))}\n`).join(''))
    await heads.keep(note(4_096))
    const kept = await heads.kept()
    expect(kept.length).toBeLessThanOrEqual(4_096)
    expect(kept[0]).toBe(note(0))
    expect(kept.slice(-2_049)).toEqual(Array.from({ length: 2_049 }, (_, at) => note(2_048 + at)))
  })

  it('do not touch the home folder’s times, which show whether policy changed', async () => {
    const home = newHome()
    const heads = openHeads(home)
    await heads.keep(note(0))
    const before = statSync(home.dir, { bigint: true }).ctimeNs
    for (let size = 1; size < 5; size += 1) await heads.keep(note(size))
    expect(statSync(home.dir, { bigint: true }).ctimeNs).toBe(before)
  })

  it('are appended after those of other writers, also if the file was replaced', async () => {
    const home = newHome()
    const [one, other] = [openHeads(home), openHeads(home)]
    for (const size of [1, 2]) await one.keep(note(size))
    for (const size of [3, 4]) await other.keep(note(size))
    await one.keep(note(5))
    writeFileSync(join(home.heads, 'checkpoints.jsonl'), `${JSON.stringify(note(9))}\n`)
    await one.keep(note(10))
    await one.keep(note(11))
    expect(await other.kept()).toEqual([note(9), note(10), note(11)])
  })

  it('lose none if several processes write at once', { timeout: 60_000 }, async () => {
    const home = newHome()
    const source = `
      import { openHome } from './packages/node/src/home/home.ts'
      import { openHeads } from './packages/node/src/store/checkpoint-file.ts'
      const heads = openHeads(openHome(process.argv[1]))
      for (let n = 0; n < 10; n += 1) await heads.keep(process.pid + ':' + n)`
    await Promise.all(Array.from({ length: 3 }, () => runNode(source, [home.dir])))
    expect(new Set(await openHeads(home).kept()).size).toBe(30)
  })
})
