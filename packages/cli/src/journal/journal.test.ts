import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openGate, openGateKey, openHome } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

/** A home whose journal has `calls` automatic calls: one entry for the session, three for each call. */
async function place(calls = 3) {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  const { gate } = await openGate({ home: at.home, workspace: at.cwd })
  for (let index = 0; index < calls; index++)
    await gate.run({ id: `call-${index}`, tool: 'read_file', args: { path: `f${index}` } }, () => 'text')
  await gate.close()
  return {
    ...at,
    folder,
    run: (line: string, more = {}) => runInProcess(line.split(' '), { ...at, ...more }),
    tamper(sql: string) {
      const store = new DatabaseSync(join(at.home, 'store.db'))
      store.exec(sql)
      store.close()
    },
  }
}

const lines = (text: string) => text.trimEnd().split('\n')

describe('countersign journal tail', () => {
  it('prints the last entries, one line each', async () => {
    const { run } = await place()
    const { stdout } = await run('journal tail -n 3')
    expect(lines(stdout).map((line) => line.slice(21))).toEqual([
      expect.stringMatching(/^judged {5}call-2 {4}none {6}read_file f2 {2}automatic by preset\.balanced\.none$/),
      expect.stringMatching(/^started {4}call-2/),
      expect.stringMatching(/^completed {2}call-2/),
    ])
  })

  it('prints the hashed lines with --json', async () => {
    const { run } = await place(1)
    const { stdout } = await run('journal tail --json')
    expect(lines(stdout).map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 2, 3, 4])
  })

  it('prints all entries of one call by its id prefix', async () => {
    const { run } = await place(2)
    expect(lines((await run('journal tail --call call-1')).stdout)).toHaveLength(3)
    const both = await run('journal tail --call call-')
    expect(both).toMatchObject({ stdout: '', code: 125 })
    expect(both.stderr).toContain('matches 2 of them')
  })

  it('fits the width of the terminal', async () => {
    const { run } = await place(1)
    for (const line of lines((await run('journal tail', { columns: 60 })).stdout))
      expect(line.length).toBeLessThanOrEqual(60)
  })

  it('requires a number', async () => {
    const { run } = await place(0)
    expect((await run('journal tail -n many')).stderr).toContain('`-n` must be a number from 1')
  })
})

describe('countersign journal verify', () => {
  it('prints size, root and what they prove', async () => {
    const { run } = await place()
    const { stdout, stderr, code } = await run('journal verify')
    expect(stdout).toMatch(
      /^intact: 10 entries\nroot: [0-9a-f]{64}\nsigned up to: 10, confirmed by a kept checkpoint up to: 10\n$/,
    )
    expect(stderr).toMatch(/^proves that entries 1 to 10 .*\n$/)
    expect(code).toBe(0)
  })

  it.each([
    ['changed', `UPDATE entry SET line = replace(line, 'f1', 'g1') WHERE seq = 5`, /entry 5: changed/],
    ['missing', 'DELETE FROM entry WHERE seq = 5', /entry 5: missing/],
    ['truncated', 'DELETE FROM entry WHERE seq > 7', /entries 8 to 10: truncated/],
  ])('names the first bad entry if one is %s (acceptance 61)', async (_, sql, message) => {
    const { run, tamper } = await place()
    tamper(sql)
    const { stdout, code } = await run('journal verify')
    expect(stdout).toMatch(message)
    expect(code).toBe(1)
    expect((await run('journal verify --json')).json()).toMatchObject({
      kind: 'damaged',
      damage: { seq: expect.any(Number) },
    })
  })

  it('detects a restored store by a checkpoint kept elsewhere', async () => {
    const { run, cwd, home } = await place()
    const before = readFileSync(join(home, 'store.db'))
    const { gate } = await openGate({ home, workspace: cwd })
    await gate.close()
    await run('journal checkpoint --out head.txt')
    writeFileSync(join(home, 'store.db'), before)
    writeFileSync(join(home, 'heads', 'checkpoints.jsonl'), '')
    expect((await run('journal verify')).code).toBe(0)
    const { stdout, code } = await run('journal verify --against head.txt')
    expect(stdout).toContain('rolled-back')
    expect(code).toBe(1)
  })

  it('distinguishes a wrong file from a wrong journal', async () => {
    const { run, cwd } = await place(0)
    writeFileSync(join(cwd, 'note.txt'), 'hello\n')
    expect(await run('journal verify --against note.txt')).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('is not a checkpoint'),
    })
    expect((await run('journal verify --against nowhere')).stderr).toContain('ENOENT')
  })
})

describe('countersign journal export', () => {
  it('writes the hashed lines, with a signed head that covers them', async () => {
    const { run, cwd } = await place()
    expect((await run('journal export --out a.jsonl --checkpoint')).stderr).toContain('exported entries 1 to 10')
    expect(readFileSync(join(cwd, 'a.jsonl'), 'utf8')).toBe((await run('journal export')).stdout)
    expect((await run('journal verify --file a.jsonl')).stdout).toMatch(/^intact: 10 entries/)
  })

  it.each([
    ['changed', (text: string) => text.replace('"f1"', '"g1"')],
    ['shortened', (text: string) => lines(text).slice(0, 8).join('\n')],
    ['cut off within a line', (text: string) => text.slice(0, -20)],
    ['reordered', (text: string) => lines(text).reverse().join('\n')],
  ])('detects an export that was %s', async (_, edit) => {
    const { run, cwd } = await place()
    await run('journal export --out a.jsonl --checkpoint')
    writeFileSync(join(cwd, 'a.jsonl'), edit(readFileSync(join(cwd, 'a.jsonl'), 'utf8')))
    const { stdout, code } = await run('journal verify --file a.jsonl')
    expect(stdout).toMatch(/^damaged: /)
    expect(code).toBe(1)
  })

  it('is verified by the key of its journal in any home', async () => {
    const [own, other] = [await place(), await place(1)]
    await own.run('journal export --out a.jsonl --checkpoint')
    const file = join(own.cwd, 'a.jsonl')
    const keyOf = ({ home }: { readonly home: string }) => openGateKey(openHome(home)).publicKey
    const verify = (key: string) => other.run(`journal verify --file ${file} --key ${key}`)
    expect((await verify(keyOf(own))).stdout).toMatch(
      /^intact: 10 entries(?:.|\n)*confirmed by a kept checkpoint up to: 10/,
    )
    expect((await verify(keyOf(other))).stdout).toMatch(/^damaged: /)
    expect((await other.run(`journal verify --file ${file}`)).stdout).toMatch(/^damaged: /)
    expect((await verify('AAAA')).stderr).toContain('32 bytes in base64')
    expect((await other.run(`journal verify --key ${keyOf(own)}`)).stderr).toContain('`--key` needs `--file <export>`')
  })

  it('does not sign a journal that does not verify', async () => {
    const { run, tamper, cwd } = await place()
    tamper(`UPDATE entry SET line = replace(line, 'f1', 'g1') WHERE seq = 5`)
    for (const line of ['journal checkpoint', 'journal export --out a.jsonl --checkpoint', 'journal rotate'])
      expect(await run(line)).toMatchObject({
        stdout: '',
        code: 125,
        stderr: expect.stringContaining('[CS_JOURNAL_DAMAGED]'),
      })
    expect(existsSync(join(cwd, 'a.jsonl'))).toBe(false)
  })

  it('never overwrites a file', async () => {
    const { run, cwd } = await place(1)
    writeFileSync(join(cwd, 'a.jsonl'), 'mine')
    expect((await run('journal export --out a.jsonl')).stderr).toContain('already exists; choose another name')
    expect(readFileSync(join(cwd, 'a.jsonl'), 'utf8')).toBe('mine')
  })

  it('requires a path for the checkpoint', async () => {
    expect((await (await place(0)).run('journal export --checkpoint')).stderr).toContain('--out')
  })
})

describe('countersign journal rotate', () => {
  it('archives the older entries and keeps the proof (acceptance 63)', async () => {
    const { run, home, cwd } = await place()
    await run('journal checkpoint --out head.txt')
    expect((await run('journal rotate --keep 3')).stdout).toContain('archived entries 1 to 7')
    expect(readdirSync(join(home, 'archive')).sort()).toEqual(['journal-1-7.checkpoint', 'journal-1-7.jsonl'])
    expect((await run('journal verify --against head.txt')).stdout).toMatch(
      /^intact: 11 entries, the first 7 archived and checked by hash/,
    )
    const archive = join(home, 'archive', 'journal-1-7.jsonl')
    expect((await run(`journal verify --file ${archive}`)).stdout).toMatch(/^intact: 7 entries/)
    expect((await run('journal rotate')).stdout).toContain('archived entries 8 to 11')
    await run('journal export --out rest.jsonl')
    expect((await run('journal verify --file rest.jsonl')).stdout).toMatch(
      /^intact: 12 entries, the first 11 archived and checked by hash/,
    )
    expect(existsSync(join(cwd, 'rest.jsonl'))).toBe(true)
  })

  it('keeps the given days, and reports if there is nothing to do', async () => {
    const { run } = await place()
    expect((await run('journal rotate --keep 1d')).stdout).toBe('nothing to archive\n')
    expect((await run('journal rotate --keep 500')).stdout).toBe('nothing to archive\n')
    expect((await run('journal rotate --keep forever')).code).toBe(125)
  })

  it('deletes old archives only if their hashes and checkpoints remain, and journals it', async () => {
    const { run, home } = await place()
    await run('journal rotate')
    expect((await run('journal rotate --keep 1 --prune-archives-older 1 --json')).json()).toMatchObject({ pruned: [] })
    const archive = join(home, 'archive', 'journal-1-10.jsonl')
    writeFileSync(archive, readFileSync(archive, 'utf8').replaceAll(/"at":\d+/g, '"at":1000'))
    utimesSync(archive, 1, 1)
    expect((await run('journal rotate --keep 5 --prune-archives-older 1 --json')).json()).toMatchObject({
      pruned: ['journal-1-10.jsonl'],
    })
    expect(readdirSync(join(home, 'archive'))).toContain('journal-1-10.checkpoint')
    expect((await run('journal tail -n 1')).stdout).toContain('pruned')
    expect((await run('journal verify')).code).toBe(0)
  })

  it('does not overwrite another file with its archive', async () => {
    const { run, home } = await place()
    mkdirSync(join(home, 'archive'))
    writeFileSync(join(home, 'archive', 'journal-1-10.jsonl'), 'mine')
    expect((await run('journal rotate')).stderr).toContain('already exists with other content; move it away')
    expect((await run('journal verify')).stdout).toMatch(/^intact: 10 entries\n/)
    expect(readdirSync(join(home, 'archive'))).toEqual(['journal-1-10.jsonl'])
  })
})
