import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { spawnCli, startCli } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

function place() {
  const folder = temporaryFolder()
  const cwd = join(folder, 'project')
  const home = join(folder, 'home')
  mkdirSync(cwd)
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'policy.yaml'), 'version: 1\nnever_allow: ["exec"]\n')
  const run = (...argv: string[]) => spawnCli([...argv, '--home', home], cwd)
  return { cwd, home, run, exec: (...words: string[]) => spawnCli(['exec', '--home', home, '--', ...words], cwd) }
}

describe('countersign journal in its own processes', () => {
  it('follows the entries of other processes', async () => {
    const { cwd, home, exec } = place()
    await exec('true')
    const tail = startCli(['journal', 'tail', '--follow', '--json', '--home', home], cwd)
    const lines: string[] = []
    if (tail.stdout === null) throw new Error('no stdout')
    const reader = createInterface({ input: tail.stdout })
    reader.on('line', (line) => lines.push(line))
    while (!lines.some((line) => line.includes('"denied"'))) await once(reader, 'line')
    const before = lines.length
    await exec('false')
    while (lines.filter((line) => line.includes('"kind":"denied"')).length < 2) await once(reader, 'line')
    expect(lines.length).toBeGreaterThan(before)
    const seqs = lines.map((line) => (JSON.parse(line) as { seq: number }).seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    tail.kill('SIGINT')
    await once(tail, 'close')
  })

  it('records a denied call, and verifies (acceptance 60)', async () => {
    const { run, exec } = place()
    expect((await exec('true')).code).toBe(121)
    expect((await run('journal', 'tail')).stdout).toMatch(/judged .*deny by never_allow\[0\]\n.*denied /)
    const { stdout, stderr, code } = await run('journal', 'verify')
    expect({ code, proves: stderr.startsWith('proves ') }).toEqual({ code: 0, proves: true })
    expect(stdout).toMatch(/^intact: 3 entries\n/)
  })

  it('finds a flipped byte and exits with 1 (acceptance 61)', async () => {
    const { run, exec, home } = place()
    await exec('true')
    const store = new DatabaseSync(join(home, 'store.db'))
    store.exec(`UPDATE entry SET line = replace(line, '"deny"', '"Deny"') WHERE seq = 2`)
    store.close()
    expect(await run('journal', 'verify')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^damaged: entry 2: changed/),
    })
  })

  it('lets one of two concurrent rotations win, and loses no entry', async () => {
    const { run, exec, home } = place()
    await exec('true')
    const ended = await Promise.all([run('journal', 'rotate'), run('journal', 'rotate'), exec('false')])
    expect(ended.slice(0, 2).filter(({ code }) => code === 0).length).toBeGreaterThan(0)
    for (const { code, stderr } of ended.slice(0, 2)) if (code !== 0) expect(stderr).toMatch(/^countersign: .*\[CS_/)
    expect(await run('journal', 'verify')).toMatchObject({ code: 0 })
    const [archive = ''] = readdirSync(join(home, 'archive')).filter((name) => name.endsWith('.jsonl'))
    expect(await run('journal', 'verify', '--file', join(home, 'archive', archive))).toMatchObject({ code: 0 })
  })
})
