/**
 * The `ts` blocks of a page form one program. It is compiled, run in an empty folder, and must print what the `// →`
 * comments show. A block with a path after its language is a file of that folder.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { blocksOf, PAGES, ROOT } from './pages.ts'

const PATIENCE_MS = 60_000
const run = promisify(execFile)

/** The README's only program waits for a person, whom `examples/first-gate.test.ts` simulates. */
const programs = PAGES.filter((page) => page !== 'README.md').flatMap((page) => {
  const blocks = blocksOf(page)
  const source = blocks.flatMap(({ language, text }) => (language === 'ts' ? [text] : [])).join('\n')
  const files = blocks.filter(({ language, path }) => language !== 'ts' && path !== '')
  return source === '' ? [] : [{ page, source, files }]
})

/** A folder in which `@countersign/…` can be imported. */
function workshop(): string {
  const folder = temporaryFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

function expectedWords(source: string): readonly string[] {
  return [...source.matchAll(/\/\/ → (.*)$/gm)].flatMap(([, words = '']) => words.split(/\s+/))
}

describe('programs in the documentation', () => {
  it('exist', () => {
    expect(programs.map(({ page }) => page)).toContain('docs/guides/library.md')
  })

  it.each(programs)(
    'run, and print what the page shows: $page',
    { timeout: PATIENCE_MS },
    async ({ source, files }) => {
      const folder = workshop()
      for (const { path, text } of files) {
        mkdirSync(join(folder, dirname(path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      writeFileSync(join(folder, 'page.ts'), source)
      const { stdout, stderr } = await run(
        process.execPath,
        ['--conditions=countersign-source', '--no-warnings', 'page.ts'],
        {
          cwd: folder,
        },
      )
      expect({ stdout: stdout.split(/\s+/).filter((word) => word !== ''), stderr }).toEqual({
        stdout: expectedWords(source),
        stderr: '',
      })
    },
  )

  it('all compile in strict mode', { timeout: PATIENCE_MS }, async () => {
    const folder = workshop()
    const options = {
      noEmit: true,
      composite: false,
      incremental: false,
      customConditions: ['countersign-source'],
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(ROOT, 'tsconfig.base.json'), compilerOptions: options, include: ['*.ts'] }),
    )
    for (const { page, source } of programs) writeFileSync(join(folder, `${basename(page, '.md')}.ts`), source)
    const compiled = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], {
      cwd: folder,
    }).catch((failed: { stdout: string }) => failed)
    const ours = compiled.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('..'))
    expect(ours).toEqual([])
  })
})
