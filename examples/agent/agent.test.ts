import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { expect, it } from 'vitest'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const PATIENCE_MS = 60_000

it('the example agent gets a rejection and does something else', { timeout: PATIENCE_MS }, async () => {
  const cwd = temporaryFolder()
  symlinkSync(join(HERE, '../../node_modules'), join(cwd, 'node_modules'))
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
  mkdirSync(join(cwd, 'gate-home'), { mode: 0o700 })
  for (const file of ['agent.ts', 'script.yaml']) copyFileSync(join(HERE, file), join(cwd, file))
  const flags = ['--conditions=countersign-source', '--no-warnings', 'agent.ts']
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd })
  expect(stdout.trimEnd().split('\n')).toEqual([
    'I look at the notes first.',
    '→ ran',
    expect.stringMatching(/^Two of them are old\. .*Should I proceed\?$/),
    expect.stringMatching(/^Ana sees: Calls `?proceed`?.*, risk \w+$/),
    '→ rejected',
    '→ rejected',
    'Then I mark them instead.',
    '→ ran, with a copy kept',
    'The notes are in order.',
  ])
})
