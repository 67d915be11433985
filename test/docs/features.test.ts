import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { describe, expect, it } from 'vitest'
import { conditionShape } from '../../packages/core/src/policy/schema/conditions.ts'
import { policyFile, rule } from '../../packages/core/src/policy/schema/policy-document.ts'
import { pageText, ROOT } from './pages.ts'

interface Row {
  readonly feature: string
  /** What shows it: the text of the cell. */
  readonly here: string
  readonly test: string
}

const ROWS: readonly Row[] = pageText('docs/features.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| feature |'))
  .map((line) => {
    const [feature = '', here = '', test = ''] = line.slice(2, -2).split(' | ')
    return { feature, here, test }
  })

const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, inner = '']) => inner)
const source = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const POLICY_KEYS = new Set([policyFile.shape, rule.shape, conditionShape].flatMap((shape) => Object.keys(shape)))

async function commandExists(line: string): Promise<void> {
  const { code, stdout } = await runInProcess([...line.split(' ').slice(1), '--help'], { cwd: ROOT })
  expect(code, line).toBe(0)
  expect(stdout, line).toContain(`Usage: ${line}`)
}

/** `Gate.run`: the type is exported and has the member; `refusalText`: it is exported. */
function symbolExists(name: string, symbol: string): void {
  const folder = join('packages', name.replace('@countersign/', ''), 'src')
  const [owner = '', member] = symbol.split('.')
  const exported = new RegExp(`\\b${owner}\\b`)
  expect(source(join(folder, 'index.ts')), symbol).toMatch(exported)
  if (member === undefined) return
  const file = source(join(folder, 'gate-handle.ts'))
  expect(file, symbol).toMatch(new RegExp(`interface ${owner}\\b`))
  expect(file, symbol).toMatch(new RegExp(`^ {2}${member}[(<]`, 'm'))
}

function pageExists(route: string): void {
  expect(source('packages/web/src/app.tsx'), route).toContain(`path="${route}"`)
}

async function shown(token: string, isPolicyKey: boolean): Promise<void> {
  const [first = '', symbol] = token.split(' ')
  if (first === 'countersign') return commandExists(token)
  if (first.startsWith('@countersign/')) return symbolExists(first, symbol ?? '')
  if (first.startsWith('/')) return pageExists(token)
  expect(isPolicyKey, `\`${token}\` is a command, a symbol, a page or a policy key`).toBe(true)
  expect([...POLICY_KEYS], token).toContain(token)
}

describe('the table of features', () => {
  it('has a row for each, with a sign of where it is or that it is not', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(86)
    const bare = ROWS.filter(({ here }) => quoted(here).length === 0 && !here.startsWith('not here'))
    expect(bare).toEqual([])
    const absent = ROWS.filter(({ here }) => here.startsWith('not here'))
    expect(absent.filter(({ test }) => test !== '–')).toEqual([])
  })

  it.each(ROWS.filter(({ here }) => !here.startsWith('not here')))('shows “$feature” truly', async ({ here, test }) => {
    for (const part of here.split(', '))
      for (const token of quoted(part)) await shown(token, part.startsWith('policy '))
    const [, title = '', path = ''] = /^\[(.*)\]\(\.\.\/(.*)\)$/.exec(test) ?? []
    expect(existsSync(join(ROOT, path)), test).toBe(true)
    expect(title).not.toBe('')
    expect(
      ["'", '"', '`'].some((quote) => source(path).includes(`${quote}${title}`)),
      title,
    ).toBe(true)
  })
})
