import { calmRisk } from '@countersign/testing/gate/harmless-risk'
import { frozenCall as call, type MemoryFile, memoryTargets as targets } from '@countersign/testing/gate/memory-targets'
import { describe, expect, it } from 'vitest'
import type { Targets } from '../ports/targets.ts'
import { buildPreview } from './build-preview.ts'
import type { Preview } from './model/preview.ts'

type Files = { readonly [path: string]: MemoryFile }

function preview(tool: string, args: object, files: Files = {}, server?: string): Promise<Preview> {
  return buildPreview(call(tool, args, server), calmRisk(), targets(files))
}

/** One line per file of a preview: its change and its notes. */
function told(shown: Preview): readonly string[] {
  if (shown.kind !== 'files' && shown.kind !== 'diff') throw new Error(`no picture of files: ${JSON.stringify(shown)}`)
  const changes = shown.kind === 'files' ? shown.changes : [shown]
  return changes.map(({ change, from, path, added, removed, notes }) =>
    [`${change} ${from === undefined ? '' : `${from} > `}${path} +${added} -${removed}`, ...notes].join('; '),
  )
}

const marked = (...lines: readonly string[]) => ({ input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') })
const git = (...lines: readonly string[]) => ({ patch: `${lines.join('\n')}\n` })

describe('a patch', () => {
  it.each<[string, object, Files, readonly string[]]>([
    [
      'in the marked format, with every verb',
      marked(
        '*** Update File: a',
        '@@',
        '-1',
        '+2',
        '*** Add File: b',
        '+x',
        '*** Delete File: c',
        '*** Update File: d',
        '*** Move to: e',
        '@@',
        '-x',
        '+y',
      ),
      { a: '1\n', c: 'gone\n', d: 'x\n' },
      ['overwrite a +1 -1', 'create b +1 -0', 'delete c +0 -1', 'move d > e +1 -1'],
    ],
    [
      'of several files in the unified format',
      git('--- a/x', '+++ b/x', '@@ -1 +1 @@', '-1', '+2', '--- /dev/null', '+++ b/new', '@@ -0,0 +1 @@', '+n'),
      { x: '1\n' },
      ['overwrite x +1 -1', 'create new +1 -0'],
    ],
    [
      'with removed lines that look like headers',
      git(
        '--- a/x',
        '+++ b/x',
        '@@ -1,2 +1,2 @@',
        '--- y',
        '+++ z',
        ' k',
        '--- a/w',
        '+++ b/w',
        '@@ -1 +1 @@',
        '-1',
        '+2',
      ),
      { x: '-- y\nk\n', w: '1\n' },
      ['overwrite x +1 -1', 'overwrite w +1 -1'],
    ],
    [
      'that renames, copies, changes modes and deletes',
      git(
        'diff --git a/x b/y',
        'similarity index 100%',
        'rename from x',
        'rename to y',
        'diff --git a/k b/l',
        'copy from k',
        'copy to l',
        'diff --git a/run b/run',
        'old mode 100644',
        'new mode 100755',
        'diff --git a/old b/old',
        'deleted file mode 100644',
        '--- a/old',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-bye',
      ),
      { x: '1\n', y: 'there\n', k: 'k\n', run: 'echo\n', old: 'bye\n' },
      [
        'move x > y +0 -0; overwrites `y`',
        'copy k > l +0 -0',
        'overwrite run +0 -0; mode changes from 0644 to 0755 (becomes executable)',
        'delete old +0 -1',
      ],
    ],
    [
      'of binary files, links and empty files',
      git(
        'diff --git a/i.png b/i.png',
        'new file mode 100644',
        'GIT binary patch',
        'literal 2048',
        'zcmV',
        '',
        'diff --git a/j b/j',
        'Binary files a/j and b/j differ',
        'diff --git a/ln b/ln',
        'new file mode 120000',
        '--- /dev/null',
        '+++ b/ln',
        '@@ -0,0 +1 @@',
        '+/etc/passwd',
        '\\ No newline at end of file',
        'diff --git a/e b/e',
        'new file mode 100644',
      ),
      { j: { bytes: 9 } },
      [
        'create i.png +0 -0; the new content is binary, 2.0 KB',
        'overwrite j +0 -0; the new content is binary and not in the patch',
        'create ln +1 -0; no newline at the end of the new text; creates a symbolic link; the text is its target',
        'create e +0 -0; the new file is empty',
      ],
    ],
    [
      'that does not apply',
      marked(
        '*** Update File: a',
        '@@',
        '-9',
        '+2',
        '*** Update File: gone',
        '@@',
        '-9',
        '+2',
        '*** Delete File: none',
      ),
      { a: '1\n' },
      [
        'none a +0 -0; the patch would fail: it does not match the current file',
        'none gone +0 -0; `gone` does not exist: this would fail',
        'none none +0 -0; `none` does not exist: this would fail',
      ],
    ],
    [
      'with a rename that also changes lines',
      git('diff --git a/x b/y', 'rename from x', 'rename to y', '--- a/x', '+++ b/y', '@@ -1 +1 @@', '-1', '+2'),
      { x: '1\n' },
      ['move x > y +1 -1'],
    ],
  ])('%s', async (_, args, files, expected) => {
    expect(told(await preview('apply_patch', args, files))).toEqual(expected)
  })

  it('inside a file’s content is shown as that content', async () => {
    const content = '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+2\n'
    expect(told(await preview('write_file', { path: 'f', content }, { f: '1\n' }))).toEqual(['overwrite f +5 -1'])
  })

  it('of very many files names each, and shows the first ones line by line', async () => {
    const shown = await preview(
      'apply_patch',
      marked(...Array.from({ length: 300 }, (_, at) => `*** Add File: f${at}\n+x`)),
    )
    expect(told(shown)).toHaveLength(300)
    expect(told(shown)[39]).toBe('create f39 +1 -0')
    expect(told(shown)[299]).toBe('overwrite f299 +1 -0; only counted; see the arguments for its lines')
  })

  it('shows the other files if one cannot be read', async () => {
    const files = targets({ a: '1\n', b: '1\n' })
    const broken: Targets = {
      ...files,
      readText: (path, cwd, most) =>
        path === 'a' ? Promise.reject(new Error('EIO')) : files.readText(path, cwd, most),
    }
    const args = marked('*** Update File: a', '@@', '-1', '+2', '*** Update File: b', '@@', '-1', '+2')
    expect(told(await buildPreview(call('apply_patch', args), calmRisk(), broken))).toEqual([
      'overwrite a +1 -1; the current content of `a` could not be read: EIO',
      'overwrite b +1 -1',
    ])
  })
})

describe('edits of several files', () => {
  it.each<[string, object]>([
    [
      'multi_replace_string_in_file',
      {
        replacements: [
          { filePath: 'a', oldString: '1', newString: '2' },
          { filePath: 'b', oldString: 'x', newString: 'y' },
          { filePath: 'a', oldString: '2', newString: '3' },
        ],
      },
    ],
    [
      'write_file',
      {
        files: [
          { path: 'a', content: '3\n' },
          { path: 'b', content: 'y\n' },
        ],
      },
    ],
    ['write_file', { files: { './a': '3\n', './b': 'y\n' } }],
  ])('are shown by %s %j', async (tool, args) => {
    const files = { a: '1\n', b: 'x\n', './a': '1\n', './b': 'x\n' }
    expect(told(await preview(tool, args, files)).map((line) => line.replace('./', ''))).toEqual([
      'overwrite a +1 -1',
      'overwrite b +1 -1',
    ])
  })
})

describe('a delete', () => {
  it('shows the lines of one short text file', async () => {
    expect(told(await preview('delete_file', { path: 'f' }, { f: 'a\nb\n' }))).toEqual(['delete f +0 -2'])
    expect(told(await preview('delete_file', { path: 'f' }, { f: '' }))).toEqual(['delete f +0 -0; the file is empty'])
  })

  it('shows a folder as a tree with counts and sizes', async () => {
    const tree = { files: 3, folders: 1, bytes: 9000, listed: ['a', 'b/', 'b/c'], unread: 1, complete: false }
    const shown = await preview('delete_path', { path: 'd' }, { d: { type: 'directory', tree } })
    expect(shown).toEqual({
      kind: 'delete',
      targets: [{ path: 'd', use: 'delete', type: 'directory', ...tree }],
      notes: [],
    })
  })

  it('reports links, special files, and missing or unreadable files', async () => {
    const files = targets({ l: { type: 'link', leads: '/etc' }, s: { type: 'other' } })
    const broken: Targets = {
      ...files,
      facts: (path, cwd) => (path === 'x' ? Promise.reject(new Error('EIO')) : files.facts(path, cwd)),
    }
    const shown = await buildPreview(call('delete', { paths: ['l', 's', 'x', 'l'] }), calmRisk(), broken)
    expect(shown).toMatchObject({
      kind: 'delete',
      targets: [{ type: 'link', leads: '/etc' }, { type: 'other' }, { type: 'unseen', complete: false }],
      notes: ['`l` is a link: its target stays', '`s` is not a regular file', '`x` could not be inspected'],
    })
    expect(await preview('delete', { path: 'gone' })).toMatchObject({ notes: ['nothing to delete: it does not exist'] })
  })

  it('truncates a long list and a long text', async () => {
    const paths = Array.from({ length: 60 }, (_, at) => `f${at}`)
    const shown = await preview('delete', { paths })
    expect(shown).toMatchObject({
      kind: 'delete',
      notes: expect.arrayContaining([expect.stringContaining('10 more paths')]),
    })
    expect(await preview('delete_file', { path: 'f' }, { f: 'x\n'.repeat(1000) })).toMatchObject({
      kind: 'delete',
      targets: [{ type: 'file', bytes: 2000 }],
    })
  })
})

describe('a move or a copy', () => {
  const folder: MemoryFile = { type: 'directory' }
  it.each<[string, object, Files, object]>([
    ['move', { source: 'a', destination: 'b' }, { a: 'x' }, { verb: 'move', overwrites: false, notes: [] }],
    ['copy_file', { source: 'a', destination: 'b' }, { a: 'x', b: 'y' }, { verb: 'copy', overwrites: true, notes: [] }],
    [
      'move',
      { source: 'a', destination: 'd' },
      { a: 'x', d: folder, 'd/a': 'y' },
      { to: { path: 'd/a' }, overwrites: true, notes: [expect.stringContaining('`d` is a folder')] },
    ],
    [
      'move',
      { source: 'a', destination: 'b' },
      {},
      { from: { type: 'absent' }, notes: ['`a` does not exist: this would fail'] },
    ],
    [
      'copy',
      { source: 'a', destination: 'l' },
      { a: 'x', l: { type: 'link', leads: 'k' } },
      { overwrites: true, notes: ['`l` is a link: a copy changes its target'] },
    ],
  ])('%s %j', async (tool, args, files, expected) => {
    expect(await preview(tool, args, files)).toMatchObject({ kind: 'move', ...expected })
  })

  it('is not inferred from an edit that only has an old and a new text', async () => {
    const shown = await preview('edit_file', { path: 'f', old: 'a.ts', new: 'b.ts' }, { f: 'a.ts' })
    expect(shown.kind).toBe('json')
  })
})

describe('a server’s tool', () => {
  it('with a remote path is not compared with local files', async () => {
    const args = { owner: 'o', repo: 'r', path: 'README.md', content: 'x' }
    expect(await preview('create_or_update_file', args, { 'README.md': 'here' }, 'github')).toMatchObject({
      kind: 'arguments',
    })
  })
})
