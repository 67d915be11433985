import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, vi } from 'vitest'

/** tab prints with console.log: its output and ours. */
async function printed(...argv: string[]): Promise<string> {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  const { stdout, code } = await runInProcess(argv, { cwd: temporaryFolder() })
  log.mockRestore()
  expect(code).toBe(0)
  return [...lines, stdout].join('\n')
}

const offered = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0])

describe('completion', () => {
  it.each([
    [[''], ['exec', 'held', 'approve', 'policy', 'journal', 'grants', 'trust', 'completion']],
    [
      ['policy', ''],
      ['lint', 'explain', 'test', 'schema'],
    ],
    [
      ['journal', 've'],
      ['verify', ':4'],
    ],
    [
      ['policy', 'lint', '--la'],
      ['--layer', ':4'],
    ],
    [
      ['policy', 'lint', '--layer', ''],
      ['user', 'project', 'managed'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', ':4'],
    ],
    [
      ['journal', 'rotate', '--'],
      ['--keep', '--json', '--home'],
    ],
    [
      ['history', '--outcome', 're'],
      ['rejected', 'released', 'refused', ':4'],
    ],
  ])('offers the matching words after %j', async (words, expected) => {
    expect(offered(await printed('complete', '--', ...words))).toEqual(expect.arrayContaining(expected))
  })

  it('hides internal subcommands, and tab’s own', async () => {
    const all = offered(await printed('complete', '--', ''))
    expect(all).not.toContain('complete')
    expect(all).not.toContain('tab-scripts')
  })

  it('leaves the words of a gated command to the shell', async () => {
    expect(await printed('complete', '--', 'exec', '--', 'gi')).toBe(':0\n')
  })

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that calls us', async (shell) => {
    expect(await printed('completion', shell)).toContain('countersign complete --')
  })

  it('evaluates nothing that was typed, in bash', async () => {
    expect(await printed('completion', 'bash')).not.toMatch(/\beval\b/)
  })

  it('refuses other shells', async () => {
    const { stdout, code } = await runInProcess(['completion', 'tcsh'], { cwd: temporaryFolder() })
    expect({ stdout, code }).toEqual({ stdout: '', code: 125 })
  })
})
