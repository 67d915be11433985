import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { cosign, witnessKey } from '@countersign/core'
import { openCrypto, openGate, openHome, openWitnessKey } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

function place() {
  const cwd = temporaryFolder()
  const home = join(cwd, 'home')
  const opened = openHome(home)
  writeFileSync(opened.policy, 'version: 1\nrules:\n  - { tool: jot, supervision: automatic }\n', { mode: 0o600 })
  const run = (...words: readonly string[]) => runInProcess(words, { cwd, home })
  const jot = async () => {
    const { gate } = await openGate({ home, workspace: cwd })
    await gate.run({ tool: 'jot', args: {} }, () => 'ran')
    await gate.close() // signs a checkpoint
  }
  return { cwd, run, jot, store: opened.store }
}

describe('countersign journal witness', () => {
  it('cosigns what only grew, and `journal verify` counts it', async () => {
    const { cwd, run, jot } = place()
    await jot()
    const key = (await run('journal', 'witness', '--show-key')).stdout.trim()
    expect(await run('journal', 'witness', '--out', 'cosigned.txt')).toMatchObject({ code: 0 })
    const file = join(cwd, 'cosigned.txt')
    expect(readFileSync(file, 'utf8')).toContain('— countersign-witness/')
    const verified = await run('journal', 'verify', '--against', 'cosigned.txt', '--witness', key)
    expect(verified).toMatchObject({ code: 0, stderr: expect.stringContaining('cosigned by the witness at 20') })
    const before = readFileSync(file, 'utf8')
    await jot()
    const again = JSON.parse((await run('journal', 'witness', '--json', '--out', 'cosigned.txt')).stdout)
    expect(again).toMatchObject({ kind: 'consistent', cosigned: expect.any(Number) })
    expect(again.from).toBeGreaterThan(0)
    expect(readFileSync(file, 'utf8')).not.toBe(before)
    expect((await run('journal', 'witness')).stderr).toContain('no new checkpoint to cosign')
  })

  it('accepts only the cosignature that was asked for', async () => {
    const { run, jot } = place()
    await jot()
    await run('journal', 'witness', '--out', 'cosigned.txt')
    await run('journal', 'checkpoint', '--out', 'plain.txt')
    const key = (await run('journal', 'witness', '--show-key')).stdout.trim()
    const other = (await place().run('journal', 'witness', '--show-key')).stdout.trim()
    for (const [file, witness] of [
      ['plain.txt', key],
      ['cosigned.txt', other],
    ] as const)
      expect(await run('journal', 'verify', '--against', file, '--witness', witness)).toMatchObject({
        code: 125,
        stderr: expect.stringContaining('is not cosigned by this witness'),
      })
    expect((await run('journal', 'verify', '--witness', key)).stderr).toContain('`--witness` needs `--against')
  })

  it('can require several witnesses, each with a file of its own, and counts them', async () => {
    const { cwd, run, jot } = place()
    await jot()
    await run('journal', 'witness', '--out', 'one.txt')
    await run('journal', 'checkpoint', '--out', 'plain.txt')
    const one = (await run('journal', 'witness', '--show-key')).stdout.trim()
    const elsewhere = openHome(join(cwd, 'elsewhere'))
    const [signer, crypto] = [openWitnessKey(elsewhere), openCrypto(elsewhere)]
    writeFileSync(
      join(cwd, 'two.txt'),
      cosign(readFileSync(join(cwd, 'plain.txt'), 'utf8'), signer, 1_900_000_000, crypto),
    )
    const both = ['--witness', one, '--witness', witnessKey(signer, crypto)]
    const verified = await run('journal', 'verify', '--against', 'one.txt', '--against', 'two.txt', ...both)
    expect(verified).toMatchObject({ code: 0, stderr: expect.stringContaining('cosigned by 2 of 2 witnesses') })
    expect(await run('journal', 'verify', '--against', 'one.txt', ...both)).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('only 1 of 2 witnesses cosigned'),
    })
    const twice = await run('journal', 'verify', '--against', 'one.txt', '--witness', one, '--witness', one)
    expect(twice.stderr).toContain('cosigned by the witness at')
  })

  it('reports a rollback and a fork, cosigns neither, and keeps reporting', async () => {
    const { run, jot, store, cwd } = place()
    await jot()
    const kept = readFileSync(store)
    await jot()
    await run('journal', 'witness', '--out', 'cosigned.txt')
    const cosigned = readFileSync(join(cwd, 'cosigned.txt'), 'utf8')
    // A backup is restored.
    writeFileSync(store, kept)
    for (const suffix of ['-wal', '-shm']) writeFileSync(`${store}${suffix}`, '')
    for (let count = 0; count < 2; count += 1) {
      const told = await run('journal', 'witness', '--out', 'cosigned.txt')
      expect(told).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/^rolled-back: the journal ends at entry \d+/),
      })
    }
    // The restored journal grows past what the witness saw: another history.
    for (let more = 0; more < 3; more += 1) await jot()
    expect(await run('journal', 'witness')).toMatchObject({ code: 1, stdout: expect.stringMatching(/^forked: /) })
    expect(readFileSync(join(cwd, 'cosigned.txt'), 'utf8')).toBe(cosigned)
  })

  it('compares a head that another machine publishes', async () => {
    const { cwd, run, jot } = place()
    await jot()
    await run('journal', 'checkpoint', '--out', 'head.txt')
    const server = createServer((request, response) =>
      response.end(request.url === '/head' ? readFileSync(join(cwd, 'head.txt')) : 'x'.repeat(100_000)),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    expect(await run('journal', 'witness', '--head', `${url}/head`)).toMatchObject({ code: 0 })
    expect((await run('journal', 'witness', '--head', `${url}/other`)).stderr).toContain('is not a checkpoint')
  })
})
