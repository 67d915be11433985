import { renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { homeElsewhere, homeOn, openMachine } from '@countersign/testing/postgres/machine'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { tamper } from '@countersign/testing/store/test-store'
import { describe, expect, it } from 'vitest'

const FREE = { tool: 'free_thing', args: {} }

describe.skipIf(missingPostgres())('a database that lost commits of a gate', () => {
  const server = usePostgres()

  it('is refused after a restart too, also once others wrote more, until a person gave up what was lost', async () => {
    const address = server.freshAddress()
    const home = await homeOn(address)
    const verify = () => runInProcess(['journal', 'verify'], { cwd: tmpdir(), home: home.dir })
    const run = async (at: typeof home, id: string) => {
      const { gate } = await openMachine(at)
      expect(await gate.run({ ...FREE, id }, () => 1)).toMatchObject({ kind: 'completed' })
      await gate.close()
      return Number((await tamper(at, 'SELECT size FROM head'))[0]?.['size'])
    }
    const size = await run(home, 'kept')
    const unaware = homeElsewhere(home, address)
    await tamper(home, 'CREATE TABLE backup AS SELECT * FROM head')
    const known = await run(home, 'lost')
    await tamper(home, `DELETE FROM entry WHERE seq > ${size}; DELETE FROM checkpoint WHERE size > ${size}`)
    await tamper(home, "DELETE FROM call WHERE id = 'lost'; DELETE FROM counter; TRUNCATE applied")
    await tamper(home, 'UPDATE head SET (size, frontier) = (SELECT size, frontier FROM backup); DROP TABLE backup')

    const shorter = await verify()
    expect(shorter.stderr).toContain(`ends at entry ${size}, but this gate knows ${known} entries`)
    for (const id of ['x', 'y', 'z']) await run(unaware, id)
    const forked = await verify()
    expect(forked.code).not.toBe(0)
    expect(forked.stderr).toContain(`the first ${known} entries in the journal`)
    expect(forked.stderr).toContain('“Lost commits” in the PostgreSQL guide')
    expect(forked.stderr.trim().split('\n')).toHaveLength(1)
    const checked = await runInProcess(['store', 'check'], { cwd: tmpdir(), home: home.dir })
    expect(checked.code).not.toBe(0)
    expect(checked.stderr).toContain(`the first ${known} entries in the journal`)
    await expect(openMachine(home)).rejects.toMatchObject({ code: 'CS_STORE_OPEN' })

    // As the guide tells a person who can't get the former database back.
    renameSync(join(home.heads, 'shared.jsonl'), join(home.dir, '../lost.jsonl'))
    expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining('intact') })
    await run(home, 'afterwards')
    expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining('intact') })
  })
})
