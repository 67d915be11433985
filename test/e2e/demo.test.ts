import { describe, expect, it } from 'vitest'
import { spawnCli } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('the demonstration in a process of its own', () => {
  it('lets each held call expire where nobody can answer, says so, and ends by itself', {
    timeout: 40_000,
  }, async () => {
    const { stdout, code } = await spawnCli(['demo'], temporaryFolder())
    expect(stdout).toContain('every held call expires after 3 s')
    expect(stdout.match(/held {4}→ expired/g)).toHaveLength(5)
    expect(stdout).toMatch(/✔ journal verified/)
    expect(code).toBe(0)
  })
})
