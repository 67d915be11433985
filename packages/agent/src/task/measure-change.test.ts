import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BUILTIN_TOOLS } from '../tools/builtin-tools.ts'
import { isMeasured, measureChange } from './measure-change.ts'

function project(): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree\n')
  mkdirSync(join(folder, 'dir/sub'), { recursive: true })
  writeFileSync(join(folder, 'dir/b.txt'), 'b\n')
  writeFileSync(join(folder, 'dir/sub/c.bin'), 'c\0')
  return folder
}

const PATCH =
  '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,2 @@\n one\n-two\n three\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n'

describe('the measured change of a call', () => {
  it.each([
    ['write_file', { path: 'new.txt', content: 'x\ny\n' }, [['new.txt', 2]]],
    ['write_file', { path: 'a.txt', content: 'zero\none\ntwo\nthree\n' }, [['a.txt', 1]]],
    ['write_file', { path: 'a.txt', content: 'one\ntwo\nthree\n' }, []],
    ['write_file', { path: 'a.txt', content: '' }, [['a.txt', 3]]],
    ['write_file', { path: 'empty', content: '' }, [['empty', 0]]],
    ['write_file', { path: 'dir/sub/c.bin', content: '' }, [['dir/sub/c.bin', 0]]],
    ['edit_file', { path: 'dir/../a.txt', old_string: 'two', new_string: '2' }, [['a.txt', 2]]],
    [
      'apply_diff',
      { patch: PATCH },
      [
        ['a.txt', 1],
        ['new.txt', 2],
      ],
    ],
    [
      'delete_file',
      { path: 'dir' },
      [
        ['dir/b.txt', 1],
        ['dir/sub/c.bin', 0],
      ],
    ],
    ['move_file', { source: 'dir/b.txt', destination: 'a.txt' }, [['a.txt', 3]]],
    ['move_file', { source: 'dir/sub', destination: 'other' }, [['other/c.bin', 0]]],
    [
      'create_directory',
      { path: 'made/deep' },
      [
        ['made', 0],
        ['made/deep', 0],
      ],
    ],
    ['create_directory', { path: 'dir/sub' }, []],
    ['write_file', { path: 'new.txt', content: 'x\ry\rz' }, [['new.txt', 3]]],
    ['read_file', { path: 'a.txt' }, []],
    ['write_file', { path: 3, content: 'x' }, []],
  ] as const)('for %s %j', async (tool, args, expected) => {
    const folder = project()
    const { files } = await measureChange(tool, args, folder)
    expect(files.map(({ path, lines }) => [path.slice(folder.length + 1), lines])).toEqual(expected)
  })

  it('70: counts bytes as well: a line can be long', async () => {
    const folder = project()
    const bytes = async (tool: string, args: JsonObject) =>
      (await measureChange(tool, args, folder)).files.map((file) => file.bytes)
    expect(await bytes('write_file', { path: 'new.txt', content: 'é'.repeat(1000) })).toEqual([2000])
    expect(await bytes('edit_file', { path: 'a.txt', old_string: 'two', new_string: '2' })).toEqual([6])
    expect(await bytes('delete_file', { path: 'dir' })).toEqual([2, 2])
    expect(await bytes('write_file', { path: 'dir/sub/c.bin', content: 'x' })).toEqual([3])
  })

  it('names both ends of a move, and everything below', async () => {
    const folder = project()
    const { touched } = await measureChange('move_file', { source: 'dir', destination: 'new' }, folder)
    expect(touched.map((path) => path.slice(folder.length + 1)).sort()).toEqual(
      ['dir', 'dir/b.txt', 'dir/sub/c.bin', 'new', 'new/b.txt', 'new/sub/c.bin'].sort(),
    )
  })

  it('is never less than the difference in line count', async () => {
    const folder = project()
    const text = fc
      .array(fc.constantFrom('a', 'b', ''), { maxLength: 30 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        writeFileSync(join(folder, 'a.txt'), before)
        const { files } = await measureChange('write_file', { path: 'a.txt', content: after }, folder)
        const lines = files[0]?.lines ?? 0
        const count = (one: string) => one.split('\n').length - 1
        expect(lines).toBeGreaterThanOrEqual(Math.abs(count(before) - count(after)))
        expect(lines).toBeLessThanOrEqual(count(before) + count(after))
        expect(lines === 0).toBe(before === after)
        expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(before)
      }),
      { numRuns: 100 },
    )
  })

  it('counts all lines of very different texts, quickly', async () => {
    const folder = project()
    const lines = (mark: string) => Array.from({ length: 20_000 }, (_, at) => `${mark}${at}\n`).join('')
    writeFileSync(join(folder, 'a.txt'), lines('a'))
    const { files } = await measureChange('write_file', { path: 'a.txt', content: lines('b') }, folder)
    expect(files[0]?.lines).toBe(40_000)
  })

  it('is known for every built-in tool that writes files', () => {
    const reads = ['read_file', 'list_directory', 'search', 'execute_command', 'fetch_url']
    expect(BUILTIN_TOOLS.filter(({ name }) => !isMeasured(name)).map(({ name }) => name)).toEqual(reads)
  })
})
