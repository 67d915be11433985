import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { runTool } from '../tool-run.fixture.ts'

function project(): string {
  const folder = temporaryFolder()
  const files = {
    'src/a.ts': 'const a = 1\n// needle (here)\n',
    'src/sub/b.ts': 'Needle\n',
    'node_modules/x/c.ts': 'needle',
    '.git/d': 'needle',
    'e.bin': 'needle\0',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  symlinkSync('..', join(folder, 'src/loop'))
  return folder
}

const search = async (args: JsonObject, folder = project()) => (await runTool('search', args, folder)).text

describe('search', () => {
  it('finds literal text, but not in .git, node_modules, links or binary files', async () => {
    expect(await search({ pattern: 'needle (' })).toBe('src/a.ts:2: // needle (here)')
    expect(await search({ pattern: 'needle' })).toBe('src/a.ts:2: // needle (here)')
  })

  it('finds by regular expression, ignoring case, below a folder or in one file', async () => {
    expect(await search({ pattern: '^needle$', regex: true, ignore_case: true })).toBe('src/sub/b.ts:1: Needle')
    expect(await search({ pattern: 'NEEDLE', ignore_case: true, path: 'src/sub' })).toBe('src/sub/b.ts:1: Needle')
    expect(await search({ pattern: 'a = ', path: 'src/a.ts' })).toBe('src/a.ts:1: const a = 1')
  })

  it('reports no matches, and an invalid pattern', async () => {
    expect(await search({ pattern: 'haystack' })).toBe('nothing found')
    await expect(search({ pattern: '(', regex: true })).rejects.toThrow('not a valid RE2 expression')
    await expect(search({ pattern: 'x', path: 'nope' })).rejects.toThrow('does not exist')
  })

  it('limits the number of lines and their length', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.txt'), `x${'y'.repeat(1000)}\n`.repeat(500))
    const lines = (await search({ pattern: 'x' }, folder)).split('\n')
    expect([lines.length, lines.at(-1)]).toEqual([201, '[only the first 200 lines are shown]'])
    expect(lines[0]?.length).toBeLessThan(330)
  })

  it('stops when aborted', async () => {
    await expect(runTool('search', { pattern: 'x' }, project(), AbortSignal.abort())).rejects.toThrow()
  })

  it('skips files that read_file would have to ask for, and reports it whether or not they match', async () => {
    const folder = project()
    const looked: string[] = []
    const mayRead = (path: string): boolean => {
      looked.push(path.slice(folder.length + 1))
      return !path.includes('/sub') && !path.endsWith('a.ts')
    }
    const signal = new AbortController().signal
    for (const pattern of ['needle', 'haystack']) {
      const { text } = await runTool('search', { pattern, ignore_case: true }, folder, signal, mayRead)
      expect(text).toBe('nothing found\n[2 files or folders left out; read_file asks for what it needs]')
    }
    expect(looked).toContain('src/sub')
    expect(looked).not.toContain('src/sub/b.ts')
  })

  it('checks a limited part of a line for a regular expression', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.txt'), `${'x'.repeat(30_000)}y\n`)
    expect(await search({ pattern: 'x+y', regex: true }, folder)).toMatch(
      /^nothing found\n\[of long lines in 1 file only/,
    )
    expect(await search({ pattern: 'xy' }, folder)).toMatch(/^a.txt:1: x/)
  })
})
