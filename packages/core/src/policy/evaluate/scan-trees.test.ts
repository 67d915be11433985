import { describe, expect, it } from 'vitest'
import { decompose } from '../../command/decompose.ts'
import type { TargetEntry } from '../../ports/targets.ts'
import { treesRead } from '../../risk/path/trees-read.ts'
import { scanTrees } from './scan-trees.ts'

const PLACES = { workspace: '/home/you/app', home: '/home/you', gate: '/home/you/.countersign', temp: '/tmp' }

/** A workspace of these paths; `name -> target` is a link. */
function scan(command: string, ...files: readonly string[]): Promise<readonly (string | null)[]> {
  const folders = new Map<string, Map<string, TargetEntry>>([['/home/you/app', new Map()]])
  const links = new Map<string, string>()
  for (const file of files) {
    const [path = '', target] = `/home/you/app/${file}`.split(' -> ')
    const names = path.split('/')
    for (let at = 4; at < names.length; at++) {
      const folder = names.slice(0, at).join('/')
      const type = at < names.length - 1 ? 'directory' : target === undefined ? 'file' : 'link'
      const entries = folders.get(folder) ?? new Map<string, TargetEntry>()
      folders.set(folder, entries.set(names[at] ?? '', { name: names[at] ?? '', type }))
    }
    if (target !== undefined) links.set(path, target)
  }
  const targets = {
    resolve: (path: string, cwd: string) => {
      const full = path === '.' ? cwd : path.startsWith('/') ? path : `${cwd}/${path}`
      return links.get(full) ?? full
    },
    list: (path: string, _cwd: string, most: number) => {
      const entries = folders.get(path)
      return entries === undefined || entries.size > most ? undefined : [...entries.values()]
    },
    facts: async (path: string) => ({ type: folders.has(path) ? 'directory' : 'file', bytes: 0, mode: 0 }) as const,
  }
  const trees = decompose(command).parts.flatMap(treesRead)
  return scanTrees(trees, { cwd: PLACES.workspace, places: PLACES, targets }).then((found) => [...found.values()])
}

describe('a folder that a command reads whole', () => {
  it('is ordinary without files that may be secret', async () => {
    expect(await scan('grep -r x .', 'src/a.ts', '.github/b.yml')).toEqual([null])
    expect(await scan('rg x src', 'src/a.ts', '.env')).toEqual([null])
    expect(await scan('diff a b', 'a', 'b')).toEqual([null, null])
  })

  it('is known for the first file that may be secret, at any depth', async () => {
    expect(await scan('grep -r x .', 'src/deep/.env', 'a')).toEqual(['/home/you/app/src/deep/.env'])
    expect(await scan('rg x', 'certs/server.key')).toEqual(['/home/you/app/certs/server.key'])
  })

  it('counts links only where they are followed, and only those that lead elsewhere', async () => {
    expect(await scan('grep -r x .', 'k -> /home/you/.ssh/id_rsa')).toEqual([null])
    expect(await scan('grep -R x .', 'k -> /home/you/.ssh/id_rsa')).toEqual(['/home/you/app/k'])
    expect(await scan('grep -R x .', 'k -> /home/you/app/src', 'src/a.ts')).toEqual([null])
    expect(await scan('diff d e', 'd/k -> /home/you/notes', 'e/a')).toEqual(['/home/you/app/d/k', null])
  })

  it('leaves out what the command leaves out for sure', async () => {
    expect(await scan("grep -r x . --include='*.ts'", '.env', 'a.ts')).toEqual([null])
    expect(await scan('grep -r x . --exclude=*.md --include=*.ts', '.env')).toEqual(['/home/you/app/.env'])
    expect(await scan('grep -r x . --exclude-dir=sub', 'sub/.env', 'a')).toEqual([null])
    expect(await scan('grep -r x . --exclude-dir=s*', 'sub/.env', 'a')).toEqual(['/home/you/app/sub/.env'])
    expect(await scan("grep -r x . --include='*.[te]*'", '.env')).toEqual(['/home/you/app/.env'])
  })

  it('is not known if it has more than is scanned', async () => {
    const many = Array.from({ length: 2_100 }, (_, at) => `d${at}/a`)
    expect(await scan('grep -r x .', ...many)).toEqual([])
    expect(await scan('grep -r x .', ...Array.from({ length: 4_100 }, (_, at) => `f${at}`))).toEqual([])
  })
})
