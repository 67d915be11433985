import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Home, openHome } from '../home/home.ts'
import { accountId } from '../system/os-account.ts'
import { openPolicyFiles } from './policy-files.ts'
import { readProject, trustProject, untrust } from './project-trust.ts'

let home: Home
let workspace: string
let managed: string

beforeEach(() => {
  const root = temporaryFolder()
  home = openHome(join(root, 'home'))
  workspace = join(root, 'work')
  managed = join(root, 'managed')
  mkdirSync(workspace)
})

const open = () => openPolicyFiles({ home, workspace, managed: { folder: managed, owner: accountId() } })
const put = (path: string, text = `# ${path}\n`) => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  writeFileSync(path, text, { mode: 0o644 })
  return path
}
/** Makes a file and its folder older than the file clock's resolution, so that later changes have another time. */
const age = (path: string): void => {
  for (const one of [path, dirname(path)]) utimesSync(one, 1_000_000_000, 1_000_000_000)
}
const refusal = (message: RegExp, code = 'CS_POLICY_READ') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

/** The problems of unreadable files. */
const unread = async (files = open()) => (await files.read()).flatMap(({ unreadable }) => unreadable ?? [])

describe('policy files', () => {
  it('are empty at first', async () => {
    expect(await open().read()).toEqual([])
  })

  it('from the process itself count as managed ones, which only tighten', async () => {
    const own = put(join(managed, 'policy.yaml'))
    const floors = [{ path: 'task.yaml', text: 'version: 1\n' }]
    const files = openPolicyFiles({ home, workspace, managed: { folder: managed, owner: accountId() }, floors })
    expect((await files.read()).map(({ layer, name }) => [layer, name])).toEqual([
      ['managed', 'task.yaml'],
      ['managed', own],
    ])
  })

  it('are read from every layer, with both extensions, in sorted order (scenario 8)', async () => {
    const paths = [
      put(join(managed, 'policy.yaml')),
      put(join(managed, 'policy.d/10.yml')),
      put(join(home.dir, 'policy.yml')),
      put(join(home.dir, 'policy.d/a.yaml')),
      put(join(home.dir, 'policy.d/b.yml')),
      put(join(home.dir, 'policy.d/c.YAML')),
      put(join(workspace, '.countersign/policy.yaml')),
    ]
    put(join(home.dir, 'policy.d/.#a.yaml'))
    put(join(home.dir, 'policy.d/notes.txt'))
    const files = await open().read()
    expect(files.map((file) => file.name)).toEqual(paths)
    expect(files.map((file) => file.layer)).toEqual(['managed', 'managed', 'user', 'user', 'user', 'user', 'project'])
    expect(files.every((file) => file.text === `# ${file.name}\n` && !file.trusted)).toBe(true)
  })

  it('include the knowledge of every layer, which a project’s trust covers', async () => {
    const paths = [
      put(join(managed, 'knowledge/a.yaml')),
      put(join(home.dir, 'policy.yaml')),
      put(join(home.dir, 'knowledge/a.yml')),
      put(join(workspace, '.countersign/knowledge/b.yaml')),
    ]
    const files = await open().read()
    expect(files.map(({ name }) => name)).toEqual(paths)
    expect(files.map(({ form }) => form)).toEqual(['knowledge', undefined, 'knowledge', 'knowledge'])
    trustProject(home, workspace)
    expect((await open().read()).at(-1)).toMatchObject({ form: 'knowledge', trusted: true })
    put(join(workspace, '.countersign/knowledge/c.yaml'))
    expect((await open().read()).at(-1)).toMatchObject({ trusted: false })
  })

  it('include at most 64 of knowledge in a layer', async () => {
    for (let at = 0; at < 64; at += 1) put(join(home.dir, `knowledge/${at}.yaml`))
    expect(await unread()).toEqual([])
    put(join(home.dir, 'knowledge/64.yaml'))
    expect(await unread()).toEqual([expect.stringMatching(/more than 64 knowledge files/)])
  })

  const main = () => join(home.dir, 'policy.yaml')
  const project = (name: string) => join(workspace, '.countersign', name)

  it.each<readonly [string, () => void, RegExp]>([
    [
      'both extensions at once',
      () => [main(), join(home.dir, 'policy.yml')].forEach((path) => void put(path)),
      /keep one/,
    ],
    ['a folder instead of a file', () => mkdirSync(main()), /not a regular file/],
    ['a FIFO', () => execFileSync('mkfifo', [main()]), /not a regular file/],
    ['a dangling link', () => symlinkSync('nowhere', main()), /cannot be read/],
    ['text that is not UTF-8', () => writeFileSync(main(), Buffer.of(0xff, 0xfe)), /UTF-8/],
    ['a world-writable file', () => chmodSync(put(main()), 0o666), /chmod go-w/],
    [
      'a folder in knowledge',
      () => mkdirSync(join(home.dir, 'knowledge/x.yaml'), { recursive: true }),
      /not a regular/,
    ],
    [
      'a link to the knowledge of a project',
      () => symlinkSync(put(project('x')), project('knowledge')),
      /not a folder/,
    ],
    ['a link in a project', () => symlinkSync(put(project('x')), project('policy.yaml')), /symlink/],
    [
      'a project folder that is a link',
      () => symlinkSync('elsewhere', join(workspace, '.countersign')),
      /not a folder/,
    ],
    ['a group-writable managed file', () => chmodSync(put(join(managed, 'policy.yaml')), 0o664), /chmod go-w/],
    [
      'a group-writable managed folder',
      () => chmodSync(dirname(put(join(managed, 'policy.yaml'))), 0o775),
      /chmod go-w/,
    ],
  ])('are refused for %s', async (_, make, message) => {
    make()
    const found = await open().read()
    expect(found.map(({ text, trusted, unreadable }) => [text, trusted, unreadable])).toContainEqual([
      '',
      false,
      expect.stringMatching(message),
    ])
  })

  it('are read even if one is unreadable, and a project with such a file is not trusted', async () => {
    const [good, own] = [put(main(), 'version: 1\n'), put(project('policy.yaml'), 'version: 1\n')]
    trustProject(home, workspace)
    expect((await open().read()).at(-1)).toMatchObject({ name: own, trusted: true })
    mkdirSync(project('policy.d/x.yaml'), { recursive: true })
    mkdirSync(join(home.dir, 'policy.d/x.yaml'), { recursive: true, mode: 0o700 })
    expect(await open().read()).toMatchObject([
      { name: good, text: 'version: 1\n' },
      { text: '', unreadable: expect.stringContaining('not a regular file') },
      { name: own, text: 'version: 1\n', trusted: false },
      { text: '', unreadable: expect.stringContaining('not a regular file') },
    ])
  })

  it('are refused as managed if they do not belong to its owner', async () => {
    put(join(managed, 'policy.yaml'))
    const files = openPolicyFiles({ home, workspace, managed: { folder: managed, owner: accountId() + 1 } })
    expect(await unread(files)).toEqual([expect.stringMatching(/another user/)])
  })

  it('are refused above 256 KiB, and accepted at exactly that size', async () => {
    const path = put(join(home.dir, 'policy.yaml'), 'x'.repeat(262_144))
    expect(await open().read()).toHaveLength(1)
    put(path, 'x'.repeat(262_145))
    expect(await unread()).toEqual([expect.stringMatching(/256 KiB/)])
  })

  it('can be a person’s link to their own file elsewhere', async () => {
    const elsewhere = put(join(workspace, 'dotfiles', 'policy.yaml'), 'version: 1\n')
    symlinkSync(elsewhere, join(home.dir, 'policy.yaml'))
    expect(await open().read()).toMatchObject([{ layer: 'user', text: 'version: 1\n' }])
  })

  it('are not read twice if the project folder is the home', async () => {
    const inside = openHome(join(workspace, '.countersign'))
    put(join(inside.dir, 'policy.yaml'))
    const files = openPolicyFiles({ home: inside, workspace, managed: { folder: managed, owner: 0 } })
    expect((await files.read()).map((file) => file.layer)).toEqual(['user'])
  })
})

describe('the version of the policy files', () => {
  it('stays the same while nothing changes, or only other files in the home', () => {
    const files = open()
    put(join(home.dir, 'policy.yaml'))
    const version = files.version()
    put(join(home.dir, 'store.db-wal'))
    expect(files.version()).toBe(version)
  })

  it.each([
    ['a file appears', () => put(join(managed, 'policy.yml'))],
    ['a file is edited without changing its length', () => put(join(home.dir, 'policy.yaml'), '# 2\n')],
    ['a file is added to policy.d', () => put(join(home.dir, 'policy.d/b.yaml'))],
    ['a file in policy.d is edited', () => put(join(home.dir, 'policy.d/a.yaml'), '# other\n')],
    ['a file of knowledge is added', () => put(join(home.dir, 'knowledge/a.yaml'))],
    ['a project adds its own', () => put(join(workspace, '.countersign/policy.d/x.yaml'))],
  ])('changes when %s', (_, change) => {
    age(put(join(home.dir, 'policy.yaml'), '# 1\n'))
    age(put(join(home.dir, 'policy.d/a.yaml')))
    const files = open()
    const version = files.version()
    change()
    expect(files.version()).not.toBe(version)
  })

  it.each([
    ['the other extension appears', () => put(join(home.dir, 'policy.yml'))],
    ['policy.d appears', () => put(join(home.dir, 'policy.d/b.yaml'))],
    ['knowledge appears', () => put(join(home.dir, 'knowledge/b.yaml'))],
    ['the file is edited without changing its length', () => put(join(home.dir, 'policy.yaml'), '# 2\n')],
    ['the file is removed', () => rmSync(join(home.dir, 'policy.yaml'))],
    ['the folder is opened to others', () => chmodSync(home.dir, 0o777)],
    ['the folder replaces another', () => renameSync(home.dir, `${home.dir}-before`)],
  ])('changes when %s in a folder that was unchanged for long', (_, change) => {
    age(put(join(home.dir, 'policy.yaml'), '# 1\n'))
    const files = open()
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    onTestFinished(() => later.mockRestore())
    const version = files.version()
    expect(files.version()).toBe(version)
    change()
    expect(files.version()).not.toBe(version)
  })

  it('changes when a file of knowledge is edited or removed', () => {
    const path = put(join(home.dir, 'knowledge/a.yaml'), '# 1\n')
    age(path)
    const files = open()
    const versions = [files.version()]
    put(path, '# 2\n')
    versions.push(files.version())
    rmSync(path)
    versions.push(files.version())
    expect(new Set(versions).size).toBe(3)
  })

  it('changes when a project is trusted', () => {
    put(join(workspace, '.countersign/policy.yaml'))
    const files = open()
    const version = files.version()
    trustProject(home, workspace)
    expect(files.version()).not.toBe(version)
  })
})

describe('trust in a project', () => {
  const trusted = async () => (await open().read()).map((file) => file.trusted)

  it('applies to exactly the pinned content', async () => {
    const path = put(join(workspace, '.countersign/policy.yaml'), 'version: 1\n')
    expect(await trusted()).toEqual([false])
    trustProject(home, workspace)
    expect(await trusted()).toEqual([true])
    put(path, 'version: 1 \n')
    expect(await trusted()).toEqual([false])
    put(path, 'version: 1\n')
    expect(await trusted()).toEqual([true])
    put(join(workspace, '.countersign/policy.d/more.yaml'))
    expect(await trusted()).toEqual([false, false])
  })

  it('distinguishes the same bytes under other names', () => {
    put(join(workspace, '.countersign/policy.d/a.yaml'), 'x')
    const before = readProject(workspace).digest
    execFileSync('mv', [
      join(workspace, '.countersign/policy.d/a.yaml'),
      join(workspace, '.countersign/policy.d/b.yaml'),
    ])
    expect(readProject(workspace).digest).not.toBe(before)
  })

  it('is refused if the files changed after the person saw them', () => {
    const path = put(join(workspace, '.countersign/policy.yaml'))
    const { digest } = readProject(workspace)
    put(path, 'preset: classic\n')
    expect(() => trustProject(home, workspace, digest)).toThrow(refusal(/review it again/, 'CS_STALE'))
  })

  it('is refused if there are no files', () => {
    expect(() => trustProject(home, workspace)).toThrow(refusal(/no policy to trust/))
  })

  it('can be revoked', async () => {
    put(join(workspace, '.countersign/policy.yaml'))
    trustProject(home, workspace)
    expect(untrust(home, workspace)).toBe(true)
    expect(untrust(home, workspace)).toBe(false)
    expect(await trusted()).toEqual([false])
  })

  it.each(['{', '[]', '{"version":1}', '{"version":1,"projects":{"relative":"00"}}', '{"version":2,"projects":{}}'])(
    'is lost if its file is damaged: %s',
    async (text) => {
      put(join(workspace, '.countersign/policy.yaml'))
      writeFileSync(home.trust, text, { mode: 0o600 })
      expect(await unread()).toEqual([expect.stringMatching(/damaged/)])
      expect((await open().read()).some(({ trusted }) => trusted)).toBe(false)
    },
  )
})
