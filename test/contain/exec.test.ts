import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnCli } from '@countersign/testing/command/spawn-cli'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differences, guarded } from './harness/harm.ts'
import { openPlace, type Place, removeTemplate } from './harness/place.ts'

let place: Place
beforeAll(() => {
  place = openPlace()
  mkdirSync(place.gate, { mode: 0o700 })
  writeFileSync(join(place.gate, 'policy.yaml'), 'version: 1\npreset: balanced\n', { mode: 0o600 })
})
afterAll(() => {
  place.remove()
  removeTemplate()
})

function exec(command: string) {
  return spawnCli(['--home', place.gate, 'exec', '--no-input', '--workspace', place.work, '--', command], place.work)
}

describe('countersign exec', () => {
  it.each([
    ["x='a[$(touch OUTSIDE/new)0]'; echo $((x))"],
    ['sort --outp=OUTSIDE/keep.txt notes.txt'],
    ["python3 -c \"import os; getattr(os, 'un' + 'link')('OUTSIDE/keep.txt')\""],
    ['make -s --eval="x:=$(touch OUTSIDE/new)" test'],
    ['npm test --silent --script-shell=OUTSIDE/keep.sh; cp notes.txt OUTSIDE/folder/a.txt'],
  ])('changes nothing outside the workspace with %s', async (command) => {
    const before = guarded(place)
    await exec(command.replaceAll('OUTSIDE', place.outside))
    expect(differences(before.outside, guarded(place).outside)).toEqual([])
  })

  it('runs the project’s own tests unasked', async () => {
    const { code, stdout, stderr } = await exec('node test.js')
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: 'ok\n' })
  })

  it('writes files of the workspace unasked', async () => {
    expect(await exec('echo tested > out.txt')).toMatchObject({ code: 0 })
    expect(readFileSync(join(place.work, 'out.txt'), 'utf8')).toBe('tested\n')
  })

  it('adds to the notice that a change cannot be undone', async () => {
    writeFileSync(join(place.work, 'large.bin'), '')
    truncateSync(join(place.work, 'large.bin'), 200 * 1024 * 1024)
    const { code, stderr } = await exec('echo new > large.bin')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^countersign: notice: Runs `echo new > large.bin` \(balanced.workspace-changes\); no undo: .+\n$/,
      ),
    })
  })

  it('tells that a server of this machine is out of reach, even if the command does not', async () => {
    const { code, stderr } = await exec('curl -s http://localhost:1/')
    expect({ code, stderr }).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('probably refused a connection to `localhost:1`'),
    })
  })
})
