import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { MOST_CHANGED_FILES } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { beforeEach, describe, expect, it } from 'vitest'
import { openWorkspaceFiles } from './workspace-files.ts'

const files = openWorkspaceFiles()
let root: string

function put(path: string, text = 'old\n'): string {
  const at = join(root, path)
  mkdirSync(dirname(at), { recursive: true })
  writeFileSync(at, text)
  return at
}

const sha = (text: string) => createHash('sha256').update(text).digest('hex')

/** Waits until files that change from now on have a later time than those that are there. */
async function pass(): Promise<void> {
  const start = Date.now()
  await until('the next tick of the clock', () => Date.now() > start + 15 || undefined)
}

async function changesOf(act: () => void): Promise<readonly (readonly [string, string])[]> {
  await pass()
  const watch = await files.watch(root)
  act()
  const found = await watch.changed()
  if (found.kind === 'unknown') return [['unknown', found.why]]
  return found.files.map(({ path, change }) => [path, change] as const).sort()
}

beforeEach(() => {
  root = temporaryFolder()
  put('src/a.ts')
  put('src/b.ts')
  put('docs/guide.md')
})

describe('changed files of a workspace', () => {
  it.each<[string, () => void, readonly (readonly [string, string])[]]>([
    ['nothing', () => {}, []],
    ['a new file', () => put('src/new/c.ts'), [['src/new/c.ts', 'written']]],
    ['a file written in place', () => put('src/a.ts', 'new\n'), [['src/a.ts', 'written']]],
    [
      'a file written in place with its old time',
      () => {
        put('src/a.ts', 'new\n')
        utimesSync(join(root, 'src/a.ts'), 1, 1)
      },
      [['src/a.ts', 'written']],
    ],
    ['a deleted file', () => rmSync(join(root, 'src/a.ts')), [['src/a.ts', 'deleted']]],
    [
      'a deleted folder',
      () => rmSync(join(root, 'src'), { recursive: true }),
      [
        ['src/a.ts', 'deleted'],
        ['src/b.ts', 'deleted'],
      ],
    ],
    [
      'a renamed file',
      () => renameSync(join(root, 'src/a.ts'), join(root, 'src/c.ts')),
      [
        ['src/a.ts', 'deleted'],
        ['src/c.ts', 'written'],
      ],
    ],
    [
      'a renamed folder, with everything in it',
      () => renameSync(join(root, 'src'), join(root, 'lib')),
      [
        ['lib/a.ts', 'moved'],
        ['lib/b.ts', 'moved'],
        ['src/a.ts', 'deleted'],
        ['src/b.ts', 'deleted'],
      ],
    ],
    [
      'a folder in the place of another',
      () => {
        renameSync(join(root, 'src'), join(root, 'old'))
        renameSync(join(root, 'docs'), join(root, 'src'))
        put('src/more.md')
      },
      [
        ['docs/guide.md', 'deleted'],
        ['old/a.ts', 'moved'],
        ['old/b.ts', 'moved'],
        ['src/a.ts', 'deleted'],
        ['src/b.ts', 'deleted'],
        ['src/guide.md', 'moved'],
        ['src/more.md', 'written'],
      ],
    ],
    ['a link', () => symlinkSync('/etc', join(root, 'src/lib')), [['src/lib', 'written']]],
    [
      'a second name of a file',
      () => linkSync(join(root, 'docs/guide.md'), join(root, 'src/c.ts')),
      [
        ['docs/guide.md', 'written'],
        ['src/c.ts', 'written'],
      ],
    ],
    ['a copy', () => copyFileSync(join(root, 'docs/guide.md'), join(root, 'src/c.ts')), [['src/c.ts', 'written']]],
    ['a mode', () => chmodSync(join(root, 'src/a.ts'), 0o755), [['src/a.ts', 'written']]],
    ['a hook of git', () => put('.git/hooks/pre-commit'), [['.git/hooks/pre-commit', 'written']]],
    ['data of git', () => put('.git/objects/ab/cdef'), []],
    ['installed code', () => put('node_modules/lodash/index.js'), []],
  ])('are found: %s', async (_, act, expected) => {
    expect(await changesOf(act)).toEqual(expected)
  })

  it('are unknown if a folder was closed, and if there are too many', async () => {
    if (process.getuid?.() !== 0)
      expect(await changesOf(() => chmodSync(join(root, 'src'), 0))).toEqual([
        ['unknown', 'one of its folders can’t be read'],
      ])
    chmodSync(join(root, 'src'), 0o755)
    const many = () => {
      for (let at = 0; at <= MOST_CHANGED_FILES; at += 1) writeFileSync(join(root, 'src', `f${at}`), '')
    }
    expect(await changesOf(many)).toEqual([['unknown', 'too many of its files were changed']])
  })

  it('are found without a look before, with moved folders by their times', async () => {
    await pass()
    const since = files.now(root)
    put('docs/new.md')
    const paths = async () => {
      const found = await files.changedSince(root, since)
      return found.kind === 'files' ? found.files.map(({ path }) => path).sort() : []
    }
    expect(await paths()).toEqual(['docs/new.md'])
    renameSync(join(root, 'src'), join(root, 'lib'))
    // With both a folder and its parent touched, nobody can tell whether it was moved there.
    expect(await paths()).toEqual(['docs/guide.md', 'docs/new.md', 'lib/a.ts', 'lib/b.ts'])
    const old = new Date(0)
    utimesSync(join(root, 'lib'), old, new Date())
    utimesSync(root, old, old)
    expect(await paths()).toContain('lib/a.ts')
  })

  it('in installed code are counted by folder', async () => {
    put('node_modules/lodash/index.js')
    put('node_modules/react/index.js')
    await pass()
    const since = files.now(root)
    expect((await files.installedSince(root, since)).folders).toEqual([])
    put('node_modules/lodash/index.js', 'new')
    const found = await files.installedSince(root, since)
    expect(found.folders).toEqual([{ path: 'node_modules/', files: 1 }])
    await until('the time of the change', () => Date.now() > found.until || undefined)
    expect((await files.installedSince(root, found.until)).folders).toEqual([])
  })

  it('in installed code are found if a folder was moved there, whatever times it got', async () => {
    put('node_modules/lodash/index.js')
    put('next/index.js')
    await pass()
    const since = files.now(root)
    renameSync(join(root, 'next'), join(root, 'node_modules/pad'))
    for (const at of [new Date(0), new Date()]) {
      utimesSync(join(root, 'node_modules/pad'), at, at)
      utimesSync(join(root, 'node_modules'), at, at)
      expect((await files.installedSince(root, since)).folders).toHaveLength(1)
    }
  })
})

describe('the state of a file', () => {
  it('is its content, and is not read again while the file is the same', async () => {
    put('src/a.ts', 'hello\n')
    await until('a settled file', () => Date.now() > 0 || undefined)
    await pass()
    await pass()
    const ask = ['src/a.ts', 'gone.ts', 'src'].map((path) => ({ path, content: '', mark: '' }))
    const [a, gone, folder] = await files.states(root, ask)
    expect(a).toMatchObject({ content: sha('hello\n'), mark: expect.stringMatching(/^stat:/) })
    expect(gone).toEqual({ path: 'gone.ts', content: 'absent', mark: '' })
    expect(folder).toMatchObject({ content: 'folder' })
    if (a === undefined) throw new Error('missing')
    const kept = { ...a, content: 'taken from the store' }
    expect(await files.states(root, [kept])).toEqual([kept])
    put('src/a.ts', 'other\n')
    expect(await files.states(root, [kept])).toMatchObject([{ content: sha('other\n') }])
  })
})

describe('a folder that cannot be searched', () => {
  /** Deeper than a path can name, and reached step by step all the same. */
  function digTooDeep(at: string): void {
    const step = 'd'.repeat(200)
    const line = `cd '${at}'; for n in $(seq 25); do mkdir ${step} && cd ${step} || exit 1; done; echo evil > evil.ts`
    execFileSync('bash', ['-c', line])
  }

  it('makes the changes unknown', async () => {
    expect(await changesOf(() => digTooDeep(join(root, 'src')))).toEqual([
      ['unknown', 'one of its folders can’t be read'],
    ])
    expect(await changesOf(() => {})).toEqual([['unknown', 'one of its folders can’t be read']])
  })

  it('makes installed code unknown, if it is there', async () => {
    put('node_modules/x/index.js')
    const since = Date.now() - 60_000
    expect((await files.installedSince(root, since)).folders).toHaveLength(1)
    digTooDeep(join(root, 'node_modules/x'))
    await expect(files.installedSince(root, since)).rejects.toThrow('one of its folders can’t be read')
  })

  it('hides no file: one that cannot be looked at is not absent', async () => {
    const path = `${'d'.repeat(200)}/`.repeat(25)
    const state = { path: `${path}evil.ts`, content: '', mark: '' }
    expect(await files.states(root, [state])).toMatchObject([{ content: 'unknown' }])
    expect(await files.states(root, [{ ...state, path: 'src/a.ts/b' }])).toMatchObject([{ content: 'absent' }])
  })

  it('is one with a name that is not valid UTF-8, and so is a file with such a name once it changes', async () => {
    const odd = (name: string): Buffer =>
      Buffer.concat([Buffer.from(`${root}/src/`), Buffer.from([0xff]), Buffer.from(name)])
    const unknown = [['unknown', 'one of its folders can’t be read']]
    expect(await changesOf(() => writeFileSync(odd('.test.js'), 'evil()'))).toEqual(unknown)
    expect(await changesOf(() => {})).toEqual([])
    expect(await changesOf(() => writeFileSync(odd('.test.js'), 'other()'))).toEqual(unknown)
    expect(await changesOf(() => mkdirSync(odd('')))).toEqual(unknown)
  })
})
