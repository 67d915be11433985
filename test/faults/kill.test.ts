import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGate, verifyJournal } from '@countersign/core'
import { openHome, openPorts, placesOf, writeStoreSetting } from '@countersign/node'
import { migrateSchema, parseStoreAddress } from '@countersign/postgres'
import { bundledChild, runChild } from '@countersign/testing/faults/bundled-child'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { describe, expect, it } from 'vitest'

const child = bundledChild('crash-child')

function lines(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
}

/** Kills a real process at one point, reopens the store and checks its contents. */
async function crash(n: number, when: string, store: string | null): Promise<'finished' | 'killed'> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-kill-')))
  try {
    const home = openHome(join(root, 'home'))
    if (store !== null) {
      await migrateSchema(parseStoreAddress(store))
      writeStoreSetting(home, store)
    }
    const printed = await runChild(child, [root, String(n), when])
    const marks = lines(join(root, 'marks'))
    const at = `killed ${when} port call ${n}`
    expect(new Set(marks).size, `${at}: nothing runs twice`).toBe(marks.length)
    if (marks.includes('asked')) expect(lines(join(root, 'approved')), `${at}: nothing runs unasked`).toContain('asked')
    const ports = await openPorts(home, placesOf(home, root), {
      managed: { folder: join(root, 'managed'), owner: process.getuid?.() ?? 0 },
    })
    const { gate, desk } = await createGate(ports, { places: placesOf(home, root), session: 'session' })
    const verdict = await verifyJournal(ports.store, {
      crypto: ports.crypto,
      publicKeys: [ports.signer.publicKey],
      kept: await ports.heads.kept(),
    })
    expect(verdict, `${at}: the journal verifies`).toMatchObject({ kind: 'intact' })
    for (const call of ['free', 'asked']) {
      const row = await ports.store.call(call)
      const kinds = (await ports.store.entriesOf(call)).map((entry) => JSON.parse(entry.line).kind as string)
      if (marks.includes(call)) expect(kinds, `${at}: an effect without its intent`).toContain('started')
      if (row !== undefined) expect(row.state, `${at}: ${call} is over after a restart`).toBe('closed')
      if (kinds.includes('started') && !kinds.includes('completed'))
        expect(row?.outcome, `${at}: ${call}`).toBe('unknown')
    }
    expect((await desk.list()).filter((view) => view.id !== 'later')).toEqual([])
    await gate.close()
    expect(lines(join(root, 'marks')), `${at}: the restart ran nothing`).toEqual(marks)
    if (!printed.startsWith('calls') && !printed.startsWith('SIGKILL'))
      throw new Error(`the child failed by itself: ${printed}`)
    return printed.startsWith('calls') ? 'finished' : 'killed'
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Nothing is written between two port calls, so only the full run kills after each of them. */
const POINTS = [
  ['before', 1],
  ['after', process.env['COUNTERSIGN_FULL'] === undefined ? 4 : 1],
] as const

describe('L7 A30: kill -9 at every crash point', () => {
  it.each(POINTS)(
    '%s each port call (of %d): nothing runs twice or without asking, and the journal verifies',
    async (when, step) => {
      let n = 1
      for (let ended = 'killed'; ended === 'killed'; n += 2 * step) {
        const [first, second] = await Promise.all([crash(n, when, null), crash(n + step, when, null)])
        ended = first === 'finished' || second === 'finished' ? 'finished' : 'killed'
        expect(n).toBeLessThan(300)
      }
      expect(n).toBeGreaterThan(10)
    },
    600_000,
  )
})

describe.skipIf(missingPostgres())('L7 A30: kill -9 at every crash point, with the store on PostgreSQL', () => {
  const server = usePostgres()

  it.each(POINTS)(
    '%s each port call (of %d): nothing runs twice or without asking, and the journal verifies',
    async (when, step) => {
      let n = 1
      for (let ended = 'killed'; ended === 'killed'; n += 2 * step) {
        const points = [n, n + step].map((point) => crash(point, when, server.freshAddress()))
        ended = (await Promise.all(points)).includes('finished') ? 'finished' : 'killed'
        expect(n).toBeLessThan(300)
      }
      expect(n).toBeGreaterThan(10)
    },
    600_000,
  )
})
