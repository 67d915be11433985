import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from '@countersign/testing/command/run-node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { expect, it } from 'vitest'
import { writeArchive } from './write-archive.ts'

const LARGE = `
  import { createJournal, draftEntry, journalOrigin } from './packages/core/src/index.ts'
  import { openCrypto, openGateKey, openHeads, openHome, openSqliteStore, systemClock, writeBundleFile } from './packages/node/src/index.ts'
  const [folder] = process.argv.slice(1)
  const home = openHome(folder + '/home')
  const crypto = openCrypto(home)
  const signer = openGateKey(home)
  const store = await openSqliteStore(home.store, { crypto })
  const text = 'x'.repeat(600)
  for (let batch = 0; batch < 100; batch += 1) {
    const entries = []
    for (let i = 0; i < 1000; i += 1) {
      const call = String(batch * 250 + (i >> 2))
      const kind = ['judged', 'held', 'started', 'completed'][i % 4]
      entries.push(draftEntry({ kind, call, tool: 'tool', args: { text }, agent: ['a'] }, batch))
    }
    await store.commit({ entries, durable: false })
  }
  const origin = journalOrigin(signer)
  const note = await createJournal({ store, crypto, signer, heads: openHeads(home), origin, clock: systemClock }).checkpoint()
  const source = {
    spans: [],
    async *lines(from, to) {
      for (let at = from; at <= to; at += 1000)
        for (const { line } of await store.entries(at, Math.min(to, at + 999))) yield line
    },
    notes: [],
    approvers: [],
    policy: async () => undefined,
  }
  await writeBundleFile(folder + '/a.tar', source, { from: 5, through: 99_990, note }, { crypto, signer, origin })
  await store.close()
  console.log('written')
`

it('writes and verifies 100,000 entries of 80 MB in a heap of 48 MB', async () => {
  const folder = temporaryFolder()
  const stdout = await runNode(LARGE, [folder], { NODE_OPTIONS: '--max-old-space-size=48' })
  expect(stdout.trim()).toBe('written') // and verified before it got its name
  expect(statSync(join(folder, 'a.tar')).size).toBeGreaterThan(80_000_000)
})

it('leaves nothing behind when writing fails, and never replaces a file', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.tar')
  const put = (check: () => Promise<void>) =>
    writeArchive(
      path,
      async (sink) => {
        const part = await sink.open('README.txt')
        await part.write('x')
        return part.close()
      },
      check,
    )
  await expect(put(() => Promise.reject(new Error('disk')))).rejects.toThrow('cannot be written')
  expect(readdirSync(folder)).toEqual([])
  writeFileSync(path, 'mine')
  await expect(put(async () => {})).rejects.toThrow('already exists')
  expect(readdirSync(folder)).toEqual(['a.tar'])
  mkdirSync(join(folder, 'b'))
  await expect(
    writeArchive(
      join(folder, 'none', 'a.tar'),
      async () => 1,
      async () => {},
    ),
  ).rejects.toThrow('ENOENT')
})
