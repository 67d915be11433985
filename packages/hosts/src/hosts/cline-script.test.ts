import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { clineScript } from './cline-script.ts'

const REFUSED =
  '{"cancel":true,"errorMessage":"Countersign did not answer, so this tool call is refused. Run: countersign doctor --hosts"}\n'

/** Runs the script as Cline does, with a hook that runs this JavaScript. */
function run(code: string, kind: 'before' | 'report' = 'before', program = process.execPath) {
  const folder = temporaryFolder()
  const script = join(folder, 'PreToolUse')
  const hook = join(folder, "the person's hook.mjs")
  const seen = join(folder, 'seen')
  writeFileSync(
    hook,
    `import { readFileSync, writeFileSync } from 'node:fs'\nconst SEEN = ${JSON.stringify(seen)}\n${code}`,
  )
  writeFileSync(script, clineScript([program, hook], { name: 'PreToolUse', kind }))
  const { stdout, status } = spawnSync('sh', [script], { input: '{"hookName":"tool_call"}', encoding: 'utf8' })
  return { stdout, status, isSeen: existsSync(seen) }
}

describe('the script for Cline', () => {
  it('prints what the hook printed for the event on stdin', () => {
    const echo =
      "process.stdout.write(JSON.stringify([readFileSync(0, 'utf8'), ...process.argv.slice(2), '$HOME `id` \\\\n']))"
    const { stdout, status } = run(echo)
    expect(JSON.parse(stdout)).toEqual(['{"hookName":"tool_call"}', 'PreToolUse', '$HOME `id` \\n'])
    expect(status).toBe(0)
  })

  it.each([
    ['fails', 'process.stdout.write(\'{"cancel":false}\'); process.exitCode = 1'],
    ['prints nothing', ''],
    ['throws', "throw new Error('no')"],
    ['is killed', "process.kill(process.pid, 'SIGKILL')"],
  ])('refuses if the hook %s', (_, code) => {
    expect(run(code)).toMatchObject({ stdout: REFUSED, status: 0 })
  })

  it('refuses if the hook does not start', () => {
    expect(run('', 'before', '/nowhere/node')).toMatchObject({ stdout: REFUSED, status: 0 })
  })

  it('reports silently, whatever becomes of the report', () => {
    const report = "writeFileSync(SEEN, ''); console.log('x'); process.exitCode = 1"
    expect(run(report, 'report')).toEqual({ stdout: '', status: 0, isSeen: true })
  })
})
