import { describe, expect, it } from 'vitest'
import { PLACES } from '../../risk/fixture.mts'
import { look, manifest, NOTHING_TOLD, type Project, projectPorts } from '../fixture.mts'
import { KnownResults } from './known-results.ts'
import { READ_LIMITS, type ReaderPorts } from './project-reader.ts'

type Files = Record<string, Project[string]>

const ROOT = PLACES.workspace

/** Asks for what `paths` hold, and counts how often it was found out anew. */
function counted(results = new KnownResults<readonly string[]>()) {
  let runs = 0
  return {
    get runs() {
      return runs
    },
    get: (key: string, ports: ReaderPorts, paths: readonly string[] = ['a.sh', 'b.sh']) =>
      results.get(key, ports, async ({ targets }) => {
        runs++
        const found: string[] = []
        for (const path of paths) {
          const real = await targets.resolve(path, ROOT)
          const entry = await targets.readEntry(real, 1_000)
          found.push(entry.type === 'file' ? (entry.text ?? 'unread') : entry.type)
        }
        const { type } = await targets.facts(`${ROOT}/folder`, '/')
        const names = (await targets.list(`${ROOT}/folder`, '/', 10))?.map(({ name }) => name) ?? []
        return [...found, type, ...names]
      }),
  }
}

describe('a result that was found before', () => {
  const project = (): Files => ({
    'a.sh': 'echo a',
    link: { leads: 'a.sh' },
    'folder/x': '',
  })

  it('is reused while every answer is the same', async () => {
    const results = counted()
    const first = await results.get('x', projectPorts(project()))
    expect(await results.get('x', projectPorts(project()))).toBe(first)
    expect(results.runs).toBe(1)
    expect(await results.get('y', projectPorts(project()))).toEqual(first)
    expect(results.runs).toBe(2)
  })

  it.each<[string, (files: Files) => void]>([
    ['a file has other text of the same length', (files) => (files['a.sh'] = 'echo b')],
    ['a file vanished', (files) => delete files['a.sh']],
    ['an absent file appeared', (files) => (files['b.sh'] = '')],
    ['a file is a FIFO', (files) => (files['a.sh'] = 'fifo:')],
    ['a file can’t be read as text', (files) => (files['a.sh'] = 'binary:')],
    ['a path leads elsewhere', (files) => (files['link'] = { leads: 'folder/x' })],
    ['a folder has another name in it', (files) => (files['folder/y'] = '')],
    ['a folder is gone', (files) => delete files['folder/x']],
  ])('is found anew when %s', async (_, change) => {
    const [results, files] = [counted(), project()]
    const paths = ['a.sh', 'b.sh', 'link']
    await results.get('x', projectPorts(files), paths)
    change(files)
    const found = await results.get('x', projectPorts(files), paths)
    expect(results.runs).toBe(2)
    expect(found).toEqual(await counted().get('x', projectPorts(files), paths))
  })

  it('is not kept if something failed, took too long, or asked git', async () => {
    const ports = projectPorts(project())
    const failing: ReaderPorts = {
      ...ports,
      targets: { ...ports.targets, readEntry: () => Promise.reject(new Error('EIO')) },
    }
    let now = 0
    const slow: ReaderPorts = { ...ports, clock: { monotonic: () => (now += READ_LIMITS.milliseconds + 1) } }
    const repositories = { ...NOTHING_TOLD, pending: async () => [] }
    for (const world of [failing, slow, { ...ports, repositories }]) {
      const results = new KnownResults<unknown>()
      let runs = 0
      const find = async ({ targets, repositories: git }: ReaderPorts) => {
        runs++
        await git?.pending(ROOT, { paths: [], untracked: 'none' })
        return await Promise.resolve(targets.readEntry(`${ROOT}/a.sh`, 1_000)).catch(() => 'failed')
      }
      for (let time = 0; time < 2; time++) await results.get('x', world, find)
      expect(runs).toBe(2)
    }
  })

  it('is dropped for newer ones', async () => {
    const results = counted()
    const ports = projectPorts(project())
    for (let at = 0; at < 100; at++) await results.get(String(at), ports)
    await results.get('99', ports)
    expect(results.runs).toBe(100)
    await results.get('0', ports)
    expect(results.runs).toBe(101)
  })

  it('is dropped when the files it comes from are large', async () => {
    const results = counted()
    const ports = projectPorts({ 'a.sh': 'x'.repeat(900) })
    const many = Array.from({ length: 5_000 }, () => 'a.sh')
    for (const key of ['one', 'two', 'one']) await results.get(key, ports, many)
    expect(results.runs).toBe(3)
  })
})

describe('a command that is seen through again', () => {
  const test = (config: string): Files => ({
    'package.json': manifest({ test: 'vitest run' }),
    'vitest.config.ts': config,
  })

  it('is judged by the files as they are', async () => {
    const files = test('export default {}')
    const harmless = await look('npm test', files)
    expect(await look('npm test', files)).toEqual(harmless)
    files['vitest.config.ts'] = "import { rmSync } from 'node:fs'\nrmSync('src', { recursive: true })"
    const harmful = await look('npm test', files)
    expect(harmful.runs).not.toEqual(harmless.runs)
    expect(harmful.seen?.files).not.toEqual(harmless.seen?.files)
    expect(await look('npm test', test('export default {}'))).toEqual(harmless)
  })

  it('is found again when a repository leads elsewhere than before', async () => {
    const ports = projectPorts({})
    let repositories: readonly string[] = []
    const world: ReaderPorts = {
      ...ports,
      repositories: { ...NOTHING_TOLD, links: async () => ({ repositories, links: [] }) },
    }
    const results = new KnownResults<unknown>()
    let runs = 0
    const find = ({ repositories: git }: ReaderPorts) => {
      runs++
      return Promise.resolve(git?.links(`${ROOT}/.git`))
    }
    for (let time = 0; time < 2; time++) await results.get('x', world, find)
    expect(runs).toBe(1)
    repositories = ['sub']
    expect(await results.get('x', world, find)).toEqual({ repositories: ['sub'], links: [] })
  })
})
