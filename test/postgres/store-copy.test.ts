import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHome, readStoreSetting } from '@countersign/node'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { emptyHome, type UsedHome, usedHome, verifiedJournal } from '@countersign/testing/store/used-home'
import { describe, expect, it } from 'vitest'

const GUIDE = join(import.meta.dirname, '../../docs/guides/postgres.md')

describe.skipIf(missingPostgres())('countersign store copy', () => {
  const server = usePostgres()

  async function ok(place: UsedHome, ...words: readonly string[]) {
    const ran = await place.run(...words)
    expect(ran, `${words.join(' ')}: ${ran.stderr}`).toMatchObject({ code: 0 })
    return ran
  }

  async function moved(place: UsedHome, to: string) {
    if (to !== 'sqlite') await ok(place, 'store', 'migrate', to)
    const copied = await ok(place, 'store', 'copy', to, '--json')
    await ok(place, 'store', 'use', to)
    return copied.json() as { kind: string; size: number; root: string; rows: { [table: string]: number } }
  }

  it('takes a home with a held call to PostgreSQL and back, and the journal stays one', async () => {
    const place = await usedHome()
    const { run, home } = place
    const address = server.freshAddress()
    const there = await moved(place, address)
    expect(there).toMatchObject({ kind: 'copied', rows: { call: 4 } })
    expect(readStoreSetting(openHome(home))).toBe(address)
    await verifiedJournal(place)
    expect((await run('history')).stdout.match(/jot/g)).toHaveLength(3)
    expect(await place.decide()).toMatchObject({ kind: 'permit' })
    const before = await verifiedJournal(place)
    const back = await moved(place, 'sqlite')
    expect(back).toMatchObject({ kind: 'copied', size: before.size + 1, rows: { call: 4 } })
    expect(readStoreSetting(openHome(home))).toBeNull()
    expect(await verifiedJournal(place)).toMatchObject({ size: back.size, root: back.root })
    expect((await run('history')).stdout.match(/jot/g)).toHaveLength(3)
    // And there again: what was left behind is replaced.
    await moved(place, address)
    expect(await place.jot()).toBe('completed')
    expect((await verifiedJournal(place)).size).toBeGreaterThan(back.size)
  })

  it('keeps the checkpoints and the approver of the home', async () => {
    const place = await usedHome()
    await ok(place, 'journal', 'checkpoint', '--out', 'head.txt')
    await moved(place, server.freshAddress())
    await ok(place, 'journal', 'verify', '--against', 'head.txt')
    expect((await verifiedJournal(place)).keptTo).toBeGreaterThan(0)
    expect(JSON.parse((await place.run('approvers', 'list', '--json')).stdout)).toHaveLength(1)
  })

  it('takes a store to another schema of a server, with its list of gates', async () => {
    const place = await usedHome()
    const [one, two] = [server.freshAddress(), server.freshAddress()]
    await moved(place, one)
    const listed = (await place.run('gates', 'list', '--json')).json()
    await moved(place, two)
    expect((await place.run('gates', 'list', '--json')).json()).toEqual(listed)
    expect((await place.run('store', 'check', one)).stderr).toContain('goes on in `postgres://')
    expect(await place.decide()).toMatchObject({ kind: 'permit' })
    await verifiedJournal(place)
  })

  it('works as the guide says', async () => {
    const place = await usedHome()
    const [, text = ''] =
      /## Move an existing home to PostgreSQL\n\n```sh\n([^`]*)```/.exec(readFileSync(GUIDE, 'utf8')) ?? []
    const lines = text.trim().split('\n')
    expect(lines).toHaveLength(5)
    const address = server.freshAddress()
    for (const line of lines.filter((one) => one !== 'countersign stop')) {
      const words = line.replace('postgres://gate@db.example/countersign', address).split(' ').slice(1)
      await ok(place, ...words)
    }
    expect(await place.jot()).toBe('completed')
  })

  it('leaves an empty home nothing to copy but its key', async () => {
    const place = await emptyHome()
    const address = server.freshAddress()
    await moved(place, address)
    expect(await place.jot()).toBe('completed')
    await verifiedJournal(place)
  })
})
