import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { BUILTIN_TOOLS } from '../builtin-tools.ts'
import { runTool } from '../tool-run.fixture.ts'
import { entryOf, replaceFile } from './atomic-write.ts'
import { refuseLargeTree } from './move-file.ts'

function project(files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const run = async (name: string, args: JsonObject, folder: string) => (await runTool(name, args, folder)).text

describe('read_file', () => {
  const lines = Array.from({ length: 3000 }, (_, at) => `line ${at + 1}`)

  it('returns a file unchanged', async () => {
    expect(await run('read_file', { path: 'a.txt' }, project({ 'a.txt': 'one\r\ntwo' }))).toBe('one\r\ntwo')
  })

  it('returns the requested lines, and their numbers', async () => {
    const folder = project({ 'a.txt': lines.join('\n') })
    expect(await run('read_file', { path: 'a.txt', start_line: 2, end_line: 3 }, folder)).toBe(
      'line 2\nline 3\n[lines 2 to 3 of 3000]',
    )
    expect(await run('read_file', { path: 'a.txt' }, folder)).toMatch(/line 2000\n\[lines 1 to 2000 of 3000\]$/)
    await expect(run('read_file', { path: 'a.txt', start_line: 3, end_line: 2 }, folder)).rejects.toThrow(
      'comes before',
    )
    await expect(run('read_file', { path: 'a.txt', start_line: 3001 }, folder)).rejects.toThrow('has 3000 lines')
  })

  it('truncates an endless line', async () => {
    const text = await run('read_file', { path: 'a.txt' }, project({ 'a.txt': 'x'.repeat(1_000_000) }))
    expect(text.length).toBeLessThan(70_000)
    expect(text).toContain('the line continues: 940000 more characters')
  })

  it('reports only that a file is binary', async () => {
    expect(await run('read_file', { path: 'a.bin' }, project({ 'a.bin': 'a\0b' }))).toBe(
      '`a.bin` is a binary file, 3 bytes',
    )
  })

  it('does not hang on a pipe', async () => {
    const folder = project()
    execFileSync('mkfifo', [join(folder, 'pipe')])
    await expect(run('read_file', { path: 'pipe' }, folder)).rejects.toThrow('not a regular file')
  })

  it.each([
    ['a missing file', 'nope', 'does not exist'],
    ['a folder', '.', 'is a folder; use list_directory'],
    ['a URL', 'file:///etc/passwd', 'use a path'],
  ])('refuses %s', async (_, path, message) => {
    await expect(run('read_file', { path }, project())).rejects.toThrow(message)
  })
})

describe('list_directory', () => {
  it('lists by name: folders with a slash, links with their target', async () => {
    const folder = project({ 'b.txt': '', 'a/c.txt': '', '.hidden': '' })
    symlinkSync('/nowhere', join(folder, 'z'))
    expect(await run('list_directory', {}, folder)).toBe('.hidden\na/\nb.txt\nz -> /nowhere')
    expect(await run('list_directory', { path: 'a' }, folder)).toBe('c.txt')
  })

  it('has a limit', async () => {
    const folder = project(Object.fromEntries(Array.from({ length: 1003 }, (_, at) => [`f${at}`, ''])))
    expect((await run('list_directory', {}, folder)).split('\n').at(-1)).toBe('[3 more entries are not shown]')
  })
})

describe('write_file', () => {
  it('creates a file with its folders, and leaves nothing else behind', async () => {
    const folder = project()
    expect(await run('write_file', { path: 'src/new/a.ts', content: 'é\n' }, folder)).toBe(
      'created `src/new/a.ts` (3 bytes)',
    )
    expect(readdirSync(join(folder, 'src/new'))).toEqual(['a.ts'])
    expect(readFileSync(join(folder, 'src/new/a.ts'), 'utf8')).toBe('é\n')
  })

  it('keeps the mode of a replaced file, but not setuid', async () => {
    const folder = project({ 'run.sh': 'old' })
    chmodSync(join(folder, 'run.sh'), 0o6750)
    await run('write_file', { path: 'run.sh', content: 'new' }, folder)
    expect(statSync(join(folder, 'run.sh')).mode & 0o7777).toBe(0o750)
    expect(readFileSync(join(folder, 'run.sh'), 'utf8')).toBe('new')
  })

  it.skipIf(process.getuid?.() === 0)('does not write a read-only file', async () => {
    const folder = project({ 'a.txt': 'old' })
    chmodSync(join(folder, 'a.txt'), 0o444)
    await expect(run('write_file', { path: 'a.txt', content: 'new' }, folder)).rejects.toThrow('may not be used')
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('old')
  })

  it('writes to the target of a link that was judged, and keeps the link', async () => {
    const folder = project({ 'real.txt': 'old' })
    symlinkSync('real.txt', join(folder, 'link.txt'))
    expect(await run('write_file', { path: 'link.txt', content: 'new' }, folder)).toContain('`real.txt`')
    expect([readlinkSync(join(folder, 'link.txt')), readFileSync(join(folder, 'real.txt'), 'utf8')]).toEqual([
      'real.txt',
      'new',
    ])
  })

  it('refuses a folder', async () => {
    await expect(run('write_file', { path: 'src', content: '' }, project({ 'src/a': '' }))).rejects.toThrow(
      'regular file',
    )
  })
})

describe('a file that is replaced', () => {
  it('is not changed if a link appeared in its place', async () => {
    const folder = project({ 'victim.txt': 'safe' })
    const path = join(folder, 'new.txt')
    symlinkSync('victim.txt', path)
    await expect(replaceFile(path, 'evil', null, 'new.txt')).rejects.toThrow('is now a link')
    expect(readFileSync(join(folder, 'victim.txt'), 'utf8')).toBe('safe')
    expect(readdirSync(folder).sort()).toEqual(['new.txt', 'victim.txt'])
  })

  it('is not changed if a parent folder became a link', async () => {
    const folder = project({ 'elsewhere/a.txt': 'safe' })
    symlinkSync('elsewhere', join(folder, 'src'))
    await expect(replaceFile(join(folder, 'src/a.txt'), 'evil', null, 'src/a.txt')).rejects.toThrow('is now a link')
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['a.txt'])
    expect(readFileSync(join(folder, 'elsewhere/a.txt'), 'utf8')).toBe('safe')
  })

  it('is not changed if it changed after it was read, or appeared', async () => {
    const folder = project({ 'a.txt': 'read' })
    const path = join(folder, 'a.txt')
    const before = await entryOf(path)
    writeFileSync(path, 'changed by somebody')
    await expect(replaceFile(path, 'mine', before, 'a.txt')).rejects.toThrow('has changed since')
    await expect(replaceFile(path, 'mine', null, 'a.txt')).rejects.toThrow('has changed since')
    expect(readFileSync(path, 'utf8')).toBe('changed by somebody')
  })
})

describe('edit_file', () => {
  const text = 'alpha\nbeta\nalpha\n'

  it('replaces text that occurs once, and `$&` has no special meaning', async () => {
    const folder = project({ 'a.txt': text })
    await run('edit_file', { path: 'a.txt', old_string: 'beta', new_string: '$& $1' }, folder)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('alpha\n$& $1\nalpha\n')
  })

  it('replaces all occurrences only if told to', async () => {
    const folder = project({ 'a.txt': text })
    const edit = { path: 'a.txt', old_string: 'alpha', new_string: 'gamma' }
    await expect(run('edit_file', edit, folder)).rejects.toThrow('occurs 2 times')
    expect(await run('edit_file', { ...edit, replace_all: true }, folder)).toBe('edited `a.txt` (2 places)')
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('gamma\nbeta\ngamma\n')
  })

  it.each([
    ['missing text', { old_string: 'delta', new_string: '' }, 'is not in `a.txt`'],
    ['an unknown argument', { old_string: 'beta', new_string: '', expected_replacements: 3 }, 'arguments'],
    ['an empty text', { old_string: '', new_string: 'x' }, 'old_string'],
  ])('refuses %s', async (_, args, message) => {
    const folder = project({ 'a.txt': text })
    await expect(run('edit_file', { path: 'a.txt', ...args }, folder)).rejects.toThrow(message)
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(text)
  })
})

describe('move_file, delete_file and create_directory', () => {
  it('moves to a new name, and into an existing folder', async () => {
    const folder = project({ 'a.txt': 'a', 'dir/b.txt': 'b' })
    expect(await run('move_file', { source: 'a.txt', destination: 'new/c.txt' }, folder)).toBe(
      'moved `a.txt` to `new/c.txt`',
    )
    expect(await run('move_file', { source: 'new/c.txt', destination: 'dir' }, folder)).toBe(
      'moved `new/c.txt` to `dir/c.txt`',
    )
    expect(readdirSync(join(folder, 'dir'))).toEqual(['b.txt', 'c.txt'])
    await expect(run('move_file', { source: 'nope', destination: 'x' }, folder)).rejects.toThrow('does not exist')
  })

  it('moves and deletes a link itself, not its target', async () => {
    const folder = project({ 'real/a.txt': 'a' })
    symlinkSync('real', join(folder, 'link'))
    await run('move_file', { source: 'link', destination: 'other' }, folder)
    expect(lstatSync(join(folder, 'other')).isSymbolicLink()).toBe(true)
    await run('delete_file', { path: 'other' }, folder)
    expect([existsSync(join(folder, 'other')), existsSync(join(folder, 'real/a.txt'))]).toEqual([false, true])
  })

  it('deletes a file, and a folder with its content', async () => {
    const folder = project({ 'a.txt': '', 'dir/sub/b.txt': '' })
    expect(await run('delete_file', { path: 'a.txt' }, folder)).toBe('deleted `a.txt`')
    expect(await run('delete_file', { path: 'dir/' }, folder)).toContain('and its content')
    expect(readdirSync(folder)).toEqual([])
    await expect(run('delete_file', { path: 'a.txt' }, folder)).rejects.toThrow('does not exist')
  })

  it('creates folders', async () => {
    const folder = project()
    await run('create_directory', { path: 'a/b' }, folder)
    expect(statSync(join(folder, 'a/b')).isDirectory()).toBe(true)
    expect(await run('create_directory', { path: 'a/b' }, folder)).toContain('already')
  })
})

describe('every tool', () => {
  it.each(BUILTIN_TOOLS.map((tool) => [tool.name, tool] as const))('%s refuses unknown arguments', async (_, tool) => {
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(tool.description.length).toBeLessThan(260)
    const args = { path: 'a', command: 'true', url: 'http://a', patch: 'x', pattern: 'x', surprise: 1 }
    await expect(run(tool.name, args, project({ a: '' }))).rejects.toMatchObject({ code: 'CS_CALL_ARGS' })
  })
})

describe('the size of a result', () => {
  it('is limited for edit_file, however short its arguments are', async () => {
    const folder = project({ 'a.txt': 'a'.repeat(900_000) })
    const args = { path: 'a.txt', old_string: 'a', new_string: 'b'.repeat(600), replace_all: true }
    await expect(run('edit_file', args, folder)).rejects.toThrow(
      /would have 515 MB, more than 16 MB; nothing was written/,
    )
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a'.repeat(900_000))
    expect(readdirSync(folder)).toEqual(['a.txt'])
  })

  it('is limited for write_file', async () => {
    const folder = project()
    await expect(run('write_file', { path: 'a.txt', content: 'é'.repeat(9_000_000) }, folder)).rejects.toThrow(
      'more than 16 MB',
    )
    expect(readdirSync(folder)).toEqual([])
  })

  it('is limited for apply_diff, for each file and for all together', async () => {
    const line = 'x'.repeat(1_000_000)
    const files = Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [`${at}.txt`, `${`${line}\n`.repeat(14)}end\n`]),
    )
    const folder = project(files)
    const patch = Object.keys(files).map((name) => `--- a/${name}\n+++ b/${name}\n@@ -15,1 +15,1 @@\n-end\n+END\n`)
    await expect(run('apply_diff', { patch: patch.join('') }, folder)).rejects.toThrow('more than 64 MB together')
    expect(readFileSync(join(folder, '0.txt'), 'utf8')).toContain('end')
    expect(await run('apply_diff', { patch: patch.slice(0, 2).join('') }, folder)).toBe(
      'patched `0.txt`\npatched `1.txt`',
    )
  })

  it('is limited for a move to another disk', async () => {
    const folder = project({ 'tree/a.txt': 'aaa', 'tree/b.txt': 'bbb' })
    const tree = join(folder, 'tree')
    await refuseLargeTree(tree)
    await expect(refuseLargeTree(tree, { entries: 2, bytes: 100 })).rejects.toThrow('move it in parts')
    await expect(refuseLargeTree(tree, { entries: 10, bytes: 5 })).rejects.toThrow('move it in parts')
  })
})
