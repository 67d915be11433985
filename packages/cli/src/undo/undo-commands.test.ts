import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

/** A project under a preset, in which every call is recorded and nothing is asked. */
function place(policy = 'preset: classic') {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(join(at.cwd, 'lib/deep'), { recursive: true })
  mkdirSync(join(at.cwd, 'other'))
  mkdirSync(at.home, { mode: 0o700 })
  writeFileSync(join(at.home, 'policy.yaml'), `version: 1\n${policy}\n`, { mode: 0o600 })
  for (const name of ['a.txt', 'b.txt', '.env', 'lib/one.txt', 'lib/deep/two.txt', 'other/rest.txt'])
    writeFileSync(join(at.cwd, name), `old ${name}\n`)
  return at
}

const text = (cwd: string, name: string) =>
  existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), 'utf8') : undefined

describe('countersign undo of a command', () => {
  it.each([
    ['sed -i s/old/new/ a.txt', ['a.txt']],
    ['rm a.txt', ['a.txt']],
    ['rm -r lib', ['lib/one.txt', 'lib/deep/two.txt']],
    ['mv a.txt c.txt', ['a.txt', 'c.txt']],
    ['mv a.txt b.txt', ['a.txt', 'b.txt']],
    ['mv a.txt b.txt other/', ['a.txt', 'b.txt', 'other/a.txt', 'other/b.txt', 'other/rest.txt']],
    ['mv lib other', ['lib/one.txt', 'other/lib/one.txt', 'other/rest.txt']],
    ['cp a.txt other/rest.txt', ['other/rest.txt']],
    ['echo new > a.txt', ['a.txt']],
    ['echo new >> .env', ['.env']],
    ['echo new > made.txt', ['made.txt']],
    ['cd lib && rm one.txt', ['lib/one.txt']],
  ])('restores what `%s` changed', async (command, names) => {
    const at = place()
    const before = names.map((name) => text(at.cwd, name))
    const ran = await runInProcess(['exec', '--', 'sh', '-c', command], at)
    expect(ran.code, ran.stderr).toBe(0)
    expect(names.map((name) => text(at.cwd, name))).not.toEqual(before)
    const kept = (await runInProcess(['undo', '--list', '--json'], at)).json() as readonly { readonly call: string }[]
    const undone = await runInProcess(['undo', kept[0]?.call ?? ''], at)
    expect(undone.code, undone.stderr).toBe(0)
    expect(names.map((name) => text(at.cwd, name))).toEqual(before)
  })
})
