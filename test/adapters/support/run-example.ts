import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { endOf } from '@countersign/testing/command/spawn-cli'
import { describe, expect, it, onTestFinished } from 'vitest'
import { typeErrors } from './check-types.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const MOST_LINES = 60

/** Tests `examples/<sdk>/agent.ts`: both answers of a person, its types, and that the guide shows its parts. `at` is the SDK's folder. */
export function describeExample(sdk: string, at: string): void {
  const source = readFileSync(join(ROOT, 'examples', sdk, 'agent.ts'), 'utf8')

  describe(`the example for ${sdk}`, () => {
    it('is short, and compiles as people get the types', async () => {
      expect(source.trimEnd().split('\n').length).toBeLessThan(MOST_LINES)
      const cwd = folderIn(at, source)
      expect(await typeErrors(cwd, ['agent.ts'], 'nodenext')).toBe('')
    })

    it('runs the tool after a person approved', async () => {
      const { lines, approve } = await start(at, source)
      await approve()
      expect(await lines()).toEqual(['prices is online', 'I am done.'])
    })

    it('tells the model the words of the person who rejected', async () => {
      const { lines, reject } = await start(at, source)
      await reject('the prices are old')
      const [result, text] = await lines()
      expect(result).toMatch(/^NOT EXECUTED \(rejected\): .*“the prices are old”/)
      expect(text).toBe('I am done.')
    })

    it('has a guide whose blocks compile, as one module', async () => {
      const guide = readFileSync(join(ROOT, `docs/guides/adapters/${sdk}.md`), 'utf8')
      const blocks = [...guide.matchAll(/^```typescript\n(.*?)^```$/gms)].map(([, block = '']) => block)
      expect(blocks.length).toBeGreaterThan(2)
      const cwd = folderIn(at, blocks.join('\n'))
      copyFileSync(join(at, 'your-agent.ts'), join(cwd, 'your-agent.ts'))
      expect(await typeErrors(cwd, ['agent.ts'], 'nodenext')).toBe('')
    })
  })
}

/** Starts the example like a reader, until it waits for a person. */
async function start(at: string, source: string) {
  const cwd = folderIn(at, source)
  const child = spawn(process.execPath, ['--conditions=countersign-source', '--no-warnings', 'agent.ts'], { cwd })
  onTestFinished(() => void child.kill())
  const ended = endOf(child)
  const said = new Promise<string>((resolve) => child.stdout.once('data', (chunk: Buffer) => resolve(String(chunk))))
  const [, mark = ''] = /^held: npx countersign approve (\w+) --home gate-home$/m.exec(await said) ?? []
  const countersign = (...words: readonly string[]) => runInProcess(words, { cwd, home: join(cwd, 'gate-home') })
  return {
    async approve() {
      const { code } = (await countersign('held', mark, '--json')).json() as { readonly code: string }
      expect((await countersign('approve', mark, '--code', code)).code).toBe(0)
    },
    async reject(reason: string) {
      expect((await countersign('reject', mark, '--reason', reason)).code).toBe(0)
    },
    /** What it printed after the call was decided. */
    async lines() {
      const { stdout, stderr, code } = await ended
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
      return stdout.trimEnd().split('\n').slice(1)
    },
  }
}

/** A folder below the SDK's, so that its packages are found. */
function folderIn(at: string, source: string): string {
  const cwd = mkdtempSync(join(at, '.example-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  writeFileSync(join(cwd, 'agent.ts'), source)
  mkdirSync(join(cwd, 'gate-home'), { mode: 0o700 })
  return cwd
}
