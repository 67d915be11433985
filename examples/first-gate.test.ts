import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { endOf } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const source = readFileSync(join(ROOT, 'examples/first-gate.ts'), 'utf8')

/** Runs the example like a reader, until it waits for a person. */
async function startExample() {
  const cwd = temporaryFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'))
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(cwd, 'first-gate.ts'), source)
  mkdirSync(join(cwd, 'gate-home'), { mode: 0o700 })
  const child = spawn(process.execPath, ['--conditions=countersign-source', '--no-warnings', 'first-gate.ts'], { cwd })
  const ended = endOf(child)
  onTestFinished(() => void child.kill())
  const said = new Promise<string>((resolve) => child.stdout.once('data', (chunk: Buffer) => resolve(String(chunk))))
  const [, mark = ''] = /^held: npx countersign approve (\w+) --home gate-home$/m.exec(await said) ?? []
  return { mark, ended, run: (words: readonly string[]) => runInProcess(words, { cwd, home: join(cwd, 'gate-home') }) }
}

describe('the README example', () => {
  it('is short and matches the README exactly', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    expect(readme).toContain(`\`\`\`ts\n${source}\`\`\`\n`)
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(15)
  })

  it('runs the tool after a person approves', async () => {
    const { mark, ended, run } = await startExample()
    const { code } = (await run(['held', mark, '--json'])).json() as { code: string }
    expect((await run(['approve', mark, '--code', code])).code).toBe(0)
    const { stdout, code: exit } = await ended
    expect({ exit, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ exit: 0, last: 'prices is online' })
  })

  it('tells the model the person’s reason', async () => {
    const { mark, ended, run } = await startExample()
    await run(['reject', mark, '--reason', 'the prices are old'])
    const { stdout } = await ended
    expect(stdout).toMatch(/NOT EXECUTED \(rejected\): .+ rejected this call\. The person said: “the prices are old”/)
    expect(stdout).not.toContain('is online')
  })
})
