import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnCli } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { expect, it } from 'vitest'

it('wraps the servers of a client from a clone only on request, and restores its file byte for byte', async () => {
  const root = temporaryFolder()
  const [home, account, work] = ['home', 'account', 'work'].map((name) => join(root, name)) as [string, string, string]
  for (const folder of [home, join(account, '.cursor'), work]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(account, '.cursor/mcp.json')
  const before = '{\n  // mine\n  "mcpServers": { "notes": { "command": "node", "args": ["notes.cjs"], }, },\n}\n'
  writeFileSync(file, before)
  const run = (...words: readonly string[]) =>
    spawnCli(['--home', home, 'mcp', ...words, 'cursor', '--account-home', account, '--yes'], work)
  expect(await run('wrap')).toMatchObject({ code: 125, stderr: expect.stringContaining('npm install -g countersign') })
  expect(await run('wrap', '--allow-unstable-path')).toMatchObject({ code: 0 })
  const wrapped = readFileSync(file, 'utf8')
  expect(wrapped).toContain('"--name", "notes"')
  expect(wrapped).toContain('// mine')
  expect(await run('unwrap')).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toBe(before)
})
