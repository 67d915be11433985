import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnBash, spawnCli } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

function place() {
  const folder = temporaryFolder()
  const cwd = join(folder, 'project')
  const home = join(folder, 'home')
  mkdirSync(cwd)
  mkdirSync(home, { mode: 0o700 })
  return { cwd, home, folder, run: (...argv: string[]) => spawnCli([...argv, '--home', home], cwd) }
}

describe('countersign policy in its own process', () => {
  it('reports an invalid file, and holds calls that it would have allowed (acceptance 7)', async () => {
    const { run, home, cwd } = place()
    writeFileSync(join(home, 'policy.yaml'), 'version: 1\nauto_aprove: ["*"]\n')
    const linted = await run('policy', 'lint')
    expect(linted).toMatchObject({ code: 1, stdout: expect.stringContaining('policy.yaml:2:1: ') })
    expect(linted.stdout).toContain('did you mean `auto_approve`?')
    const gated = await spawnCli(['exec', '--no-input', '--home', home, '--', 'touch', 'made'], cwd)
    expect(gated).toMatchObject({ code: 124, stdout: '' })
    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })

  it('explains what exec then does (acceptance 9)', async () => {
    const { run, home, cwd } = place()
    writeFileSync(
      join(home, 'policy.yaml'),
      'version: 1\nrules:\n  - { id: no-touch, command: { program: touch }, supervision: deny }\n',
    )
    const explained = await spawnCli(['policy', 'explain', '--json', '--home', home, '--', 'touch', 'made'], cwd)
    expect(JSON.parse(explained.stdout)).toMatchObject({
      verdict: { supervision: 'deny', rule: { id: 'no-touch', line: 3 } },
    })
    const gated = await spawnCli(['exec', '--home', home, '--', 'touch', 'made'], cwd)
    expect(gated).toMatchObject({ code: 121, stderr: expect.stringContaining('no-touch') })
    expect((await run('history', '--json')).stdout).toContain('"rule":"no-touch"')
  })

  it('exits with 1 if a policy’s own tests fail', async () => {
    const { run, cwd } = place()
    writeFileSync(
      join(cwd, 'draft.yaml'),
      'version: 1\ntests:\n  - { name: pushing is fine, call: { tool: execute_command, args: { command: git push } }, expect: { supervision: automatic } }\n',
    )
    const { stdout, code } = await run('policy', 'test', 'draft.yaml')
    expect(stdout).toMatch(/^draft\.yaml:3: fail: pushing is fine; expected automatic, got .*\n0 passed, 1 failed\n$/)
    expect(code).toBe(1)
  })

  it('exits silently when the reader of a pipe closes it', async () => {
    const { cwd, folder } = place()
    const { stdout, stderr } = await spawnBash('countersign policy schema | head -n 1', cwd, folder)
    expect({ stdout, stderr }).toEqual({ stdout: '{\n', stderr: '' })
  })
})

describe('bash completion', () => {
  const complete = (words: string, at: number) =>
    `source <(countersign completion bash) && COMP_WORDS=(${words}) && COMP_CWORD=${at} && _countersign_complete && printf '%s\\n' "\${COMPREPLY[@]}"`

  it('offers only matching words', async () => {
    const { cwd, folder } = place()
    const { stdout } = await spawnBash(complete("countersign policy ''", 2), cwd, folder)
    expect(stdout).toBe('lint\nexplain\ntest\nimport\nset\nadd\nundo\nsign\nchanges\nschema\n')
  })

  it('runs nothing that was typed', async () => {
    const { cwd, folder } = place()
    const words = `countersign exec -- 'echo' '$(touch pwned)' ';' 'touch pwned' '>' pwned`
    const { code } = await spawnBash(complete(words, 8), cwd, folder)
    expect(code).toBe(0)
    expect(existsSync(join(cwd, 'pwned'))).toBe(false)
  })
})
