import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TargetState } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { timesAsLong } from '@countersign/testing/time-ratio'
import { beforeEach, describe, expect, it } from 'vitest'
import { openTargets } from './target-inspector.ts'

const MIB = 2 ** 20
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

let cwd: string
const targets = openTargets()

beforeEach(() => {
  cwd = temporaryFolder()
})

describe('inspecting a target', () => {
  it('binds a file by its content', async () => {
    writeFileSync(join(cwd, 'a'), 'hello')
    expect(await targets.look('./a', cwd, MIB)).toEqual({
      given: './a',
      real: join(cwd, 'a'),
      type: 'file',
      content: sha256('hello'),
    })
  })

  it('binds a large file by its whole content', async () => {
    const big = Buffer.alloc(3 * MIB + 7, 'x')
    writeFileSync(join(cwd, 'big'), big)
    expect((await targets.look('big', cwd, 4 * MIB)).content).toBe(sha256(big))
  })

  it('binds by stat beyond the budget, and still detects a change', async () => {
    const path = join(cwd, 'a')
    writeFileSync(path, 'hello')
    const before = await targets.look('a', cwd, 4)
    expect(before).toMatchObject({ type: 'file', content: expect.stringMatching(/^stat:/) })
    writeFileSync(path, 'jello')
    utimesSync(path, 1, 1)
    expect((await targets.look('a', cwd, 4)).content).not.toBe(before.content)
  })

  it('binds the absence of a file, and detects its creation', async () => {
    expect(await targets.look('a', cwd, MIB)).toMatchObject({ type: 'absent', content: 'absent' })
  })

  it('binds a folder, and detects added and removed entries', async () => {
    mkdirSync(join(cwd, 'd'))
    writeFileSync(join(cwd, 'd', '1'), '')
    const before = await targets.look('d', cwd, MIB)
    expect(before).toMatchObject({ type: 'directory', content: expect.stringMatching(/^stat:.*:1$/) })
    writeFileSync(join(cwd, 'd', '2'), '')
    expect((await targets.look('d', cwd, MIB)).content).not.toBe(before.content)
  })

  it('does not wait for or read special files', async () => {
    execFileSync('mkfifo', [join(cwd, 'fifo')])
    for (const path of ['fifo', '/dev/zero', '/dev/tty'])
      expect(await targets.look(path, cwd, MIB)).toMatchObject({ type: 'other', content: 'unbound' })
  })

  it.runIf(process.platform === 'linux')('does not trust files in /proc, which report a wrong size', async () => {
    for (const path of ['/proc/self/status', '/proc/self/environ', '/proc/self/fd/0'])
      expect((await targets.look(path, cwd, MIB)).content).toMatch(path.endsWith('/0') ? /./ : /^unbound$/)
  })

  it('follows a link to its target', async () => {
    writeFileSync(join(cwd, 'a'), 'hello')
    symlinkSync('a', join(cwd, 'link'))
    expect(await targets.look('link', cwd, MIB)).toMatchObject({
      given: 'link',
      real: join(cwd, 'a'),
      content: sha256('hello'),
    })
  })

  const replaceBy = (make: (path: string) => void) => (path: string) => {
    rmSync(path)
    make(path)
  }

  it.each([
    ['different content', (path: string) => writeFileSync(path, 'other')],
    ['another file of the same size', replaceBy((path) => writeFileSync(path, 'jello'))],
    ['a link', replaceBy((path) => symlinkSync('/etc/hostname', path))],
    ['a folder', replaceBy((path) => mkdirSync(path))],
    ['a FIFO', replaceBy((path) => execFileSync('mkfifo', [path]))],
    ['missing', (path: string) => rmSync(path)],
  ])('detects that a file became %s (A7)', async (_, swap) => {
    const path = join(cwd, 'a')
    writeFileSync(path, 'hello')
    const before = await targets.look('a', cwd, MIB)
    swap(path)
    expect(await targets.look('a', cwd, MIB)).not.toEqual(before)
  })

  it('never mixes two files while a link is replaced (A7)', async () => {
    const contents = new Map<string, string>()
    for (const name of ['one', 'two']) {
      const body = Buffer.alloc(2 * MIB, name)
      writeFileSync(join(cwd, name), body)
      contents.set(join(cwd, name), sha256(body))
    }
    symlinkSync('one', join(cwd, 'link'))
    const swap = (to: string) => {
      symlinkSync(to, join(cwd, 'next'))
      renameSync(join(cwd, 'next'), join(cwd, 'link'))
    }
    const ends = new Set<string>()
    for (let pattern = 0; pattern < 32; pattern += 1) {
      // An inspection yields between two chunks; the bits of the pattern select at which of these points the link changes.
      let moment = 0
      let over = false
      const next = (): void => {
        if (over) return
        if ((pattern >> moment++) & 1) swap(moment % 2 === 0 ? 'one' : 'two')
        setImmediate(next)
      }
      swap('one')
      setImmediate(next)
      const seen = await targets.look('link', cwd, 4 * MIB).catch((error: unknown) => error)
      over = true
      if (seen instanceof Error) expect(seen).toMatchObject({ code: 'CS_STALE' })
      else expect(seen).toSatisfy((state: TargetState) => contents.get(state.real) === state.content)
      ends.add(seen instanceof Error ? 'refused' : (seen as TargetState).real)
    }
    expect([...ends].sort()).toEqual([join(cwd, 'one'), join(cwd, 'two'), 'refused'])
  })

  it('detects a large program changed in place, although its hash was cached', async () => {
    const path = join(cwd, 'program')
    writeFileSync(path, Buffer.alloc(100_000, 'a'))
    chmodSync(path, 0o755)
    const first = await targets.look('program', cwd, MIB)
    expect(await targets.look('program', cwd, MIB)).toEqual(first)
    writeFileSync(path, Buffer.alloc(100_000, 'b'))
    utimesSync(path, 1, 1)
    expect((await targets.look('program', cwd, MIB)).content).toBe(sha256(Buffer.alloc(100_000, 'b')))
  })

  it('caches the hash of a program that is old enough', async () => {
    const real = await targets.program('node', cwd)
    if (real === undefined) throw new Error('node is on the path of its own tests')
    const budget = statSync(real).size
    const fresh = openTargets()
    const first = await fresh.look(real, cwd, budget)
    expect(await fresh.look(real, cwd, budget)).toEqual(first)
    const reading = () => openTargets().look(real, cwd, budget)
    const remembering = () => fresh.look(real, cwd, budget)
    expect(await timesAsLong(remembering, reading, 0.5)).toBeLessThan(0.5)
  })
})

describe('finding a program', () => {
  const program = (path: string) => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, '#!/bin/sh\n')
    chmodSync(path, 0o755)
  }

  it('returns the first executable on the PATH, by its real path', async () => {
    program(join(cwd, 'real/tool'))
    mkdirSync(join(cwd, 'a/tool'), { recursive: true })
    mkdirSync(join(cwd, 'b'))
    writeFileSync(join(cwd, 'b/tool'), 'not executable', { mode: 0o644 })
    mkdirSync(join(cwd, 'c'))
    symlinkSync('../real/tool', join(cwd, 'c/tool'))
    const found = openTargets({ searchPath: ['a', 'b', 'c'].map((name) => join(cwd, name)).join(':') })
    expect(await found.program('tool', cwd)).toBe(join(cwd, 'real/tool'))
  })

  it('searches an empty or relative entry from the working folder, like a shell', async () => {
    program(join(cwd, 'tool'))
    program(join(cwd, 'bin/other'))
    expect(await openTargets({ searchPath: '/nowhere::bin' }).program('tool', cwd)).toBe(join(cwd, 'tool'))
    expect(await openTargets({ searchPath: '/nowhere:bin' }).program('other', cwd)).toBe(join(cwd, 'bin/other'))
  })

  it('resolves a name with a slash from the working folder, not on the PATH', async () => {
    program(join(cwd, 'bin/tool'))
    const found = openTargets({ searchPath: join(cwd, 'bin') })
    expect(await found.program('bin/tool', cwd)).toBe(join(cwd, 'bin/tool'))
    expect(await found.program('./tool', cwd)).toBeUndefined()
    expect(await found.program('', cwd)).toBeUndefined()
  })
})

describe('reading text for a preview', () => {
  it('returns the exact text, including a byte-order mark and unusual line endings', async () => {
    const text = '\ufeffa\r\nb\rc\n\u00e9'
    writeFileSync(join(cwd, 'a'), text)
    expect(await targets.readText('a', cwd, MIB)).toBe(text)
  })

  it.each([
    ['absent', () => {}],
    ['a folder', (path: string) => mkdirSync(path)],
    ['binary', (path: string) => writeFileSync(path, 'a\0b')],
    ['not UTF-8', (path: string) => writeFileSync(path, Buffer.of(0xc3, 0x28))],
    ['too large', (path: string) => writeFileSync(path, 'x'.repeat(101))],
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
  ])('returns null for a file that is %s', async (_, make) => {
    make(join(cwd, 'a'))
    expect(await targets.readText('a', cwd, 100)).toBeUndefined()
  })
})
