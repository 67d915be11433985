import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rateNominal } from '@countersign/testing/corpus/nominal-rating'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MARKER, PAYLOADS, SOURCES, USES } from './bash-contexts.ts'

let folder = ''
let runs = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-bash-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Whether bash runs the payload of a command, in a folder of its own. */
async function runsPayload(command: string, payload: string): Promise<boolean> {
  const cwd = join(folder, String(runs++))
  await mkdir(cwd)
  await writeFile(join(cwd, 'payload'), payload)
  if (!payload.includes('/')) await writeFile(join(cwd, payload), '')
  const child = spawn('bash', ['-c', command], {
    cwd,
    env: { PATH: process.env.PATH ?? '', PAYLOAD: payload },
    stdio: 'ignore',
    timeout: 20_000,
  })
  await new Promise((resolve) => {
    child.once('error', resolve)
    child.once('close', resolve)
  })
  const ran = existsSync(join(cwd, MARKER))
  await rm(cwd, { recursive: true, force: true })
  return ran
}

/** Whether the rating lists the payload as a command of its own, or is at least medium. */
function isNoticed(command: string): boolean {
  const { level, parts } = rateNominal(command)
  if (level !== 'none' && level !== 'low') return true
  return parts.some(({ command: { program, text } }) => program === 'touch' || text === `>${MARKER}`)
}

const commands = fc
  .tuple(fc.constantFrom(...PAYLOADS), fc.constantFrom(...SOURCES), fc.constantFrom(...USES))
  .map(([payload, source, use]) => ({ payload, command: source(payload, use) }))

describe.skipIf(process.platform === 'win32')('text that bash evaluates', () => {
  it('is noticed wherever bash runs a command in it', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(commands, async ({ payload, command }) => {
        // Only what is rated none or low has to be proved by running it.
        expect(isNoticed(command) || !(await runsPayload(command, payload)), command).toBe(true)
      }),
      { numRuns: 600 },
    )
  })

  it('runs in bash for the plain forms, so that the check above can fail', async () => {
    const [payload = ''] = PAYLOADS
    for (const use of ['(( x ))', 'declare -i y="$x"', '[[ -v $x ]]', 'exec {y[x]}>/dev/null'])
      expect(await runsPayload(`x='${payload}'; ${use}`, payload), use).toBe(true)
  })
})
