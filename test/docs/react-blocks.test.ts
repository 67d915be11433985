/** The `tsx` blocks of a page form one module, which must compile in strict mode. */
import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { blocksOf, PAGES, ROOT } from './pages.ts'

const PATIENCE_MS = 60_000
const run = promisify(execFile)

const modules = PAGES.flatMap((page) => {
  const source = blocksOf(page).flatMap(({ language, text }) => (language === 'tsx' ? [text] : []))
  return source.length === 0 ? [] : [{ name: `${basename(page, '.md')}.tsx`, text: source.join('\n') }]
})

describe('React blocks in the documentation', () => {
  it('exist', () => {
    expect(modules.map(({ name }) => name)).toContain('approval-dialog.tsx')
  })

  it('compile', { timeout: PATIENCE_MS }, async () => {
    const folder = temporaryFolder()
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'ambient.d.ts'), "declare module '*.css'\n")
    for (const { name, text } of modules) writeFileSync(join(folder, name), text)
    const compilerOptions = {
      noEmit: true,
      composite: false,
      incremental: false,
      customConditions: ['countersign-source'],
      types: [],
      lib: ['ES2024', 'DOM', 'DOM.Iterable'],
      jsx: 'react-jsx',
    }
    const config = { extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, include: ['*.tsx', '*.d.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const compiled = await run(process.execPath, [tsc, '-p', folder], { cwd: folder }).catch(
      (failed: { stdout: string }) => failed,
    )
    expect(compiled.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('..'))).toEqual([])
  })
})
